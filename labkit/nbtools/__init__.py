"""The machinery that keeps every lesson true: run the notebooks, record them in one form, prove what is recorded."""
