"""Pictures that come out the same to the byte each time, with their finding in words beside them."""

from base64 import b64encode
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE = {
    "svg.hashsalt": "labkit",  # element ids would be random without it
    "svg.fonttype": "none",  # text stays text: a screen reader can read it, and a search finds it
    "font.family": "sans-serif",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


@dataclass(frozen=True)
class Picture:
    """An SVG and the sentence that says what it shows; the sentence stands in where a picture cannot."""

    svg: str
    finding: str

    def __repr__(self) -> str:
        return self.finding

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        # JupyterLab shows an SVG output as an image without alt text, and one from elsewhere not at all.
        source = b64encode(self.svg.encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{source}" alt="{escape(self.finding)}" style="max-width: 100%">'


def axes(width: float = 5.6, height: float = 3.2) -> "tuple[Figure, Axes]":
    """A figure with one set of axes, in inches: it fits a window of 700 pixels, and reads in a dark theme."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
        return figure, figure.subplots()


def picture(figure: "Figure", finding: str) -> Picture:
    """The figure as SVG, byte for byte the same for the same drawing; `finding` becomes its title and its text twin."""
    import matplotlib

    drawn = StringIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    body = drawn.getvalue()
    body = body[body.index("<svg") :]  # the XML declaration and document type carry nothing a browser needs
    opening, rest = body.split(">", 1)
    return Picture(
        f'{opening} role="img" style="max-width: 100%; height: auto"><title>{escape(finding)}</title>{rest}', finding
    )
