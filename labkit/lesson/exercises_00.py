"""Predictions and exercises of 00_start_here."""

import random
from contextlib import closing
from typing import Any

from labkit.corpus import load_corpus
from labkit.errors import Refusal
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, call, in_order, is_like, made_of
from labkit.lesson.predict import Prediction
from labkit.search import Hit, Index, build_index

PREDICTIONS = {
    "00.A": Prediction(
        "eligible first, then the cut",
        {
            "path-read": "the best match wins, whoever asks; it does, and that is the leak",
            "json-text": "the search knows what the reader may see; nobody told it who asks",
            "nothing": "a search that finds a hidden passage refuses; it cannot know that the passage is hidden",
        },
    ),
    "00.B": Prediction(
        "eligible first, then the cut",
        {
            "path-read": "the leak is still there; the filter does drop what the reader may not see",
            "json-text": "the filter looks for the next best; but only one passage was taken before it ran",
            "nothing": "the only place was taken by a passage that is then dropped",
        },
    ),
    "00.C": Prediction(
        "the key names who is asking",
        {
            "the reader's own answer": "the search filters for whoever asks; but the cache answers before it is asked",
            "the editor's answer": "the cache looks at the question alone",
            "nothing": "a kept answer belongs to whoever asked first; this cache does not know who that was",
        },
    ),
    "00.D": Prediction(
        "ask who may, then look up",
        {
            "the kept answer": "what is kept is served until its time is up; the grant is asked for before that",
            "collection_denied": "the grant is looked at first, and it is gone",
            "a new search": "the cache forgets what a revoked grant has opened; it keeps it, out of reach",
        },
    ),
}

SAME_RANK = "more places bring another passage to the top; k cuts the list and never changes its order"
OTHER_VERSION = "any version will do; the version is part of what was asked, and 3.9 says something else"
OTHER_WORD = "any other word will do; each word has a best passage of its own"
FIELDS = "a request may hold anything; a search takes a word, a version as text and a k from 1 up"
NOT_FOUND = "a word of the question finds the passage; this index knows only the words that stand in it"
NO_TERM = "a query is whatever one types; here it is one word of letters and digits, and `.` or `_` ends a word"
CUT_FIRST = "the order of filter and cut does not matter; hidden passages then take the places"
LOOK_FIRST = "the cache may be asked before the grant; then a kept answer outlives a grant taken back"
KEY_LAST = "an answer can be looked up or kept before its key is made"
TOO_EARLY = "an answer may be kept before it is finished; then somebody else's places are kept with it"
NO_FILTER = "the best are wanted, whoever asks; what the caller may not see is then handed out"
NO_CUT = "all that may be seen is wanted; the caller asked for k"
OTHER_ORDER = "the order is free; the list comes best first and stays so"
STEPS = ["look at the grant", "make the key", "look up", "search", "filter", "cut to k", "keep"]
BEFORE = [
    ("look at the grant", "look up", LOOK_FIRST),
    ("make the key", "look up", KEY_LAST),
    ("look up", "search", "the search runs before the cache is asked; then the cache saves nothing"),
    ("search", "filter", "there is something to filter before the search has run"),
    ("filter", "cut to k", CUT_FIRST),
    ("cut to k", "keep", TOO_EARLY),
]


def grade_request(answer: Any, _rng: random.Random) -> Failure | None:
    asked = {"query": "file", "version": "3.12", "k": 1}
    if repr(answer) == repr(asked):  # `True` is no 1 here
        raise Unanswered
    strange = Failure("`mine`", "a query, a version and a k that a search takes", FIELDS)
    if not is_like(answer, asked) or answer["k"] < 1:
        return strange
    with closing(build_index(load_corpus())) as index:
        hits = made_of(lambda: _found(index, answer), strange)
    if hits is None:
        return Failure("the query", "one word of letters and digits", NO_TERM)
    if not hits:
        return Failure("the editor's search", "at least one passage", NOT_FOUND)
    if hits[0].passage.version != "3.12":
        return Failure("the version of the best passage", "3.12", OTHER_VERSION)
    if hits[0].passage.source_id != "path-write":
        return Failure("the best passage", "the one on writing files", OTHER_WORD if answer["k"] == 1 else SAME_RANK)
    return None


def _found(index: Index, asked: dict[str, Any]) -> tuple[Hit, ...] | None:
    """What the editor's search finds; None for a query that is no term."""
    try:
        return tuple(index.search(sources={"json-text", "path-read", "path-write"}, **asked))
    except Refusal:
        return None


def grade_visible(answer: Any, rng: random.Random) -> Failure | None:
    for _ in range(20):
        ranked = rng.sample("abcdefghijkl", k=12)
        sources = set(rng.sample(ranked, k=6))
        k = rng.randint(1, 3)
        wanted = [source for source in ranked if source in sources][:k]
        case = f"visible({''.join(ranked)}, {''.join(sorted(sources))}, {k})"
        got = call(answer, list(ranked), set(sources), k, case=case)
        if got != wanted:
            return Failure(case, f"{wanted}", _thought(got, wanted, k, sources))
    return None


def _thought(got: Any, wanted: list[str], k: int, sources: set[str]) -> str:
    if isinstance(got, list) and not sources.issuperset(got):
        return NO_FILTER
    if isinstance(got, list) and len(got) > k:
        return NO_CUT
    if isinstance(got, list) and len(got) == len(wanted):
        return OTHER_ORDER
    return CUT_FIRST


EXERCISES = {
    "00.1": Exercise(
        "a rank does not depend on k",
        grade_request,
        (
            "Which passage is best is decided by the query, not by k.",
            "Read them: `[passage.text for passage in world.corpus.passages]`. Which word has `Path.write_text` alone?",
            "`newline` stands in it once, and nowhere else.",
        ),
        (
            Wrong({"query": "file", "version": "3.12", "k": 2}, SAME_RANK),
            Wrong({"query": "file", "version": "3.9", "k": 1}, OTHER_VERSION),
            Wrong({"query": "json", "version": "3.12", "k": 1}, OTHER_WORD),
            Wrong({"query": "file", "version": "3.12", "k": "x"}, FIELDS),
            Wrong({"query": "file", "version": "3.12", "k": True}, FIELDS),
            Wrong({"query": "file", "version": "3.12"}, FIELDS),
            Wrong("newline", FIELDS),
            Wrong({"query": "save", "version": "3.12", "k": 1}, NOT_FOUND),
            Wrong({"query": "Path.write_text", "version": "3.12", "k": 1}, NO_TERM),
        ),
    ),
    "00.2": Exercise(
        "grant, key, look-up, search, filter, cut, keep",
        in_order(STEPS, BEFORE),
        (
            "What must be known before anything that belongs to somebody is touched?",
            "The cache is asked before the search, but after two other steps.",
            "The grant comes first and keeping comes last; the filter stands right before the cut.",
        ),
        (
            Wrong(["make the key", "look up", "look at the grant", "search", "filter", "cut to k", "keep"], LOOK_FIRST),
            Wrong(["look at the grant", "make the key", "look up", "search", "cut to k", "filter", "keep"], CUT_FIRST),
            Wrong(["look at the grant", "look up", "make the key", "search", "filter", "cut to k", "keep"], KEY_LAST),
            Wrong(["look at the grant", "make the key", "look up", "search", "filter", "keep", "cut to k"], TOO_EARLY),
        ),
    ),
    "00.3": Exercise(
        "eligible first, then the cut",
        grade_visible,
        (
            "Two things happen: some ids are dropped, and the list is cut. Which comes first?",
            "Keep the order of `ranked`; a set has none.",
            "A list comprehension with an `if`, and then a slice of its result.",
        ),
        (
            Wrong(lambda ranked, sources, k: [source for source in ranked[:k] if source in sources], CUT_FIRST),
            Wrong(lambda ranked, sources, _k: [source for source in ranked if source in sources], NO_CUT),
            Wrong(lambda ranked, _sources, k: ranked[:k], NO_FILTER),
            Wrong(lambda ranked, sources, k: [s for s in reversed(ranked) if s in sources][:k], OTHER_ORDER),
        ),
    ),
}
