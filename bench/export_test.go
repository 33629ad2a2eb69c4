package bench

// FreeBytes points to the number of bytes that a search may write without paid work.
var FreeBytes = &freeBytes
