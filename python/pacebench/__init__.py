"""A benchmark harness for algorithm design by language models: tasks in Python."""
