// Package python supervises the Python processes that packages host and sandbox start: it starts
// each so that it ends with this process, kills it with everything that it started, and keeps the
// end of what it printed. The package also embeds the Python module pacebench, which task files
// import and candidates' processes include. The wheel contains the same files.
package python
