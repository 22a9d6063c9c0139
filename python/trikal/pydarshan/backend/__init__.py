"""PyDarshan has its accumulators in a module below this one; scripts import them from there."""

from . import cffi_backend as cffi_backend
