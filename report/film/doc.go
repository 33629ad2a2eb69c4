// Package film turns the frames of an episode into a GIF, an MP4 or a strip of frames. It knows
// nothing about tasks and programs. Start at Image, GIF, Strip and Video.
package film
