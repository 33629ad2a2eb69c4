// Package draw draws what a policy of Racing Car sees, the 96×96 picture of Gymnasium's
// CarRacing-v3, from the state of its world. Every byte is the one that the stock drawing gives
// (gymnasium 1.2.3, pygame 2.6.1 on x86-64), which paints a surface of 1000×800 pixels with
// pygame and reduces it; a comparison with it in every episode and whole test episodes keep that
// true. Start with Renderer and State.
//
// The drawing is exact because each rule of the stock one is: float64 and float32 arithmetic
// rounded operation by operation (products are converted before they are added, since a compiler
// may fuse them otherwise), integer coordinates, SDL_gfx's and pygame's ways to fill a polygon,
// and the SSE code of pygame's smoothscale, all of them restated here as arithmetic.
//
// It is fast because most of the surface needs no pixels: see surface.
//
// The package knows nothing of Python, Gymnasium or the benchmark.
package draw
