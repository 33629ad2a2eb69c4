// Package mles is MLES with a cold start (Hu et al., ICLR 2026): EoH with eyes. Two of its four
// operators show the model a picture of how the parent behaved. It follows llm4ad/method/mles of
// LLM4AD at e8d848f, which the PACE paper ran, with the settings of its appendix;
// docs/methods/mles.md lists what differs and why. Start at MLES and New.
package mles
