"""What the lessons show of HTTP is what real servers answer now, byte for byte."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from labkit.access.policy import load_policy
from labkit.canonical import canonical_bytes, canonical_hash
from labkit.corpus import load_corpus
from labkit.driver import record
from labkit.driver.cases import LABS, exchanges, published
from labkit.driver.record import MODES, departures, line, spelled
from labkit.fixtures import REPOSITORY, read_fixture

PROXIES = dict.fromkeys(["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"], "http://127.0.0.1:9")
PROXIES |= {"no_proxy": "", "NO_PROXY": ""}
"""A machine on which everything is to go through a proxy; there is none."""
KEPT = {lab: read_fixture(f"observations/{lab}.json") for lab in LABS}


@pytest.fixture(params=LABS)
def lab(request):
    return request.param


def observation(lab, name):
    return next(each for each in KEPT[lab]["observations"] if each["name"] == name)


def test_recording_made_now_is_the_kept_one_byte_for_byte(lab, tmp_path):
    command = [sys.executable, "-m", "labkit", "record", lab, "--output", str(tmp_path / "mine.json")]

    ran = subprocess.run(command, env=os.environ | PROXIES, capture_output=True, text=True, check=False, timeout=120)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [line(each) for each in KEPT[lab]["observations"]]
    assert (tmp_path / "mine.json").read_bytes() == (REPOSITORY / "observations" / f"{lab}.json").read_bytes()


def test_every_case_came_out_with_its_published_status_and_outcome(lab):
    assert departures(lab, KEPT[lab]) == []


def test_recording_says_how_it_was_made(lab):
    recording = dict(KEPT[lab])
    observations = recording.pop("observations")

    assert recording == {"schema_version": 1, "mode": MODES[lab], "model_called": False}
    assert [each["name"] for each in observations] == [each.name for each in exchanges(lab)]
    assert {tuple(each) for each in observations} == {("name", "method", "path", "status_code", "body")}


def test_case_that_departs_is_told_by_its_name(lab):
    recording = read_fixture(f"observations/{lab}.json")
    recording["observations"][0]["status_code"] = 418
    recording["observations"][0]["body"] = {"error": {"code": "teapot"}}

    (sentence,) = departures(lab, recording)

    assert sentence.startswith(f"{recording['observations'][0]['name']}: wanted HTTP ")
    assert sentence.endswith("came HTTP 418, teapot")


def test_published_hits_are_found_with_their_published_scores():
    for row in published("access"):
        if "hits" in row:
            results = observation("access", row["case"])["body"]["results"]
            assert [{name: each[name] for name in row["hits"][i]} for i, each in enumerate(results)] == row["hits"]


def test_every_hash_in_a_recorded_body_verifies():
    read = dict(observation("access", "authorized_read")["body"])

    assert read.pop("result_sha256") == canonical_hash(read)
    for each in KEPT["access"]["observations"]:
        if "results" in (search := each["body"]):
            asked = {name: search[name] for name in ("principal", "policy_id", "corpus_id", "request")}
            ids = [search["search_request_id"], *(handle["search_request_id"] for handle in search["results"])]
            assert set(ids) == {canonical_hash(asked)}
    for each in KEPT["results"]["observations"]:
        if "result" in each["body"]:
            result = dict(each["body"]["result"])
            assert result.pop("result_sha256") == canonical_hash(result)
            parts = ("principal", "policy_id", "corpus_id", "request", "pipeline")
            assert each["body"]["cache_key"] == canonical_hash({name: result[name] for name in parts})


def test_every_passage_corpus_and_policy_named_in_a_recorded_body_is_the_one_of_the_fixtures(lab):
    corpus = load_corpus()
    whole = {"corpus_id": corpus.corpus_id, "policy_id": load_policy(corpus).policy_id}

    for said in objects([each["body"] for each in KEPT[lab]["observations"]]):
        passage = corpus.passage(said["passage_id"]).as_json() if "passage_id" in said else {}
        known = {name: value for name, value in (whole | passage).items() if name in said}
        assert known == {name: said[name] for name in known}
        if "text" in said:
            assert hashlib.sha256(said["text"].encode()).hexdigest() == said["text_sha256"]


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a value, at any depth."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from objects(each)


def test_recorded_read_is_of_the_recorded_search():
    handle = observation("access", "authorized_search")["body"]["results"][0]
    read = observation("access", "authorized_read")["body"]

    assert handle.items() <= read.items()
    assert read["text"]


def test_hit_says_what_the_miss_before_it_said_and_so_does_the_miss_after_its_death():
    names = ("first_miss", "normalized_hit", "real_ttl_expired_miss")
    first, hit, late = (observation("results", name)["body"] for name in names)

    assert first["result"] == hit["result"] == late["result"]
    assert [body["cache"] for body in (first, hit, late)] == ["miss", "hit", "miss"]


def test_nothing_secret_and_nothing_of_the_machine_is_recorded(lab):
    text = spelled(KEPT[lab])

    for word in ("token", "private", "127.0.0.1", "Bearer", str(REPOSITORY)):
        assert word not in text


def test_refused_bodies_are_a_code_and_nothing_else(lab):
    for each in KEPT[lab]["observations"]:
        if each["status_code"] != 200:
            assert canonical_bytes(each["body"]) == b'{"error":{"code":"%s"}}' % each["body"]["error"]["code"].encode()


def test_recording_is_kept_in_the_place_that_lessons_read_and_pinned(lab, tmp_path, monkeypatch):
    monkeypatch.setattr(record, "REPOSITORY", tmp_path)

    record.keep(lab, KEPT[lab])
    record.keep(lab, KEPT[lab], tmp_path / "elsewhere" / "mine.json")

    kept = (REPOSITORY / "observations" / f"{lab}.json").read_bytes()
    assert (tmp_path / "observations" / f"{lab}.json").read_bytes() == kept
    assert (tmp_path / "elsewhere" / "mine.json").read_bytes() == kept
    pinned = json.loads((tmp_path / "MANIFEST.json").read_text())["sha256"]
    assert pinned == {f"observations/{lab}.json": hashlib.sha256(kept).hexdigest()}


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        ({"name": "first_miss", "status_code": 200, "body": {"cache": "miss"}}, "first_miss: HTTP 200 cache=miss"),
        ({"name": "unknown_identity", "status_code": 401, "body": {"error": {}}}, "unknown_identity: HTTP 401"),
        ({"name": "authorized_search", "status_code": 200, "body": {"results": []}}, "authorized_search: HTTP 200"),
    ],
)
def test_each_case_is_a_line(seen, told):
    assert line(seen) == told
