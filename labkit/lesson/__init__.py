"""What every notebook uses; the one package that re-exports, so that a lesson starts with one plain import."""

from labkit.lesson.exercise import check, hint
from labkit.lesson.plots import axes, picture
from labkit.lesson.predict import compare, predict
from labkit.lesson.source import show_source
from labkit.lesson.tables import decisions, short
from labkit.lesson.world import fresh_world
from labkit.text_table import table

__all__ = [
    "axes",
    "check",
    "compare",
    "decisions",
    "fresh_world",
    "hint",
    "picture",
    "predict",
    "short",
    "show_source",
    "table",
]
