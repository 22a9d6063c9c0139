"""What scripts take from PyDarshan's module of this name, as far as trikal has it."""

from ..._pydarshan_accumulate import AccumulatedRecords, accumulate_records

__all__ = ["AccumulatedRecords", "accumulate_records"]
