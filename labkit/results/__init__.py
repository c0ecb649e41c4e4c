"""The second lab: reuse a completed retrieval, and nothing else; 08 to 10 teach it."""
