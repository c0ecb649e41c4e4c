"""The first lab: authorize, search, filter, hand out, recheck; 04 to 07 teach it."""
