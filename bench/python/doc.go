// Package python provides the Python that runs candidates: an interpreter of version 3.11 or
// later with NumPy. Start at Ensure. It makes the environment itself, from a lock with
// hashes, the first time it is needed, and keeps it in the user's cache directory. It runs no
// candidate and knows no task; what confines candidates is package sandbox.
package python
