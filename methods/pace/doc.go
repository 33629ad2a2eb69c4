// Package pace is Primitive-Aware Code Evolution. It searches for complete algorithms and, beside
// them, keeps executable algorithmic primitives (EAPs): small functions that outlive the program
// they came from and are handed to others. Four operators insert, replace, keep and recombine
// the EAPs that a program calls; each carries a contract over calls that is verified before
// anything is evaluated. Whether a child beats its own parent is the evidence by which Thompson
// sampling chooses the next EAP to hand on. Start at PACE and New; search.go is the procedure of
// the paper's appendix. docs/methods/pace.md lists the decisions taken where the paper is silent.
package pace
