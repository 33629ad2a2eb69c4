package bench

// FreeBytes is how many bytes a search may write at no cost.
var FreeBytes = &freeBytes
