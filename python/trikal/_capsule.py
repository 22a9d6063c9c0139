"""A stream of the library in a PyCapsule, as the Arrow PyCapsule interface wants it.

Whoever takes the stream out of the capsule sets its `release` to null. If nobody did, the capsule's destructor
releases it. The structure itself belongs to Python: it is kept in a table until its capsule goes.
"""

from __future__ import annotations

import ctypes as c

from . import _abi

_NAME = c.c_char_p(b"arrow_array_stream")  # kept: a capsule points to its name
_alive: dict[int, _abi.Stream] = {}

_DESTRUCTOR = c.PYFUNCTYPE(None, c.c_void_p)
_new = c.PYFUNCTYPE(c.py_object, c.c_void_p, c.c_char_p, _DESTRUCTOR)(("PyCapsule_New", c.pythonapi))
# By address: a reference to an object that is being destroyed must not be made.
_pointer = c.PYFUNCTYPE(c.c_void_p, c.c_void_p, c.c_char_p)(("PyCapsule_GetPointer", c.pythonapi))


def release(arrow: _abi.Stream | _abi.Array) -> None:
    """Unless somebody took it over."""
    if arrow.release:
        arrow.release(c.addressof(arrow))


def _destroyed(capsule: int) -> None:
    stream = _alive.pop(_pointer(capsule, _NAME), None)
    if stream is not None:
        release(stream)


_destroy = _DESTRUCTOR(_destroyed)  # kept: capsules call it as long as Python runs


def of_stream(stream: _abi.Stream) -> object:
    address = c.addressof(stream)
    _alive[address] = stream
    return _new(address, _NAME, _destroy)
