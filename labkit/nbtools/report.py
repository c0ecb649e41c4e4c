"""One report in three spellings: text for people, JUnit for CI, annotations for GitHub."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import dataclass

from rich.console import Console

from labkit.nbtools.finding import Finding
from labkit.nbtools.rules import RULES

MOST = 3
"""How many findings of a notebook's first failing cell are shown."""

LONGEST = 300
"""How much of an expected or a received text is shown."""

LEAD = 40
"""How much of what two long texts share is shown in front of where they part."""

ENVIRONMENT = {"nbval-missing", "kernel-missing"}
"""Findings that say nothing of the notebook: the check itself could not be done."""

NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Checked:
    """One notebook, and what was found; what is only told does not fail it."""

    path: str
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that fail the gate."""
        return tuple(finding for finding in self.findings if finding.level == "error")


@dataclass(frozen=True)
class Report:
    """All notebooks in the order they were named."""

    notebooks: tuple[Checked, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that was found."""
        return tuple(finding for notebook in self.notebooks for finding in notebook.findings)

    @property
    def exit_code(self) -> int:
        """0 for nothing to mend, 1 for findings, 3 when the environment did not let the check be done."""
        rules = {finding.rule for finding in self.findings if finding.level == "error"}
        return 3 if rules & ENVIRONMENT else 1 if rules else 0


def print_report(report: Report, console: Console) -> None:
    """For each notebook its first failing cell with expected and got, the rest counted; then one line for all."""
    for notebook in report.notebooks:
        mark, style = ("FAIL", "red") if notebook.errors else ("ok", "green")
        _say(console, f"{mark:4} {notebook.path}", style)
        if notebook.errors:
            _say_first(console, notebook.errors)
        for finding in notebook.findings:
            if finding.level != "error":
                _say(
                    console,
                    f"     {finding.level}: {_line(finding)}; {finding.got} (wanted {finding.expected})",
                    "yellow",
                )
    failed = sum(bool(notebook.errors) for notebook in report.notebooks)
    errors = sum(len(notebook.errors) for notebook in report.notebooks)
    _say(console, f"{len(report.notebooks)} notebooks checked, {failed} failed, {errors} findings.", "bold")


def junit(report: Report) -> str:
    """A suite for each notebook, a case for each rule: what CI services show as tests."""
    root = ET.Element("testsuites", name="labkit check")
    for notebook in report.notebooks:
        by_rule: dict[str, list[Finding]] = {rule: [] for rule in RULES}
        for finding in notebook.errors:
            by_rule.setdefault(finding.rule, []).append(finding)
        failures = sum(bool(found) for found in by_rule.values())
        suite = ET.SubElement(
            root,
            "testsuite",
            name=_xml(notebook.path),
            tests=str(len(by_rule)),
            failures=str(failures),
            errors="0",
            skipped="0",
        )
        for rule, found in by_rule.items():
            case = ET.SubElement(suite, "testcase", classname=_xml(notebook.path), name=rule)
            if found:
                failure = ET.SubElement(case, "failure", type=rule, message=_xml(_line(found[0])))
                failure.text = _xml("\n\n".join("\n".join([_line(one), *_expected_and_got(one)]) for one in found))
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def github(report: Report) -> str:
    """One workflow command a finding, which GitHub shows at its line."""
    return "".join(f"{_annotation(finding)}\n" for finding in report.findings)


def _annotation(finding: Finding) -> str:
    text = "\n".join([_line(finding), *_expected_and_got(finding)])
    message = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    place = f"file={_property(finding.path)},line={finding.line},title={_property(f'labkit check: {finding.rule}')}"
    return f"::{finding.level} {place}::{message}"


def _property(text: str) -> str:
    for sign, code in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")):
        text = text.replace(sign, code)
    return text


def _say_first(console: Console, errors: tuple[Finding, ...]) -> None:
    first = [finding for finding in errors if finding.cell == errors[0].cell][:MOST]
    for finding in first:
        _say(console, f"     {_line(finding)}")
        for line in _expected_and_got(finding):
            _say(console, f"       {line}".replace("\n", f"\n{' ' * 16}"))
    rest = Counter(finding.rule for finding in errors) - Counter(finding.rule for finding in first)
    if rest:
        counted = ", ".join(f"{rule} {count}" for rule, count in rest.most_common())
        _say(console, f"     and {rest.total()} more: {counted}")


def _say(console: Console, text: str, style: str = "") -> None:
    # Markup and highlighting would eat brackets and colour numbers of a notebook's own text.
    console.print(text, style=style or None, markup=False, highlight=False, soft_wrap=not console.is_terminal)


def _line(finding: Finding) -> str:
    return f"{finding.cell or 'notebook'}: {finding.rule}: {finding.message}"


def _expected_and_got(finding: Finding) -> list[str]:
    both = list(zip(finding.expected, finding.got, strict=False))
    same = next((at for at, (one, other) in enumerate(both) if one != other), len(both))
    start = max(0, same - LEAD) if same > 2 * LEAD else 0  # long outputs mostly agree: begin where they part
    named = {"expected": finding.expected[start:], "got": finding.got[start:]}
    if start:
        named = {name: f"… {text}" for name, text in named.items()}
    return [f"{name:9}{_short(text)}" for name, text in named.items() if text]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text) - LONGEST:,} more characters)"


def _xml(text: str) -> str:
    return NO_XML.sub("\ufffd", text)
