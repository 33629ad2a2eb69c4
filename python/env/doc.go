// Package pyenv provides the Python that runs candidates: an interpreter of version 3.11 or later
// with NumPy and usually SciPy. Start at Ensure, which makes the environment from a lock with
// hashes the first time that it is needed, and keeps it in the user's cache directory. There are
// two locks (see Locks): "paper" has NumPy 1.26, as the paper's candidates had, and "current" has
// NumPy 2, which newer Pythons need. The package runs no candidate and knows no task; package
// sandbox confines candidates.
package pyenv
