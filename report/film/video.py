"""Encodes frames as an MP4 video with OpenCV's own FFmpeg."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

# The best codec is first. OpenCV's wheels cannot encode H.264, but a system's own build may.
CODECS = {"avc1": "H.264", "mp4v": "MPEG-4 Part 2"}


def encode(job: dict[str, int], ask: Callable[..., Sequence[Any]]) -> list[Any]:
    """Return a video of the frames that ask() returns, and the name of its codec.

    A frame is an RGB array of uint8 with the shape (height, width, 3). The video ends when ask()
    returns no frame.
    """
    cv2.setLogLevel(0)  # otherwise it prints a message about each missing codec
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "video.mp4")
        for code, codec in CODECS.items():
            writer = cv2.VideoWriter(
                path,
                cv2.CAP_FFMPEG,
                cv2.VideoWriter.fourcc(*code),
                job["fps"],
                (job["width"], job["height"]),
            )
            if writer.isOpened():
                break
        else:
            message = "OpenCV has none of these encoders: " + ", ".join(CODECS.values())
            raise RuntimeError(message)
        while frames := ask():
            writer.write(np.ascontiguousarray(np.asarray(frames[0])[..., ::-1]))
        writer.release()
        video = np.fromfile(path, dtype=np.uint8)
    return [video, np.frombuffer(codec.encode(), dtype=np.uint8)]
