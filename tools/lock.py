"""Pin what the lab and its tests need: `python3 tools/lock.py` writes both locks and environment.yml.

Needs `uv` on the path. Pins stay as they are unless pyproject.toml rules them out; `--upgrade` renews them all.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILE = [
    *("uv", "pip", "compile", "pyproject.toml", "--quiet", "--no-config", "--no-header", "--no-annotate"),
    *("--universal", "--python-version=3.11", "--fork-strategy=fewest", "--generate-hashes"),
]
ENVIRONMENT = """\
# Written by tools/lock.py from requirements-dev.lock: the same pins, for conda. pip refuses hashes beside `-e .`.
name: labkit
channels:
  - conda-forge
dependencies:
  - python=3.11
  - pip
  - pip:
{pins}
      - -e .
"""


def main() -> None:
    if not shutil.which(COMPILE[0]):
        sys.exit("tools/lock.py: uv is not on the path; `pip install uv` brings it")
    compile_lock("requirements.lock", "--extra=build")
    compile_lock(
        "requirements-dev.lock", "--extra=build", "--extra=dev", "--extra=bench", "--constraint=requirements.lock"
    )
    lock = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    (ROOT / "environment.yml").write_text(environment(lock), encoding="utf-8", newline="\n")


def compile_lock(name: str, *options: str) -> None:
    """Write one lock; a machine's own pip or uv settings are not read, so that no mirror's hashes come in."""
    settings = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "UV_"))}
    command = [*COMPILE, f"--output-file={name}", *options, *sys.argv[1:]]
    subprocess.run(command, cwd=ROOT, env=settings, check=True)


def environment(lock: str) -> str:
    """The text of environment.yml for the text of a lock."""
    pins = re.findall(r"^([a-z0-9].*?) \\$", lock, re.MULTILINE)
    return ENVIRONMENT.format(pins="\n".join(f'      - "{pin}"' for pin in pins))


if __name__ == "__main__":
    main()
