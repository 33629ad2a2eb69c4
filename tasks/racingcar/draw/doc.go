// Package draw draws the observation of a policy of Racing Car, the 96×96 picture of Gymnasium's
// CarRacing-v3, from the state of its world. Every byte equals the stock drawing (gymnasium 1.2.3,
// pygame 2.6.1 on x86-64), which paints a surface of 1000×800 pixels with pygame and reduces it. A
// comparison in every episode and tests with whole episodes check this. Start with Renderer and
// State.
//
// The drawing is exact because it follows each rule of the stock drawing: float64 and float32
// arithmetic rounded operation by operation (products are converted before they are added, since a
// compiler may fuse them otherwise), integer coordinates, the polygon filling of SDL_gfx and
// pygame, and the SSE code of pygame's smoothscale, written as arithmetic.
//
// It is fast because most of the surface needs no pixels: see surface.
//
// The package does not depend on Python, Gymnasium or the benchmark.
package draw
