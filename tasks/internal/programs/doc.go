// Package programs is what all tasks say alike of programs: what they may import, and where those
// that ship with a task lie.
package programs
