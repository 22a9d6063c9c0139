"""A stream that was read to its end before anybody sees it: damage in the log is found here, not in the importer.

Columns are not copied. Arrays are moved from the library's stream into a list, and from there to whoever imports. The
callbacks are made once and never go: an importer may call them from any thread, and long after the table is forgotten.
"""

from __future__ import annotations

import collections
import ctypes as c
import itertools

from . import _abi, _capsule
from .errors import LogError


class _Held:
    def __init__(self, source: _abi.Stream) -> None:
        self.source = source
        self.arrays: collections.deque[_abi.Array] = collections.deque()

    def release(self) -> None:
        while self.arrays:
            _capsule.release(self.arrays.popleft())
        _capsule.release(self.source)

    def read(self, path: str) -> None:
        get_next = _abi.StreamCall(self.source.get_next)
        while True:
            array = _abi.Array()
            if get_next(c.addressof(self.source), c.addressof(array)) != 0:
                raise LogError.from_text(path, self._last_error())
            if not array.release:
                return
            self.arrays.append(array)

    def _last_error(self) -> str:
        text = _abi.StreamText(self.source.get_last_error)(c.addressof(self.source))
        return _abi.text(c.string_at(text)) if text else "the table cannot be read"


_held: dict[int, _Held] = {}  # by private_data of the stream that replays it
_numbers = itertools.count(1)


def _of(stream: int) -> _Held:
    return _held[_abi.Stream.from_address(stream).private_data]


def _get_schema(stream: int, out: int) -> int:
    source = _of(stream).source
    return int(_abi.StreamCall(source.get_schema)(c.addressof(source), out))


def _get_next(stream: int, out: int) -> int:
    arrays = _of(stream).arrays
    # An array without a release callback is the end.
    array = arrays.popleft() if arrays else _abi.Array()
    c.memmove(out, c.addressof(array), c.sizeof(array))
    return 0


def _no_error(stream: int) -> None:
    """Nothing fails any more."""


def _release(stream: int) -> None:
    there = _abi.Stream.from_address(stream)  # it may have been moved since it was made
    _held.pop(there.private_data).release()
    there.release = _abi.Release()


_CALLBACKS = (_abi.StreamCall(_get_schema), _abi.StreamCall(_get_next), _abi.StreamText(_no_error))
_RELEASE = _abi.Release(_release)


class Replay:
    """Takes a stream over, reads it and offers it by the Arrow PyCapsule interface, once."""

    def __init__(self, source: _abi.Stream, path: str) -> None:
        held = _Held(source)
        try:
            held.read(path)
        except BaseException:
            held.release()
            raise
        number = next(_numbers)
        _held[number] = held
        calls = [c.cast(callback, c.c_void_p).value for callback in _CALLBACKS]
        self._capsule = _capsule.of_stream(_abi.Stream(*calls, _RELEASE, number))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._capsule
