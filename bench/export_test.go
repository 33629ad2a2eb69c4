package bench

// FreeBytes is how much a search writes at no cost.
var FreeBytes = &freeBytes
