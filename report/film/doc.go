// Package film turns the frames of an episode into files that people look at: a GIF, an MP4, a
// strip of frames. It knows nothing of tasks and programs. Start at Image, GIF, Strip and Video.
package film
