"""Every lesson's predictions and exercises keep the promises that a learner relies on."""

import importlib
import random
import re
import sys
from pathlib import Path

import pytest

from labkit.lesson.exercise import check, judge

LESSONS = sorted(path.stem for path in (Path(__file__).parent.parent / "labkit/lesson").glob("exercises_*.py"))
MODULES = {name: importlib.import_module(f"labkit.lesson.{name}") for name in LESSONS}
PREDICTIONS = {id_: found for module in MODULES.values() for id_, found in module.PREDICTIONS.items()}
EXERCISES = {id_: found for module in MODULES.values() for id_, found in module.EXERCISES.items()}
WRONG = [
    pytest.param(exercise, wrong, id=f"{id_}-{number}")
    for id_, exercise in EXERCISES.items()
    for number, wrong in enumerate(exercise.wrong, 1)
]
LISTS = [
    pytest.param(exercise, wrong.answer, id=f"{id_}-{number}")
    for id_, exercise in EXERCISES.items()
    for number, wrong in enumerate(exercise.wrong, 1)
    if isinstance(wrong.answer, list)
]


@pytest.mark.parametrize("name", LESSONS)
def test_ids_belong_to_their_lesson_and_run_without_a_gap(name):
    number, module = name.removeprefix("exercises_"), MODULES[name]

    assert list(module.PREDICTIONS) == [f"{number}.{letter}" for letter in "ABCDEFGHIJ"[: len(module.PREDICTIONS)]]
    assert list(module.EXERCISES) == [f"{number}.{count}" for count in range(1, len(module.EXERCISES) + 1)]


@pytest.mark.parametrize("prediction", PREDICTIONS.values(), ids=PREDICTIONS)
def test_prediction_offers_three_or_four_choices_each_with_its_thought(prediction):
    assert 3 <= len(prediction.choices) <= 4
    assert all(thought and not thought.endswith(".") for thought in prediction.choices.values())


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_exercise_has_three_hints_and_two_usual_wrong_answers(exercise):
    assert len(set(exercise.hints)) == 3
    assert len(exercise.wrong) >= 2


@pytest.mark.parametrize(("exercise", "wrong"), WRONG)
def test_usual_wrong_answer_fails_with_its_own_thought_whatever_is_drawn(exercise, wrong):
    for seed in range(20):
        failure = judge(exercise, wrong.answer, random.Random(seed))

        assert failure is not None, f"passed with seed {seed}"
        assert failure.thought == wrong.thought


class Odd:
    def __eq__(self, other):
        raise RuntimeError("compares with nothing")


STRANGE = {
    "a huge number": 10**400,
    "nothing": None,
    "a text": "x",
    "half a character": "\ud800",
    "a list": [[1]],
    "a dictionary": {"k": "x"},
    "an odd value": Odd(),
    "raises": lambda *_: {}["k"],
    "leaves": lambda *_: sys.exit(),
    "gives nothing": lambda *_: None,
    "gives a constant": lambda *_: "x",
    "says yes": lambda *_: True,
    "gives a huge number": lambda *_: 10**400,
    "gives what it got": lambda *given: given,
    "gives the first it got": lambda *given: given[0] if given else None,
    "gives an odd value": lambda *_: Odd(),
    "draws": lambda *_: random.random(),
    "draws a text": lambda *_: str(random.random()),
}


@pytest.mark.parametrize("answer", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize("id_", EXERCISES)
def test_strange_answer_is_told_in_a_sentence_and_never_passes(id_, answer, monkeypatch, tmp_path):
    monkeypatch.setenv("LABKIT_PROGRESS", str(tmp_path / "progress.json"))

    told = repr(check(id_, answer))

    assert re.fullmatch(
        rf"{id_} not yet\. Case: .+\. Expected: .+\. A common thought behind this answer: .+\.", told, re.S
    )


@pytest.mark.parametrize(("exercise", "answer"), LISTS)
def test_tuple_is_told_what_the_list_is_told(exercise, answer):
    told = [judge(exercise, kind(answer), random.Random(0)) for kind in (list, tuple)]

    assert told[0] == told[1]
