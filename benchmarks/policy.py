"""Authorize and name the policy, for a thousand principals: `python -m benchmarks.policy`."""

from benchmarks.by_the_letter import canonical_hash, policy
from benchmarks.measure import at_least, best_times, report
from labkit.access.authorize import authorize
from labkit.access.policy import load_policy
from labkit.corpus import corpus_of, document

PRINCIPALS = 1_000


def main() -> None:
    """Measure the row and print it."""
    told = policy(PRINCIPALS)
    names = sorted({source for listed in told["collections"].values() for source in listed})
    corpus = corpus_of(document(name, "3.12", "https://synthetic.invalid/", name) for name in names)
    loaded = load_policy(corpus, {**told, "description": "synthetic"})

    def by_the_letter() -> tuple[bool, str]:
        return "c7" in told["grants"]["p1"], canonical_hash(told)

    def ours() -> tuple[frozenset[str], str]:
        return authorize(loaded, "p1", "c7"), loaded.policy_id

    slow, quick = best_times(by_the_letter, ours)
    work = f"authorize and policy id, {PRINCIPALS:,} principals"
    report("Policy", [at_least(work, "hash the policy on each use", 100, slow / quick)])


if __name__ == "__main__":
    main()
