"""Which lessons' kernels may be forked."""

import pytest
from sample_series import notebook

from labkit.nbtools.forked import can_fork, zygote_of
from labkit.nbtools.homes import kernel_homes, needs_new_kernels
from labkit.nbtools.notebook import read_lesson
from labkit.nbtools.series import Series

NOTEBOOKS = sorted(Series.of_this_checkout().folder.glob("*.ipynb"))

REACHING = [
    "import matplotlib\nmatplotlib.figure.Figure()",
    "import matplotlib as mpl\nmpl.figure",
    "import labkit\nlabkit.search.build_index",
    "from matplotlib import backends\nbackends.backend_svg",
    "import pandas.io as io\nio.formats.html",
    "import sys\n'pandas' in sys.modules",
    "from sys import modules as known\nknown['pandas']",
]
IMPORTING = [
    "import matplotlib.figure\nmatplotlib.figure.Figure()",
    "import matplotlib\nimport matplotlib.figure as f\nmatplotlib.figure",
    "from matplotlib import figure\nfigure.Figure()",
    "import pandas as pd\npd.DataFrame().columns",
    "import json, math\njson.dumps(math.pi)",
    "from labkit.search import build_index\nbuild_index.__name__",
    "import nowhere\nnowhere.at.all",
    "world = 1\nworld.matplotlib.figure",
]


@pytest.mark.parametrize("code", REACHING)
def test_module_reached_without_its_import_needs_a_new_kernel_to_be_missed(code):
    assert needs_new_kernels(notebook(*(("code", line) for line in code.splitlines())))


@pytest.mark.parametrize("code", IMPORTING)
def test_what_is_imported_is_found_in_any_kernel(code):
    assert not needs_new_kernels(notebook(*(("code", line) for line in code.splitlines())))


@pytest.mark.skipif(not can_fork(), reason="processes are forked on Linux only")
def test_each_lesson_has_the_home_it_needs():
    reaching, importing = (notebook(("code", sources[0])) for sources in (REACHING, IMPORTING))

    with kernel_homes("nothing") as home_of:
        assert not zygote_of(home_of(reaching), "nothing").exists()
        assert zygote_of(home_of(importing), "nothing").exists()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_kernels_of_our_own_lessons_can_be_forked(path):
    assert not needs_new_kernels(read_lesson(path))
