"""Predictions and exercises of 08_result_key."""

import random
from typing import Any

from labkit.canonical import canonical_hash, canonical_json
from labkit.lesson import judges_08 as judges
from labkit.lesson.exercise import Exercise, Wrong
from labkit.lesson.predict import Prediction

PREDICTIONS = {
    "08.A": Prediction(
        "parts with boundaries",
        {
            "two keys": "no caller can type a colon, so none can be inside a part; but whoever names principals "
            "and collections can",
            "one key": "names may hold the sign that joins them",
            "refused": "a colon in a name is an error; nothing here looks at names, and a policy may use any",
        },
    ),
    "08.B": Prediction(
        "the key names who is asking",
        {
            "the reader's": "the answer is made for whoever gets it; this one was made for the first who asked",
            "the editor's": "what was kept was the editor's",
            "nobody's": "an answer is passages and no more; it also says for whom and under what it was made",
        },
    ),
    "08.C": Prediction(
        "nothing of the run in the key",
        {
            "two": "the first is a miss and the rest are hits; but each run puts something of its own into the reply",
            "one": "a key needs a second look to settle; nothing about it ever settles",
            "none": "each search gives out a handle with a new id",
        },
    ),
    "08.D": Prediction(
        "the whole policy is in the key",
        {
            "the same key": "only the caller's own grants matter; the key names the policy, and that is another now",
            "another key": "any change of the policy is another policy",
            "refused": "a grant that is taken back stops everybody; the reader's own still stands",
        },
    ),
    "08.E": Prediction(
        "explain names what differs",
        {
            "none": "the reader would see the same passages; but the snapshot is another one",
            "one": "of all that happened, only the snapshot is part of the key and has changed",
            "three": "each event leaves a trace in the key; equal content has an equal id, however it came about",
        },
    ),
}


def _keyed(principal: str, policy: str, asked: Any) -> str:
    return canonical_hash({"principal": principal, "policy_id": policy, "asked": asked})


def _flat(who: str, policy: str, asked: dict[str, Any]) -> str:
    return canonical_hash({"principal": who, "policy_id": policy, **asked})


def _all_but(*left_out: str) -> Any:
    return lambda record: canonical_hash({name: record[name] for name in record if name not in left_out})


def _outer(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    return sorted(name for name in first if first[name] != second[name])


def _inner(first: dict[str, Any], second: dict[str, Any], path: str = "") -> list[str]:
    found = list[str]()
    for name, one in first.items():
        other = second.get(name)
        if isinstance(one, dict):
            found += _inner(one, other or {}, f"{path}{name}.")
        elif one != other:
            found.append(path + name)
    return sorted(found)


def _both_sides(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    return sorted({*_inner(first, second), *_inner(second, first)})


EXERCISES = {
    "08.1": Exercise(
        "defaults are filled before hashing",
        judges.grade_request,
        (
            "Which of the four fields may be left out, and what stands there then?",
            "Capitals do no harm. One number asks for more than the other request does.",
            "Look at `k`: the cell behind the table on what moves a key spells the defaults out.",
        ),
        (
            Wrong({"query": "json", "collection": "serialization", "version": "3.12", "k": 3}, judges.CASE),
            Wrong({"query": "JSON", "collection": "serialization", "version": "3.12", "k": 1}, judges.K),
            Wrong({"query": "JSON", "collection": "serialization", "version": "3.12", "k": 2.0}, judges.REFUSED),
            Wrong({"query": "JSON", "collection": "files", "version": "3.12", "k": 3}, judges.OTHER_REQUEST),
            Wrong({"query": "JSON", "collection": "serialization", "version": "latest", "k": 3}, judges.NO_REQUEST),
            Wrong({"query": "json", "collection": "serialization", "version": "3.12", "k": 2}, judges.ONE_CHANGE),
            Wrong({"query": "json", "collection": "serialization"}, judges.FORM),
            Wrong(None, judges.FORM),
        ),
    ),
    "08.2": Exercise(
        "the key names what the result depends on",
        judges.grade_record_key,
        (
            "Ask of each name: could another value of it give another result?",
            "The same principal may come back with a new token, in another run, at another time.",
            "Three names stay out: the token, the run and the time.",
        ),
        (
            Wrong(canonical_hash, judges.RUN),
            Wrong(_all_but("run_id"), judges.TIME),
            Wrong(_all_but("run_id", "asked_at"), judges.TOKEN),
            Wrong(_all_but(*judges.OF_THE_RUN, "principal"), judges.PRINCIPAL),
            Wrong(_all_but(*judges.OF_THE_RUN, "policy_id"), judges.POLICY),
            Wrong(_all_but(*judges.OF_THE_RUN, "corpus_id"), judges.CORPUS),
            Wrong(_all_but(*judges.OF_THE_RUN, "pipeline"), judges.PIPELINE),
            Wrong(_all_but(*judges.OF_THE_RUN, "version"), judges.REQUEST),
            Wrong(lambda _record: "8cb0f6f8", judges.PRINCIPAL),
            Wrong(lambda record: ":".join(record[name] for name in judges.NEEDED), judges.BOUNDARY),
            Wrong(lambda record: canonical_hash(sorted(record[name] for name in judges.NEEDED)), judges.NAMELESS),
            Wrong(lambda record: {name: record[name] for name in judges.NEEDED}, judges.NO_TEXT),
            Wrong(lambda _record: str(random.random()), judges.DRAWN),
        ),
    ),
    "08.3": Exercise(
        "what the caller sends stays inside its part",
        judges.grade_flat_key,
        (
            "What does the dictionary hold when the caller sends a field that is called `principal`?",
            "Two stars spread the caller's fields among your own. Keep them in a part of their own.",
            'Put `"request": asked` in the place of `**asked`.',
        ),
        (
            Wrong(_flat, judges.OVERWRITTEN),
            Wrong(lambda p, i, asked: canonical_hash({**asked, "principal": p, "policy_id": i}), judges.DROPPED),
            Wrong(lambda p, i, asked: canonical_hash({**asked, "_principal": p, "_policy_id": i}), judges.DROPPED),
            Wrong(lambda p, i, asked: canonical_hash({"who": p, "policy": i, **asked}), judges.OVERWRITTEN),
            Wrong(lambda p, i, asked: _keyed(p, i, sorted(asked)), judges.VALUES),
            Wrong(lambda p, i, asked: _keyed(p, i, len(asked)), judges.VALUES),
            Wrong(lambda p, i, asked: _keyed(p, i, sorted(map(str, asked.values()))), judges.NAMELESS),
            Wrong(lambda p, _, asked: _keyed(p, "any", asked), judges.POLICY),
            Wrong(lambda p, i, asked: canonical_hash(p + i + canonical_json(asked)), judges.BOUNDARY),
            Wrong(lambda p, i, asked: f"{p}:{i}:{canonical_json(asked)}", judges.BOUNDARY),
            Wrong(lambda p, i, asked: canonical_hash([p, i, list(asked.items())]), judges.ORDER),
            Wrong(lambda p, i, asked: [p, i, asked], judges.NO_TEXT),
        ),
    ),
    "08.4": Exercise(
        "explain names what differs",
        judges.grade_differing,
        (
            "Go through the names that either of the two has.",
            "Where both have a dictionary under a name, do the same inside it, with the name and a dot in front.",
            "Let the function call itself with a third argument, the path so far; sort what is found at the end.",
        ),
        (
            Wrong(_outer, judges.TOP_ONLY),
            Wrong(_inner, judges.ONE_SIDED),
            Wrong(lambda first, second: _both_sides(first, second)[:1], judges.FIRST_ONLY),
            Wrong(lambda first, second: _both_sides(first, second) or ["none"], judges.EQUAL),
            Wrong(lambda first, second: [name.rpartition(".")[2] for name in _both_sides(first, second)], judges.BARE),
            Wrong(lambda first, second: _both_sides(first, second)[::-1], judges.UNSORTED),
            Wrong(lambda first, second: set(_both_sides(first, second)), judges.NO_LIST),
            Wrong(lambda _first, _second: [], judges.UNSEEN),
        ),
    ),
}
