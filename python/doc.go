// Package python supervises the Python processes that packages sandbox, host and pymethod start: it
// starts each process so that the process ends with this one, kills it together with all its
// descendants, and keeps the end of its output. The package also embeds the Python module
// pacebench, which task files import and candidates' processes include. The wheel contains the same
// files.
package python
