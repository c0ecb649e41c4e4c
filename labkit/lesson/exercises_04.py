"""Predictions and exercises of 04_authorize."""

import random
import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from labkit.access.authorize import principal_of
from labkit.access.policy import load_policy
from labkit.corpus import load_corpus
from labkit.errors import Refusal
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call, in_order
from labkit.lesson.predict import Prediction

PREDICTIONS = {
    "04.A": Prediction(
        "the caller does not name itself",
        {
            "the editor's": "the search believes the field; it does, and so anybody can be the editor",
            "the reader's": "the search knows who really sends; nothing in the request tells it",
            "refused": "the reader has no right to that field; this search never asks for one",
        },
    ),
    "04.B": Prediction(
        "one header, one token",
        {
            "reader": "the first header counts; another program on the way may count the last",
            "editor": "the stronger of two good names counts; then anybody's second header could lift a caller",
            "refused": "two names are no name",
        },
    ),
    "04.C": Prediction(
        "denied is one answer",
        {
            "one": "what does not exist and what is not granted must look alike",
            "two": "the caller should be told what is wrong; but the difference tells which names exist",
            "none, it is an error": "an unknown name is a mistake in the program; a caller may ask for any name",
        },
    ),
    "04.D": Prediction(
        "the grant comes before the tool",
        {
            "none": "a tool is made only when something is found; it is what finds",
            "one": "the refused request is turned away before a tool is made",
            "two": "a tool is made for each request; then a refusal has already cost a search",
        },
    ),
}

SPACES = "white space may be generous; two spaces are another form, and another program may read them otherwise"
SCHEME = "another scheme may carry the token; only `Bearer` says that what follows is one"
OTHER_PERSON = "any good token will do; each stands for one principal"
UNKNOWN = "any token will do; only one that was issued names a principal"
CASE = "the scheme has to be spelled as in the examples; its case does not matter"
TOKEN_CASE = "what is true of the scheme is true of the token; a token is exactly what was issued"
NO_LIST = "a request has one header; it has a list of them, which may be empty or hold two"
FIRST = "the first of several headers may be taken; a program on the way may take another one"
JOINED = "a comma is a letter of the token; it is how two headers are joined into one"
EMPTY = "no token is a token too"
LATE = "a tool may be made before the grant is looked at; a refusal then costs a search"
ANYBODY = "a grant can be looked at before it is known whose; the token says whose"
TOKEN_FIRST = "a token can be looked at before it is known that there is one header"
TOOL_LAST = "something can search before the tool is made"
EXISTENCE = "a caller should be told what is wrong; but this answer depends on which names exist"
ECHO = "repeating a name tells nothing new; but denied is one answer, and what a caller wrote goes into no reply"
ALL_ALIKE = "denying everything is safe; then nobody can work"
ORDER = [
    ("look for one header", "look at the token", TOKEN_FIRST),
    ("look at the token", "look at the grant", ANYBODY),
    ("look at the grant", "make a tool", LATE),
    ("make a tool", "search", TOOL_LAST),
]
STEPS = ["look for one header", "look at the token", "look at the grant", "make a tool", "search"]


def grade_header(answer: Any, _rng: random.Random) -> Failure | None:
    if answer == ["Bearer  synthetic-editor-token"]:
        raise Unanswered
    if not isinstance(answer, list) or not all(isinstance(header, str) for header in answer):
        return Failure("`mine`", "a list of headers, each a text", NO_LIST)
    try:
        principal = principal_of(load_policy(load_corpus()), answer)
    except Refusal:
        return Failure("`principal_of(policy, mine)`", "the editor", _why_refused(answer))
    return None if principal == "editor" else Failure("`principal_of(policy, mine)`", "the editor", OTHER_PERSON)


def _why_refused(headers: list[str]) -> str:
    if len(headers) != 1:
        return FIRST if headers else EMPTY
    if "," in headers[0]:
        return JOINED
    if not re.match(r"\s*bearer(\s|$)", headers[0], re.IGNORECASE):
        return SCHEME
    if not headers[0].split()[1:]:
        return EMPTY
    return UNKNOWN if re.fullmatch(r"bearer [^\s,]+", headers[0], re.IGNORECASE) else SPACES


def grade_answer(answer: Any, rng: random.Random) -> Failure | None:
    names = ["notes", "plans", "mails", "salaries"]  # the stub fails on them, and its reply is recorded
    collections = {name: {f"{name}-{rng.randint(1, 99)}"} for name in names[:3]}
    grants: dict[str, set[str]] = {"reader": {names[0]}, "editor": set(names[:3])}

    def told(principal: str, name: str) -> Any:
        case = f"{principal} asks for {name}"
        return call(answer, deepcopy(grants), deepcopy(collections), principal, name, case=case)

    hidden, missing = told("reader", names[1]), told("reader", names[3])
    if hidden != missing:
        echoes = repr(hidden).replace(names[1], "") == repr(missing).replace(names[3], "")
        case = f"{names[1]}, not granted, and {names[3]}, not there"
        return Failure(case, "the same answer", ECHO if echoes else EXISTENCE)
    for principal, name in [("reader", names[0]), ("editor", names[2])]:
        if told(principal, name) != collections[name]:
            return Failure(f"{principal} asks for {name}", "the sources that the grant opens", ALL_ALIKE)
    return None


def grade_token_of(answer: Any, rng: random.Random) -> Failure | None:
    token = f"made-up-{rng.randint(100, 999)}"
    wanted: list[tuple[list[str], str | None, str]] = [
        ([f"Bearer {token}"], token, ALL_ALIKE),
        ([f"bEaReR {token}"], token, CASE),
        ([f"Bearer {token}", f"Bearer {token}-2"], None, FIRST),
        ([f"Bearer {token}, Bearer {token}-2"], None, JOINED),
        ([f"Bearer {token},{token}-2"], None, JOINED),
        ([f"Bearer  {token}"], None, SPACES),
        ([f" Bearer {token}"], None, SPACES),
        ([f"Bearer {token} "], None, SPACES),
        ([f"Bearer {token} more"], None, SPACES),
        ([f"Basic {token}"], None, SCHEME),
        ([f"Bearers {token}"], None, SCHEME),
        ([f"Bearer {token.upper()}"], token.upper(), TOKEN_CASE),
        (["Bearer "], None, EMPTY),
        ([], None, EMPTY),
    ]
    for headers, token_wanted, thought in wanted:
        if call(answer, list(headers), case=f"token_of({headers})") != token_wanted:
            return Failure(f"token_of({headers})", f"{token_wanted!r}", thought)
    return None


def _tells_by_length(
    grants: Mapping[str, set[str]], collections: Mapping[str, set[str]], principal: str, name: str
) -> Any:
    if name in grants[principal]:
        return collections[name]
    return "denied" if name in collections else "denied, check the name"


def _matched(pattern: str, headers: list[str]) -> str | None:
    found = re.fullmatch(pattern, headers[0]) if len(headers) == 1 else None
    return found[1] if found else None


EXERCISES = {
    "04.1": Exercise(
        "one header, one token",
        grade_header,
        (
            "Count the spaces.",
            "The scheme's case is free, the number of spaces is not.",
            "Take one of the two spaces away.",
        ),
        (
            Wrong(["Bearer\tsynthetic-editor-token"], SPACES),
            Wrong(["Basic synthetic-editor-token"], SCHEME),
            Wrong("Bearer synthetic-editor-token", NO_LIST),
            Wrong(["synthetic-editor-token"], SCHEME),
            Wrong(["Bearer editor"], UNKNOWN),
            Wrong(["Bearer synthetic-editor-token", "Bearer synthetic-editor-token"], FIRST),
            Wrong(["Bearer synthetic-editor-token, Bearer synthetic-editor-token"], JOINED),
            Wrong(["Bearer synthetic-editor-token,synthetic-editor-token"], JOINED),
            Wrong([], EMPTY),
            Wrong(["Bearer "], EMPTY),
            Wrong([" Bearer synthetic-editor-token"], SPACES),
            Wrong(["Bearer synthetic-reader-token"], OTHER_PERSON),
        ),
    ),
    "04.2": Exercise(
        "the grant comes before the tool",
        in_order(STEPS, ORDER),
        (
            "What must be known before a token can be looked at? And before a grant?",
            "Everything that costs something comes after the last thing that can refuse.",
            "Header, token, grant; then the tool; then the search.",
        ),
        (
            Wrong(["look for one header", "look at the token", "make a tool", "look at the grant", "search"], LATE),
            Wrong(["look for one header", "look at the grant", "look at the token", "make a tool", "search"], ANYBODY),
            Wrong(
                ["look at the token", "look for one header", "look at the grant", "make a tool", "search"], TOKEN_FIRST
            ),
            Wrong(
                ["look for one header", "look at the token", "look at the grant", "search", "make a tool"], TOOL_LAST
            ),
        ),
    ),
    "04.3": Exercise(
        "denied is one answer",
        grade_answer,
        (
            "Ask for two names that the reader may not use: one that exists, one that does not.",
            "Which line looks at something that is not the caller's own?",
            "Take the first two lines of the body away: a name that is not granted is denied, whatever it is.",
        ),
        (
            Wrong(_tells_by_length, EXISTENCE),
            Wrong(
                lambda grants, colls, who, name: colls.get(name) if name in grants[who] else colls and name in colls,
                EXISTENCE,
            ),
            Wrong(lambda grants, colls, who, name: colls[name] if name in grants[who] else f"denied: {name}", ECHO),
            Wrong(lambda grants, colls, who, name: colls[name] if name in grants[who] else ("denied", name), ECHO),
            Wrong(lambda _grants, _collections, _principal, _name: "denied", ALL_ALIKE),
        ),
    ),
    "04.4": Exercise(
        "one header, one token",
        grade_token_of,
        (
            "Look at the number of headers first.",
            '`split()` without an argument forgives any number of spaces; `split(" ")` forgives none.',
            "Split at single spaces: there must be two parts, the first `bearer`, the second without a comma.",
        ),
        (
            Wrong(lambda headers: headers[0].split()[1] if headers and len(headers[0].split()) > 1 else None, FIRST),
            Wrong(lambda headers: _matched("Bearer ([^ ,]+)", headers), CASE),
            Wrong(lambda headers: _matched("(?i:bearer) (.+)", headers), JOINED),
            Wrong(lambda headers: _matched("(?i:bearer) +([^ ,]+)", headers), SPACES),
            Wrong(lambda headers: _matched(r"\w+ ([^ ,]+)", headers), SCHEME),
            Wrong(lambda headers: _matched(r"(?i:bearer)\w* ([^ ,]+)", headers), SCHEME),
            Wrong(
                lambda headers: _matched("bearer ([^ ,]+)", [header.lower() for header in headers]),
                TOKEN_CASE,
            ),
            Wrong(lambda headers: _matched("(?i:bearer) ([^ ,]*)", headers), EMPTY),
        ),
    ),
}
