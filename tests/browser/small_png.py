"""Small PNG files of screenshots, for the documentation: 256 colours, which text and lines do with."""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import numpy as np

_DOTS = """async (url) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const { width, height } = image;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const dots = context.getImageData(0, 0, width, height).data;
  let text = "";
  for (let i = 0; i < dots.length; i += 32768) text += String.fromCharCode(...dots.subarray(i, i + 32768));
  return [width, height, btoa(text)];
}"""


def write_small(browser: Any, png: bytes, path: Path) -> None:
    """Write a screenshot again with its commonest colours; the browser is what reads it."""
    page = browser.new_page()
    width, height, dots = page.evaluate(_DOTS, f"data:image/png;base64,{b64encode(png).decode()}")
    page.close()
    colours = np.frombuffer(b64decode(dots), np.uint8).reshape(-1, 4)[:, :3].astype(np.int64)
    kept, places, counts = np.unique(colours, axis=0, return_inverse=True, return_counts=True)
    palette = kept[np.argsort(-counts, kind="stable")[:256]]
    nearest = ((kept[:, None] - palette[None]) ** 2).sum(axis=2).argmin(axis=1)
    numbers = nearest[places.ravel()].astype(np.uint8).reshape(height, width)
    rows = np.hstack([np.zeros((height, 1), np.uint8), numbers]).tobytes()
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
