"""`python -m labkit` is `labkit`."""

from labkit.cli import main

if __name__ == "__main__":
    main()
