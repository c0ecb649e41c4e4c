"""A snapshot whose every hash is derived again, and whose id moves when any document does."""

import copy
import hashlib

import pytest
from hostile import HostileDict, HostileList, HostileText

from labkit.canonical import canonical_hash
from labkit.corpus import corpus_of, document, load_corpus, synthetic
from labkit.errors import ConfigError
from labkit.fixtures import read_fixture
from labkit.search import tokens

TWO = "first line\nsecond line\nthird, with é"
NOTES = document("notes", "3.12", "https://notes.invalid/", TWO, [(1, 1), (2, 3)])


def file_shape():
    return corpus_of([NOTES, *load_corpus().documents]).as_json()


def test_four_summaries_have_the_published_lengths_and_counts_of_file(corpus):
    counted = {
        (passage.source_id, passage.version): (len(tokens(passage.text)), tokens(passage.text).count("file"))
        for passage in corpus.passages
    }

    assert counted.pop(("path-write", "3.9")) in [(31, count) for count in range(1, 32)]
    assert counted == {("json-text", "3.12"): (36, 2), ("path-read", "3.12"): (30, 3), ("path-write", "3.12"): (39, 2)}


def test_each_summary_is_one_line_and_names_the_page_it_sums_up(corpus):
    for passage in corpus.passages:
        assert "\n" not in passage.text
        assert passage.url.startswith(f"https://docs.python.org/{passage.version}/library/")


def test_newline_is_an_argument_only_where_that_version_has_it(corpus):
    texts = {document.version: document.text for document in corpus.documents if document.source_id == "path-write"}

    assert "newline" in texts["3.12"]
    assert "newline" not in texts["3.9"]


def test_loading_gives_back_what_the_file_says():
    assert load_corpus().as_json() == read_fixture("corpus.json")
    assert load_corpus(file_shape()).as_json() == file_shape()


def test_identities_are_hashes_of_the_fields_they_name():
    first = NOTES.passages[0]

    assert NOTES.source_sha256 == hashlib.sha256(TWO.encode()).hexdigest()
    assert NOTES.document_revision == canonical_hash(
        {
            "source_id": "notes",
            "version": "3.12",
            "url": "https://notes.invalid/",
            "source_sha256": NOTES.source_sha256,
        }
    )
    assert first.passage_id == canonical_hash(
        {
            "document_revision": NOTES.document_revision,
            "start_line": 1,
            "end_line": 1,
            "text_sha256": hashlib.sha256(b"first line").hexdigest(),
        }
    )
    assert corpus_of([NOTES]).corpus_id == canonical_hash([NOTES.document_revision])


def test_passage_of_several_lines_keeps_their_text_and_its_bytes():
    passage = NOTES.passages[1]

    assert passage.text == "second line\nthird, with é"
    assert passage.byte_count == len(passage.text.encode()) == len(passage.text) + 1


def test_document_without_spans_is_one_passage_of_all_its_lines():
    (passage,) = document("notes", "3.12", "https://notes.invalid/", TWO).passages

    assert (passage.start_line, passage.end_line, passage.text) == (1, 3, TWO)


def test_passage_has_eleven_fields(corpus):
    assert list(corpus.passages[0].as_json()) == [
        "passage_id",
        "source_id",
        "version",
        "document_revision",
        "source_sha256",
        "start_line",
        "end_line",
        "text_sha256",
        "byte_count",
        "text",
        "url",
    ]


def test_two_cuts_of_one_text_share_the_corpus_id_and_not_the_cut_id():
    whole = document("notes", "3.12", "https://notes.invalid/", TWO)

    assert corpus_of([whole]).corpus_id == corpus_of([NOTES]).corpus_id
    assert corpus_of([whole]).cut_id != corpus_of([NOTES]).cut_id


def test_cut_id_moves_with_any_document_and_not_with_their_order(corpus):
    more = corpus_of([*corpus.documents, NOTES])

    assert corpus_of(reversed(more.documents)).cut_id == more.cut_id != corpus.cut_id


def test_passage_is_found_by_its_id_and_an_unknown_id_is_an_error(corpus):
    assert corpus.passage(corpus.passages[2].passage_id) is corpus.passages[2]

    with pytest.raises(KeyError):
        corpus.passage("unknown")


@pytest.mark.parametrize(
    "changed",
    [
        document("notes", "3.12", "https://notes.invalid/", TWO + "."),
        document("notes", "3.13", "https://notes.invalid/", TWO),
        document("other", "3.12", "https://notes.invalid/", TWO),
        document("notes", "3.12", "https://notes.invalid/#moved", TWO),
    ],
    ids=["text", "version", "source", "url"],
)
def test_corpus_id_moves_with_any_part_of_a_document(corpus, changed):
    assert corpus_of([*corpus.documents, NOTES]).corpus_id != corpus_of([*corpus.documents, changed]).corpus_id


def test_corpus_id_moves_with_a_document_added_and_not_with_the_order(corpus):
    grown = corpus_of([*corpus.documents, NOTES])

    assert grown.corpus_id != corpus.corpus_id
    assert corpus_of(reversed(grown.documents)).corpus_id == grown.corpus_id


def changed_at(path, value):
    """The file's shape with one value in it put there instead."""
    data = copy.deepcopy(file_shape())
    *way, last = path
    place = data
    for step in way:
        place = place[step]
    place[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (["documents", 1, "text"], "another text", r"documents\[1\]\.source_sha256"),
        (["documents", 0, "text"], TWO.replace("é", "e"), r"documents\[0\]\.source_sha256"),
        (["documents", 2, "url"], "https://elsewhere.invalid/", r"documents\[2\]\.document_revision"),
        (["documents", 2, "version"], "3.11", r"documents\[2\]\.document_revision"),
        (["documents", 2, "source_id"], "path-other", r"documents\[2\]\.document_revision"),
        (["documents", 0, "source_sha256"], "0" * 64, r"documents\[0\]\.source_sha256"),
        (["documents", 0, "document_revision"], "0" * 64, r"documents\[0\]\.document_revision"),
        (["documents", 0, "passages", 1, "passage_id"], "0" * 64, r"documents\[0\]\.passages\[1\]\.passage_id"),
        (["documents", 0, "passages", 1, "text_sha256"], "0" * 64, r"documents\[0\]\.passages\[1\]\.text_sha256"),
        (["documents", 0, "passages", 1, "byte_count"], 25, r"documents\[0\]\.passages\[1\]\.byte_count"),
        (["documents", 0, "passages", 1, "byte_count"], 26.0, r"documents\[0\]\.passages\[1\]\.byte_count"),
        (["documents", 0, "passages", 1, "start_line"], 3, r"documents\[0\]\.passages\[1\]\.passage_id"),
        (["snapshot_id"], "0" * 64, r"snapshot\.snapshot_id"),
        (["schema_version"], 2, r"snapshot\.schema_version"),
        (["schema_version"], True, r"snapshot\.schema_version"),
        (["extra"], 1, "snapshot: the set of keys"),
        (["documents", 0, "extra"], 1, r"documents\[0\]: the set of keys"),
        (["documents", 0, "passages", 0, "extra"], 1, r"documents\[0\]\.passages\[0\]: the set of keys"),
    ],
)
def test_first_entry_that_differs_is_named_and_nothing_is_served(path, value, named):
    with pytest.raises(ConfigError, match=f"^broken_snapshot: {named} is not what its content gives$"):
        load_corpus(changed_at(path, value))


SECOND = r"documents\[0\]\.passages\[1\]"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "snapshot: not the shape"),
        (3, "snapshot: not the shape"),
        (HostileDict(file_shape()), "snapshot: not the shape"),
        (changed_at(["documents"], HostileList()), "snapshot: not the shape"),
        (changed_at(["documents", 2], HostileDict()), r"documents\[2\]: not the shape"),
        (changed_at(["documents", 1, "text"], HostileText("a")), r"documents\[1\]: .*text, not empty"),
        (changed_at(["documents", 0, "passages"], HostileList()), r"documents\[0\]: not the shape"),
        (changed_at(["documents", 0, "passages", 1], HostileDict()), rf"{SECOND}: not the shape"),
        ({}, "snapshot: no documents"),
        (changed_at(["documents"], 3), "snapshot: not the shape"),
        (changed_at(["documents", 2], {}), r"documents\[2\]: no source_id"),
        (changed_at(["documents", 2], 3), r"documents\[2\]: not the shape"),
        (changed_at(["documents", 1, "text"], 3), r"documents\[1\]: .*text, not empty"),
        (changed_at(["documents", 1, "version"], ""), r"documents\[1\]: .*text, not empty"),
        (changed_at(["documents", 1, "text"], "\ud800"), r"documents\[1\]: not the shape"),
        (changed_at(["documents", 1, "passages"], None), r"documents\[1\]: not the shape"),
        (changed_at(["documents", 0, "passages", 1], {}), rf"{SECOND}: no start_line"),
        (changed_at(["documents", 0, "passages", 1], 3), rf"{SECOND}: not the shape"),
        (changed_at(["documents", 0, "passages", 1, "start_line"], value=True), rf"{SECOND}: .*whole numbers"),
        (changed_at(["documents", 0, "passages", 1, "end_line"], 3.0), rf"{SECOND}: .*whole numbers"),
        (changed_at(["documents", 0, "passages", 1, "start_line"], 0), rf"{SECOND}: .*lines 0 to 3 in a text of 3"),
        (changed_at(["documents", 0, "passages", 1, "end_line"], 4), rf"{SECOND}: .*lines 2 to 4 in a text of 3"),
        (changed_at(["documents", 0, "passages", 1, "end_line"], 1), rf"{SECOND}: .*lines 2 to 1 in a text of 3"),
        (changed_at(["documents", 0, "passages", 1, "end_line"], 10**5000), rf"{SECOND}: not the shape"),
        (
            changed_at(["documents", 0], file_shape()["documents"][1]),
            r".*one source and one version \(json-text, 3\.12\)",
        ),
        (
            changed_at(["documents", 0, "passages", 1], file_shape()["documents"][0]["passages"][0]),
            r".*\(notes, line 1\) with the same lines",
        ),
    ],
)
def test_what_is_no_snapshot_is_refused_with_one_clear_error(data, said):
    with pytest.raises(ConfigError, match=rf"^broken_snapshot: {said}"):
        load_corpus(data)


def test_synthetic_corpus_is_the_same_for_the_same_seed():
    assert synthetic(25, seed=1).corpus_id == synthetic(25, seed=1).corpus_id
    assert synthetic(25, seed=1).corpus_id != synthetic(25, seed=2).corpus_id


def test_synthetic_corpus_has_as_many_passages_as_asked_and_two_versions():
    made = synthetic(203)

    assert len(made.passages) == 203
    assert [each.version for each in made.documents].count("3.9") == 2
    assert sorted(made.sources)[:2] == ["s00000", "s00001"]


def test_each_word_of_a_synthetic_corpus_stands_in_about_five_in_a_hundred_passages():
    made = synthetic(4000)

    share = sum("w007" in passage.text.split() for passage in made.passages) / 4000

    assert 0.04 < share < 0.06


def test_repr_is_short(corpus):
    assert repr(corpus) == f"Corpus(4 documents, 4 passages, {corpus.corpus_id[:8]})"
