"""Writes pictures as a video that plays everywhere: H.264 (yuv420p) in MP4."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.error import InputError, reason_of
from dorosim.recording.saver import check_place

SUFFIX = ".mp4"
BT709 = 1
"""Code of the colours of HD television (ITU-T H.273); players take it for granted at such sizes."""
OPTIONS = {"crf": "20", "preset": "veryfast", "threads": "2", "x264-params": "mbtree=0"}
"""Of x264, quick enough for real time beside the rays. The bytes depend on the number of threads, and with the tree of
macroblocks (whose AVX-512 code reads memory that was never written) on what was in the memory before: the same pictures
would not give the same file."""
MIN_SIDE, MAX_SIDE = 16, 4096
"""Of a picture, as encoders take it [pixels]."""
MAX_FPS = 120
"""Most pictures a second."""
MAX_WAITING = 2
"""Pictures that wait for the encoder at most."""


def load_library() -> Any:
    """PyAV.

    Raises:
        InputError: it is not installed (the extra `video`).
    """
    try:
        import av
    except ImportError as missing:
        cure = "install it with: pip install 'dorosim[video]'"
        raise InputError("video", "", "PyAV is needed to write videos and is not installed", cure) from missing
    return av


def check_video(path: Path, fps: int) -> None:
    """Refuse what no video can be, before the work that is to go into it.

    Raises:
        InputError: the library is missing, the suffix is another, the file cannot be written, or the rate is none.
    """
    load_library()
    if path.suffix != SUFFIX:
        raise InputError(str(path), "", f"files of type {path.suffix!r} cannot be written", "end the name in .mp4")
    if not 1 <= fps <= MAX_FPS:
        raise InputError("--fps", "", f"{fps} pictures a second", f"give 1 to {MAX_FPS}")
    check_place(path)


def check_size(source: str, width: int, height: int) -> None:
    """Refuse sizes that H.264 in yuv420p cannot have.

    Args:
        source: the option or file that gives the size, for messages.
        width: of the pictures [pixels].
        height: of them.

    Raises:
        InputError: with the nearest size that can be.
    """
    inside = all(MIN_SIDE <= side <= MAX_SIDE for side in (width, height))
    if not inside:
        cure = f"give --size with {MIN_SIDE} to {MAX_SIDE} pixels a side"
        raise InputError(source, "", f"no video is {width}x{height} pixels", cure)
    if width % 2 or height % 2:
        cure = f"give --size {width + width % 2}x{height + height % 2}"
        raise InputError(source, "", f"a video of {width}x{height} pixels would have an odd side", cure)


class VideoWriter:
    """Writes a video, whole or not at all: what is left by an error leaves no file.

    It encodes on a thread of its own, so that the next picture is made meanwhile.

    Args:
        path: the file; one that is there is replaced when the video is complete.
        width, height: of all pictures [pixels], both even.
        fps: pictures a second.

    Raises:
        InputError: the library is missing, or the file cannot be written.

    Attributes:
        count: pictures that were written.
    """

    def __init__(self, path: Path, width: int, height: int, fps: int) -> None:
        av = load_library()
        self._path = Path(os.path.realpath(path))
        self._part = self._path.with_name(f".{self._path.name}.{os.getpid()}.part")
        self._av = av
        self.count = 0
        self._encoding = ThreadPoolExecutor(1, "dorosim-video")
        self._waiting: deque[Future[None]] = deque()
        try:
            self._container = av.open(str(self._part), "w", format="mp4", options={"movflags": "+faststart"})
        except OSError as error:
            raise self._problem(error) from None
        stream: Any = self._container.add_stream("libx264", rate=fps, options=OPTIONS)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        context = stream.codec_context
        context.colorspace = context.color_primaries = context.color_trc = BT709
        context.color_range = 1  # that of television, 16 to 235
        self._stream = stream

    def add(self, image: NDArray[np.uint8]) -> None:
        """Write a picture `(H, W, 3)` sRGB, which must not change any more.

        Raises:
            InputError: the disk is full, or the like, at this picture or one before.
        """
        while len(self._waiting) >= MAX_WAITING:
            self._waiting.popleft().result()
        self._waiting.append(self._encoding.submit(self._encode, image, self.count))
        self.count += 1

    def _encode(self, image: NDArray[np.uint8], number: int) -> None:
        frame = self._av.VideoFrame.from_ndarray(np.ascontiguousarray(image), format="rgb24")
        frame = frame.reformat(format="yuv420p", dst_colorspace=BT709, dst_color_range=1)
        frame.pts = number
        try:
            self._container.mux(self._stream.encode(frame))
        except OSError as error:
            raise self._problem(error) from None

    def __enter__(self) -> Self:
        """Nothing more to do."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish the file; after an error, take it away."""
        self._encoding.shutdown(cancel_futures=kind is not None)
        try:
            if kind is None:
                for waiting in self._waiting:
                    waiting.result()
                self._container.mux(self._stream.encode(None))
            self._container.close()
            if kind is None:
                self._part.replace(self._path)
        except InputError:
            with suppress(OSError):
                self._container.close()
            raise
        except OSError as problem:
            if kind is None:
                raise self._problem(problem) from None
        finally:
            with suppress(OSError):
                self._part.unlink(missing_ok=True)

    def _problem(self, error: OSError) -> InputError:
        return InputError(str(self._path), "", f"cannot be written: {reason_of(error)}", "write it elsewhere")
