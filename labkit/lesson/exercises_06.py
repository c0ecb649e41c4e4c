"""Predictions and exercises of 06_handles."""

import random
from collections.abc import Callable
from typing import Any

from labkit.access.handles import same
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call, in_order
from labkit.lesson.predict import Prediction

PREDICTIONS = {
    "06.A": Prediction(
        "one door to the text",
        {
            "the text": "an id is enough; it is, and so it is a key that anybody can pick up",
            "nothing": "the id is worth nothing to somebody else; no line of this function asks who it is",
            "refused": "the corpus knows who may see what; only the gate does",
        },
    ),
    "06.B": Prediction(
        "a handle is its principal's own",
        {
            "text": "a shared grant is enough; a handle says for whom it was found, and that is somebody else",
            "collection_denied": "the reader lacks the grant; it has one on this collection",
            "handle_binding_mismatch": "it was not given to the reader",
        },
    ),
    "06.C": Prediction(
        "the issued copy decides",
        {
            "good": "not one value has changed",
            "refused": "another spelling is another handle; what is compared is the canonical form of both",
            "it depends on the client": "the server compares bytes; it parses what it gets, and compares values",
        },
    ),
    "06.D": Prediction(
        "what holds now decides",
        {
            "good": "the same content is the same policy, and there is time left",
            "refused": "a handle that was dead once stays dead; nothing was thrown away, it was refused while revoked",
            "expired": "fifteen seconds are too long; this handle has sixty",
        },
    ),
    "06.E": Prediction(
        "bounds are each principal's own",
        {
            "still there": "the editor's handles count against the editor",
            "pushed out": "the oldest handle of all makes room; then one busy client could end everybody's work",
            "refused": "too many searches are an error; the oldest handles of whoever makes them go",
        },
    ),
}

SHARED = "a grant that both have makes the handle both's; it stays bound to the one who searched"
FORM_LATE = "anything can be looked into; what is no object has no collection to look a grant up for"
GRANT_LATE = "the copy may be looked up before the grant; then a stranger learns which ids exist"
COPY_LATE = "a binding can be compared before there is a copy to compare with"
SOURCE_EARLY = "the source can be looked at first; until the copy is compared it is only what the caller says"
TRUSTED = "the fields of an offered handle may be believed; whoever offers it may have written them"
GRANT_ENOUGH = "the grant is enough; the handle may have been issued to somebody else"
OWNER_ENOUGH = "the owner may always read; a grant can be taken back after the search"
UNKNOWN_ID = "an id that nobody issued is an error in the program; a caller may offer anything"
SPELLING = "values that Python calls equal are the same value; 1, 1.0 and True have three canonical forms"
ONLY_MINE = "what the copy does not say does no harm; a handle with a field more is not the one that was issued"
ONLY_GIVEN = "what is not offered cannot be wrong; a handle with a field less is not the one that was issued"
REFUSES_ALL = "refusing everything is safe; then nobody can read"
ORDER = [
    ("the form", "the grant", FORM_LATE),
    ("the grant", "the issued copy", GRANT_LATE),
    ("the issued copy", "the binding", COPY_LATE),
    ("the binding", "the source", SOURCE_EARLY),
]
STEPS = ["the form", "the grant", "the issued copy", "the binding", "the source"]


def grade_hands(answer: Any, _rng: random.Random) -> Failure | None:
    if answer == {"asks": "reader", "handle of": "editor"}:
        raise Unanswered
    people = ("reader", "editor")
    named = isinstance(answer, dict) and answer.keys() == {"asks", "handle of"}
    if not named or not all(name in people for name in answer.values()):
        return Failure("`mine`", "two names, each reader or editor", "somebody else may ask")
    if answer["asks"] != answer["handle of"]:
        return Failure("the one who asks, and the handle's principal", "one and the same", SHARED)
    return None


def grade_may_read(answer: Any, rng: random.Random) -> Failure | None:
    one, other = (f"{rng.getrandbits(64):016x}" for _ in range(2))
    copy = {"issued_id": one, "principal": "reader", "collection": "notes", "rank": 1}
    copies = {one: copy, other: copy | {"issued_id": other, "principal": "editor", "rank": rng.randint(2, 5)}}
    cases: list[tuple[str, str, dict[str, Any], set[str], bool, str]] = [
        ("as it was issued", "reader", copy, {"notes"}, True, REFUSES_ALL),
        ("keys in another order", "reader", dict(reversed(copy.items())), {"notes", "mails"}, True, REFUSES_ALL),
        ("the editor's own", "editor", copies[other], {"notes"}, True, REFUSES_ALL),
        ("the editor's, offered by the reader", "reader", copies[other], {"notes"}, False, GRANT_ENOUGH),
        (
            "the same, with the reader's name written in",
            "reader",
            copies[other] | {"principal": "reader"},
            {"notes"},
            False,
            TRUSTED,
        ),
        ("the grant taken back", "reader", copy, {"mails"}, False, OWNER_ENOUGH),
        ("another collection written in", "reader", copy | {"collection": "mails"}, {"mails"}, False, TRUSTED),
        ("another rank", "reader", copy | {"rank": 6}, {"notes"}, False, TRUSTED),
        ("the rank as 1.0", "reader", copy | {"rank": 1.0}, {"notes"}, False, SPELLING),
        ("the rank as True", "reader", copy | {"rank": True}, {"notes"}, False, SPELLING),
        ("a field more", "reader", copy | {"note": "mine"}, {"notes"}, False, ONLY_MINE),
        ("an id that was never issued", "reader", copy | {"issued_id": "0" * 16}, {"notes"}, False, UNKNOWN_ID),
        *[(f"no `{name}`", "reader", _without(copy, name), {"notes"}, False, ONLY_GIVEN) for name in copy],
        ("no field at all", "reader", {}, {"notes"}, False, ONLY_GIVEN),
    ]
    for case, asks, handle, granted, good, thought in cases:
        got = call(answer, asks, dict(handle), {key: dict(kept) for key, kept in copies.items()}, granted, case=case)
        if bool(got) is not good:
            return Failure(case, "good" if good else "not good", thought)
    return None


def _without(copy: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in copy.items() if key != name}


def _compares(alike: Callable[[dict[str, Any], dict[str, Any]], bool]) -> Callable[..., bool]:
    """A `may_read` that is right, but for how it compares handle and copy."""

    def may_read(asks: str, handle: dict[str, Any], copies: dict[Any, Any], granted: set[str]) -> bool:
        copy = copies.get(handle.get("issued_id"))
        return copy is not None and alike(handle, copy) and copy["principal"] == asks and copy["collection"] in granted

    return may_read


def _grant_only(_asks: str, handle: dict[str, Any], copies: dict[str, Any], granted: set[str]) -> bool:
    copy = copies.get(handle["issued_id"])
    return copy is not None and same(handle, copy) and copy["collection"] in granted


def _owner_only(asks: str, handle: dict[str, Any], copies: dict[str, Any], _granted: set[str]) -> bool:
    copy = copies.get(handle["issued_id"])
    return copy is not None and same(handle, copy) and copy["principal"] == asks


def _believes(asks: str, handle: dict[str, Any], copies: dict[str, Any], granted: set[str]) -> bool:
    return handle["issued_id"] in copies and handle["principal"] == asks and handle["collection"] in granted


def _trips(asks: str, handle: dict[str, Any], copies: dict[str, Any], granted: set[str]) -> bool:
    copy = copies[handle["issued_id"]]
    return same(handle, copy) and copy["principal"] == asks and copy["collection"] in granted


def _expects_an_id(asks: str, handle: dict[str, Any], copies: dict[str, Any], granted: set[str]) -> bool:
    copy = copies.get(handle["issued_id"])
    return copy is not None and same(handle, copy) and copy["principal"] == asks and copy["collection"] in granted


EXERCISES = {
    "06.1": Exercise(
        "a handle is its principal's own",
        grade_hands,
        (
            "Both have the grant. What else does `Gate.read` look at?",
            "A handle says for whom it was found.",
            "Let the one who asks offer a handle of their own.",
        ),
        (
            Wrong({"asks": "editor", "handle of": "reader"}, SHARED),
            Wrong({"asks": "visitor", "handle of": "editor"}, "somebody else may ask"),
        ),
    ),
    "06.2": Exercise(
        "one order of refusals",
        in_order(STEPS, ORDER),
        (
            "What has to be an object before a field of it can be read?",
            "The grant is looked at before anything that the server remembers.",
            "Form, grant, copy; then the copy is compared; then the copy's source is looked up in the collection.",
        ),
        (
            Wrong(["the grant", "the form", "the issued copy", "the binding", "the source"], FORM_LATE),
            Wrong(["the form", "the issued copy", "the grant", "the binding", "the source"], GRANT_LATE),
            Wrong(["the form", "the grant", "the binding", "the issued copy", "the source"], COPY_LATE),
            Wrong(["the form", "the grant", "the issued copy", "the source", "the binding"], SOURCE_EARLY),
        ),
    ),
    "06.3": Exercise(
        "the issued copy decides",
        grade_may_read,
        (
            "Of the offered handle only its `issued_id` is of use, and it may have none; look the copy up by `get`.",
            "Compare handle and copy by `same`; from there on read the copy's fields, not the handle's.",
            "There is a copy, it is the same, its principal is `asks`, and its collection is in `granted`.",
        ),
        (
            Wrong(_grant_only, GRANT_ENOUGH),
            Wrong(_owner_only, OWNER_ENOUGH),
            Wrong(_believes, TRUSTED),
            Wrong(_trips, "KeyError cannot happen here"),
            Wrong(_expects_an_id, "KeyError cannot happen here"),
            Wrong(_compares(lambda handle, copy: handle == copy), SPELLING),
            Wrong(_compares(lambda handle, copy: same({name: handle.get(name) for name in copy}, copy)), ONLY_MINE),
            Wrong(_compares(lambda handle, copy: same(handle, {name: copy.get(name) for name in handle})), ONLY_GIVEN),
        ),
    ),
}
