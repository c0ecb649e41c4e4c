"""Lets a Python that has this folder on its path import `labkit.lesson.exercises_90`, the sample lesson's own."""

from pathlib import Path

import labkit.lesson

labkit.lesson.__path__.append(str(Path(__file__).parent))
