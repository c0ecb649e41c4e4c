"""What goes wrong from outside ends a command with its code and one sentence; a bug of ours keeps its traceback."""

import errno

import pytest
import typer

from labkit.errors import ConfigError
from labkit.exit_codes import COULD_NOT_RUN, EXIT_CODES, PORT_TAKEN, WRONG_USE, plain_errors
from labkit.nbtools.kernels import NoKernel
from labkit.nbtools.notebook import NotANotebook

ENDINGS = [
    (NotANotebook("no notebook is called 77"), WRONG_USE, "no notebook is called 77"),
    (ConfigError("invalid_ttl", "0 is no time"), WRONG_USE, "invalid_ttl: 0 is no time"),
    (NoKernel("ipykernel cannot be imported"), COULD_NOT_RUN, "ipykernel cannot be imported"),
    (ConfigError("no_server", "it did not answer"), COULD_NOT_RUN, "no_server: it did not answer"),
    (ConfigError("port_taken", "8000"), PORT_TAKEN, "port_taken: 8000"),
    (PermissionError(13, "Permission denied", "work"), COULD_NOT_RUN, "cannot use work: Permission denied"),
    (FileExistsError(17, "File exists", "build"), COULD_NOT_RUN, "cannot use build: File exists"),
    (OSError(errno.ENOSPC, "No space left"), COULD_NOT_RUN, "cannot write: No space left"),
]


@pytest.mark.parametrize(("error", "code", "said"), ENDINGS, ids=lambda value: type(value).__name__)
def test_what_goes_wrong_from_outside_is_one_sentence_and_a_code_of_the_table(error, code, said, capsys):
    with pytest.raises(typer.Exit) as ended, plain_errors():
        raise error

    assert ended.value.exit_code == code
    assert f"\n{code:3}  " in EXIT_CODES
    assert capsys.readouterr().err == f"labkit: {said}\n"


@pytest.mark.parametrize("bug", [KeyError("name"), OSError("no file is named"), ZeroDivisionError()], ids=repr)
def test_bug_of_ours_keeps_its_traceback(bug):
    with pytest.raises(type(bug)), plain_errors():
        raise bug
