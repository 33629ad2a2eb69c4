// Package python supervises the Python processes that packages sandbox, host and pymethod start: it
// ensures that each process ends when this process ends, kills it with its whole process group, and
// keeps the end of its output. The package also embeds the Python package pacebench, which task
// files and method files import. The wheel contains the same files.
package python
