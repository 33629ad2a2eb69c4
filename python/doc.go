// Package py supervises the Python processes of packages host and sandbox: it starts them, so
// that they end with this process, kills them with all that they start, and keeps their last words.
package python
