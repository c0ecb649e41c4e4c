"""What goes wrong, and whom it answers.

LabError                 a stable `code`, and the rule in words
├── Refusal              answers a caller; `service` gives each code one HTTP status
├── ConfigError          answers whoever starts the lab; never reaches a caller
└── NotCanonical         a value that JSON cannot say (also a ValueError)
"""

REFUSALS = {
    "unauthenticated": "one Authorization header, `Bearer` and a known token",
    "collection_denied": "the principal holds no grant on this collection",
    "invalid_handle": "a handle is an object",
    "unissued_or_expired_handle": "the handle is not one this process holds: never issued, evicted or expired",
    "handle_binding_mismatch": "the handle differs from the issued copy, or from who asks now",
    "invalid_request": "the request does not have the form this lab accepts",
    "tool_failure": "the retrieval tool failed; nothing was returned or kept",
    "not_found": "the path is not one that this lab answers",
    "method_not_allowed": "each path is asked by POST",
    "unsupported_media_type": "one Content-Type, application/json, in UTF-8",
    "body_too_large": "a body holds at most 16 KiB, whatever was declared",
    "internal_error": "the lab itself failed; the reply does not say how",
}

CONFIG_ERRORS = frozenset(
    {
        "invalid_policy",
        "empty_policy",
        "invalid_collection",
        "invalid_grants",
        "invalid_tokens",
        "invalid_capacity",
        "invalid_ttl",
        "invalid_handle_limits",
        "broken_fixture",
        "broken_snapshot",
        "snapshot_cut_anew",
        "port_taken",
        "no_server",
    }
)


class LabError(Exception):
    """Everything the lab raises on purpose; `code` is the contract, `rule` is for people."""

    def __init__(self, code: str, rule: str):
        super().__init__(f"{code}: {rule}")
        self.code = code
        self.rule = rule


class Refusal(LabError):
    """A caller is told no; the rule may be said more closely than the code's own, never with a caller's text."""

    def __init__(self, code: str, rule: str = ""):
        super().__init__(code, rule or REFUSALS[code])


class ConfigError(LabError):
    """The lab is set up wrongly and does not start; `rule` names the entry and what was wanted."""

    def __init__(self, code: str, rule: str):
        if code not in CONFIG_ERRORS:
            raise KeyError(code)  # a misspelt code would be a contract nobody wrote
        super().__init__(code, rule)


class NotCanonical(LabError, ValueError):
    """The value has no canonical form; the message names a type, never the value."""

    def __init__(self, rule: str):
        super().__init__("not_canonical", rule)
