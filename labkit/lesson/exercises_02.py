"""Predictions and exercises of 02_corpus."""

import random
from dataclasses import replace
from typing import Any

from labkit.corpus import Corpus, Document, Passage, corpus_of, document
from labkit.lesson.exercise import Exercise, Failure, Unanswered, Wrong, as_list, call, is_each_once, is_like, made_of
from labkit.lesson.predict import Prediction

PREDICTIONS = {
    "02.A": Prediction(
        "a passage carries where it came from",
        {
            "the text of 3.12": "the newest version wins; but a dictionary knows no versions, "
            "it keeps what was put in last",
            "the text of 3.9": "the last one put in replaces the one before; it does",
            "both texts": "one name can hold two texts; a key of a dictionary holds one value",
            "refused": "a name that is taken is an error; a dictionary replaces in silence",
        },
    ),
    "02.B": Prediction(
        "a passage is named by its document and its lines",
        {
            "the first alone": "a passage is named by its own text; "
            "then the same line in two documents, or in two versions, would share an id",
            "both": "a passage's id holds its document's revision; it does",
            "neither": "the id names a place, so the text is no part of it; "
            "then an old id would be answered with a new text",
        },
    ),
    "02.C": Prediction(
        "derive again and compare",
        {
            "served": "the text and its digest are right, and that is enough; "
            "but then a true text is quoted under an address that never said it",
            "served without that document": "the other documents are not to blame; "
            "but the snapshot's id names all of them, and a rest under that name is another snapshot",
            "refused": "the address is a part of what the revision is made from; it is",
        },
    ),
    "02.D": Prediction(
        "consistent is not signed",
        {
            "refused": "digests protect a text from being changed; "
            "they show a change only to someone who kept the old digest",
            "served under the same corpus id": "the id belongs to the snapshot and stays with it; "
            "but it is made from the content, so it cannot stay",
            "served under another corpus id": "whoever derives every digest again has a snapshot that fits; so it is",
        },
    ),
}

STEPS = {
    "source_sha256": (),
    "text_sha256": (),
    "document_revision": ("source_sha256",),
    "passage_id": ("document_revision", "text_sha256"),
    "corpus_id": ("document_revision",),
}
"""Each identity, and the identities that it is made from."""

NOTHING: list[tuple[str, str]] = []
NOTES = {"source_id": "notes", "version": "3.12", "url": "https://notes.invalid", "text": "one line"}
SHUFFLED = ["corpus_id", "passage_id", "text_sha256", "document_revision", "source_sha256"]
TEXT_MOVED = "a revision moves only with the text; but version and address are parts of it too"
NO_FIELDS = "any fields will do; a document has these, and each is text: as a number, version 3.10 would be 3.1"
ALL_STAYS = "the order of fields is part of a document; it is not, each field has its place"
EARLY = "an identity may be given before what it is made from; then it names nothing yet"
BY_TEXT = "a passage is named by its text alone; then a line that stands in two documents has one id for both"
STEP_LOST = "some step is of no use; each of the five is carried by a passage or its snapshot"
NAME_ONLY = "a source is one document; but it has one for each version, and the last one hides the others"
TEXT_ONLY = "a document has changed when its text has; but a new address or version is a new document too"
PLACE = "documents stand at the same place in every snapshot; their order is no part of it"
WHOLE = "the snapshot's id tells what changed; it tells only that something did"
SUBSTRING = "words that stand in a page came from that page; they may stand in another version of it as well"
NO_LINES = "the document's identity is enough; but the passage also says which lines"
BELIEVED = "what a passage says of itself is true; a passage is a claim until it is derived again"
ONE_CUT = "a page is cut into passages in one way only; another cut of the same lines is as true"


def grade_revision_moves_digest_stays(answer: Any, _rng: random.Random) -> Failure | None:
    if repr(answer) == repr(NOTES):
        raise Unanswered
    strange = Failure("`mine`", "the fields of the stub, each a text", NO_FIELDS)
    if not is_like(answer, NOTES):
        return strange
    was, now = document(**NOTES), made_of(lambda: document(**answer), strange)
    if now.source_sha256 != was.source_sha256:
        return Failure("the digest of the text", "the same as before", TEXT_MOVED)
    if now.document_revision == was.document_revision:
        return Failure("the revision", "another one than before", ALL_STAYS)
    return None


def grade_order(answer: Any, _rng: random.Random) -> Failure | None:
    if answer == SHUFFLED:
        raise Unanswered
    if not is_each_once(answer, STEPS):
        return Failure("the list", "each of the five names, once", STEP_LOST)
    for name, parts in STEPS.items():
        late = [part for part in parts if answer.index(part) > answer.index(name)]
        if late:
            thought = BY_TEXT if name == "passage_id" and "text_sha256" not in late else EARLY
            return Failure(f"{name}, derived before {late[0]}", f"{late[0]} first: {name} is made from it", thought)
    return None


def grade_changed(answer: Any, rng: random.Random) -> Failure | None:
    kept = _page(rng, "kept", "3.12")
    old, new = _page(rng, "page", "3.9"), _page(rng, "page", "3.12")
    edited = document(old.source_id, old.version, old.url, old.text + "!")
    moved = document(old.source_id, old.version, old.url + "?", old.text)
    before = corpus_of([old, kept, new])
    for after, wanted, thought in [
        (corpus_of([old, kept, new]), NOTHING, NAME_ONLY),
        (corpus_of([kept, new, old]), NOTHING, PLACE),
        (corpus_of([edited, kept, new]), [("page", "3.9")], WHOLE),
        (corpus_of([moved, kept, new]), [("page", "3.9")], TEXT_ONLY),
    ]:
        got = call(answer, before, after, case="two snapshots")
        if not isinstance(got, list) or list(map(as_list, got)) != list(map(as_list, wanted)):
            told = "that differ in version 3.9 of one page" if wanted else "of the same documents"
            return Failure(f"two snapshots {told}", f"{wanted}", thought)
    return None


def grade_cites(answer: Any, rng: random.Random) -> Failure | None:
    page = _page(rng, "page", "3.12")
    older = document(page.source_id, "3.9", page.url, page.text)
    whole, line = (_cut(page, span) for span in [(1, 3), (2, 2)])
    for passage, wanted, told, thought in [
        (_cut(older, (2, 2)), False, "a passage of the same words, of version 3.9", SUBSTRING),
        (replace(line, text=line.text + "!"), False, "a passage whose text was changed, and nothing else", BELIEVED),
        (replace(line, start_line=1, end_line=1), False, "a passage of line 2 that says line 1", NO_LINES),
        (replace(line, text_sha256=whole.text_sha256), False, "a passage with another passage's digest", BELIEVED),
        (replace(line, passage_id=whole.passage_id), False, "a passage with another passage's id", BELIEVED),
        (replace(line, byte_count=whole.byte_count), False, "a passage with another passage's size", BELIEVED),
        (whole, True, "the whole page as one passage", ONE_CUT),
        (line, True, "line 2 of the page", ONE_CUT),
    ]:
        if bool(call(answer, passage, page, case=told)) is not wanted:
            return Failure(told, f"{wanted}", thought)
    return None


def _page(rng: random.Random, source_id: str, version: str) -> Document:
    """A page of three lines that differ, cut line by line."""
    lines = [f"{word} {rng.randint(10, 99)}" for word in rng.sample(["read", "write", "open", "close", "seek"], 3)]
    url = f"https://pages.invalid/{version}/{source_id}"
    return document(source_id, version, url, "\n".join(lines), [(line, line) for line in (1, 2, 3)])


def _cut(page: Document, span: tuple[int, int]) -> Passage:
    return document(page.source_id, page.version, page.url, page.text, [span]).passages[0]


def _changed_by_name(before: Corpus, after: Corpus) -> list[tuple[str, str]]:
    old = {each.source_id: each.document_revision for each in before.documents}
    return [(each.source_id, each.version) for each in after.documents if each.document_revision != old[each.source_id]]


def _changed_by_text(before: Corpus, after: Corpus) -> list[tuple[str, str]]:
    old = {each.text for each in before.documents}
    return [(each.source_id, each.version) for each in after.documents if each.text not in old]


def _changed_by_place(before: Corpus, after: Corpus) -> list[tuple[str, str]]:
    pairs = zip(before.documents, after.documents, strict=True)
    return [(new.source_id, new.version) for old, new in pairs if new != old]


def _changed_as_a_whole(before: Corpus, after: Corpus) -> list[tuple[str, str]]:
    same = before.corpus_id == after.corpus_id
    return [] if same else [(each.source_id, each.version) for each in after.documents]


def _again(passage: Passage, page: Document) -> Passage:
    return _cut(page, (passage.start_line, passage.end_line))


EXERCISES = {
    "02.1": Exercise(
        "a revision is more than a text",
        grade_revision_moves_digest_stays,
        (
            "The digest is made from one field. The revision is made from more.",
            "Look at the table of changes: which row moves the revision and leaves the text's digest?",
            "Leave `text` alone, and change the version.",
        ),
        (
            Wrong(NOTES | {"text": "1"}, TEXT_MOVED),
            Wrong(NOTES | {"version": 3.9}, NO_FIELDS),
            Wrong({"source_id": "notes", "text": "one line"}, NO_FIELDS),
            Wrong(dict(reversed(NOTES.items())), ALL_STAYS),
        ),
    ),
    "02.2": Exercise(
        "a passage is named by its document and its lines",
        grade_order,
        (
            "Which of the five is made from a text alone?",
            "A passage's id is made from its document's revision, its lines and its text's digest.",
            "Begin with the two digests of texts; then the document; what is left is made from the document.",
        ),
        (
            Wrong(["text_sha256", "passage_id", "source_sha256", "document_revision", "corpus_id"], BY_TEXT),
            Wrong(["corpus_id", "source_sha256", "document_revision", "text_sha256", "passage_id"], EARLY),
            Wrong(["document_revision", "source_sha256", "text_sha256", "passage_id", "corpus_id"], EARLY),
            Wrong(["source_sha256", "document_revision", "passage_id", "corpus_id"], STEP_LOST),
        ),
    ),
    "02.3": Exercise(
        "a passage carries where it came from",
        grade_changed,
        (
            "Ask `changed(corpus, corpus)`. What should come back, and what does?",
            "Which documents of the fixture share a key in `old`?",
            "Put the revisions of `before` in a set; a document of `after` with a revision outside it has changed.",
        ),
        (
            Wrong(_changed_by_name, NAME_ONLY),
            Wrong(_changed_by_text, TEXT_ONLY),
            Wrong(_changed_by_place, PLACE),
            Wrong(_changed_as_a_whole, WHOLE),
        ),
    ),
    "02.4": Exercise(
        "derive again and compare",
        grade_cites,
        (
            "A passage is a claim. What can you derive from the page, without believing the passage?",
            "Cut the page at the lines that the passage names. What must then be equal?",
            "Make the document anew, with the passage's lines as its one span; compare its passage with yours.",
        ),
        (
            Wrong(lambda passage, page: passage.text in page.text, SUBSTRING),
            Wrong(lambda passage, page: passage.text == _again(passage, page).text, SUBSTRING),
            Wrong(lambda passage, page: passage.document_revision == page.document_revision, BELIEVED),
            Wrong(
                lambda passage, page: passage.document_revision == page.document_revision and passage.text in page.text,
                NO_LINES,
            ),
            Wrong(lambda passage, page: passage in page.passages, ONE_CUT),
            Wrong(
                lambda passage, page: replace(_again(passage, page), passage_id=passage.passage_id) == passage, BELIEVED
            ),
        ),
    ),
}
