"""Say what will happen before it happens: a prediction is recorded, and compared with what the code then did."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import EllipsisType, ModuleType

from labkit.lesson.progress import Predicted, load_progress, save_progress
from labkit.lesson.reply import Reply, listed


@dataclass(frozen=True)
class Prediction:
    """A rule of the series, and for each choice the thought behind it: "you were thinking that …"."""

    rule: str
    choices: Mapping[str, str]


def exercises_of(id_: str) -> ModuleType:
    """The module `exercises_NN` that an id such as `01.A` or `05.2` belongs to; LookupError when there is none."""
    number = id_.partition(".")[0]
    try:
        return importlib.import_module(f"labkit.lesson.exercises_{number}")
    except ModuleNotFoundError:
        raise LookupError(f'no lesson has "{id_}"; an id is a lesson\'s number, a dot, a letter or a number') from None


def find_prediction(id_: str) -> Prediction:
    """The prediction of that id; LookupError that lists the lesson's own."""
    predictions: Mapping[str, Prediction] = exercises_of(id_).PREDICTIONS
    if id_ not in predictions:
        raise LookupError(f'no prediction "{id_}"; this lesson has {listed(list(predictions))}')
    return predictions[id_]


def predict(id_: str, answer: str | EllipsisType) -> Reply:
    """Record a prediction; `...` stands for none, and anything that is not a choice is refused and recorded nowhere."""
    prediction = find_prediction(id_)
    choose = f"Put {listed(list(prediction.choices))} in place of the dots, then run the cell again."
    if answer is ...:
        return Reply(f"{id_} not predicted", (choose,))
    if not isinstance(answer, str) or answer not in prediction.choices:
        return Reply(f"{id_} not recorded: that is none of the choices", (choose,))
    progress = load_progress()
    kept = progress.predictions.setdefault(id_, Predicted(prediction.rule, answer))
    kept.answer = answer
    unkept = save_progress(progress)
    return Reply(f"{id_} predicted: {answer}", tuple(filter(None, ["Run the next cell and see.", unkept])))


def compare(id_: str, outcome: str) -> Reply:
    """Set what happened against what was predicted; the first answer compared is the one that counts.

    ValueError for an outcome that is none of the choices: a learner could never have been right.
    """
    prediction = find_prediction(id_)
    if outcome not in prediction.choices:
        raise ValueError(f'"{outcome}" is no choice of {id_}; it has {listed(list(prediction.choices))}')
    progress = load_progress()
    kept, before = progress.predictions.get(id_), f"{id_} came out:"
    if kept is None or kept.answer not in prediction.choices:  # an older edition may have had others
        return Reply(outcome, ("Not predicted.",), before)
    if kept.right is None:
        kept.first, kept.right = kept.answer, kept.answer == outcome
        save_progress(progress)  # if it cannot be kept, `predict` has said so
    if kept.answer == outcome:
        return Reply(outcome, ("As you predicted.",), before)
    thought = prediction.choices[kept.answer]
    said = f"You predicted: {kept.answer}. If you chose that, you were thinking that {thought}."
    return Reply(outcome, (said,), before)
