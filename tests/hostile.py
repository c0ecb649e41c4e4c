"""Values of a caller's own types, whose every method raises: none of them may run, and none may be a crash."""

from typing import Any

PRIVATE = "private: a caller's own words"


def hostile(kind: type) -> type[Any]:
    """A subclass of this type in which all that the type can be asked raises, but for its hash."""

    def raises(*_: Any) -> Any:
        raise RuntimeError(PRIVATE)

    kept = {"__new__", "__init__", "__hash__", "__class__", "__getattribute__", "__init_subclass__", "__subclasshook__"}
    own = {name: raises for name in dir(kind) if name not in kept}
    return type(f"Hostile{kind.__name__}", (kind,), own | {"__hash__": kind.__hash__})


HostileDict, HostileList, HostileText = hostile(dict), hostile(list), hostile(str)


class Disguised:
    """An object that does not say what it is."""

    @property
    def __class__(self) -> Any:
        raise RuntimeError(PRIVATE)
