// Package pytext reads, changes and writes Python text without running it: tokens (Lex),
// the statements of a function's body with the names that they bind and read (Statements), sums and
// products (Split, Join), and functions (ReadFunction, Functions).
//
// It works on text that a language model wrote, valid or not: every function accepts any string,
// and what is not Python ends up in some token or statement. Where exact answers count,
// package program asks CPython; this package only has to be right often enough to vary programs.
package pytext
