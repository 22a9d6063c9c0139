"""A table of a log: columns that cross from the library to Arrow, pandas and polars without being copied."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable

from . import _abi, _capsule, _replay
from ._needs import need
from .errors import LogError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from .log import Log


class Table:
    """A table by its name. Nothing is read before one of its methods asks, and each reads the log anew.

    It has the Arrow PyCapsule interface (``__arrow_c_stream__``): any library that knows Arrow takes it as it is.
    """

    def __init__(self, log: Log, name: str, module: str, help: str, names: bool = True) -> None:
        self.log = log
        self.name = name
        self.module = module  #: "" for tables about the log itself
        self.help = help
        self._flags = 0 if names else _abi.NO_NAMES

    def __repr__(self) -> str:
        return f"<trikal.Table {self.name} of {self.log.path}>"

    def __len__(self) -> int:
        """How many rows it has; they are read for that, batch by batch."""
        return sum(batch.num_rows for batch in self.batches())

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in their order."""
        return list(self.batches(1).schema.names)

    def _open(self, rows: int = 0) -> _abi.Stream:
        return self.log._open_table(self.name, self._flags, rows)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _capsule.of_stream(self._open())

    def batches(self, rows: int = 65536) -> pa.RecordBatchReader:
        """Batch by batch: for traces that do not fit into memory."""
        if rows < 1:
            raise ValueError(f"{rows} rows are no batch")
        pyarrow = need("pyarrow", "Arrow data")
        stream = self._open(rows)
        return pyarrow.RecordBatchReader._import_from_c(ctypes.addressof(stream))

    def arrow(self) -> pa.Table:
        """All of it as a table of pyarrow, whose buffers are the library's. Fields carry `unit` and `help`."""
        pyarrow = need("pyarrow", "Arrow data")
        try:
            return self.batches().read_all()
        except (pyarrow.ArrowException, OSError) as error:
            raise LogError.from_text(self.log.path, _first_line(error)) from error

    def pandas(self, *, arrow_dtypes: bool = False, writable: bool = False) -> pd.DataFrame:
        """A DataFrame of pandas.

        Numbers of a table of one batch (65,536 rows) are not copied, and so cannot be changed; `writable`
        copies them. With `arrow_dtypes` nothing is copied, text included: columns are pandas.ArrowDtype.
        """
        pandas = need("pandas", "a DataFrame of pandas")
        table = self.arrow()
        if arrow_dtypes:
            return table.to_pandas(types_mapper=pandas.ArrowDtype)
        frame = table.to_pandas(split_blocks=True)
        return frame.copy() if writable else frame

    def polars(self) -> pl.DataFrame:
        """A DataFrame of polars; pyarrow is not needed."""
        polars = need("polars", "a DataFrame of polars")
        # A stream that breaks in the middle makes polars panic, so it gets one that was read to its end.
        frame: pl.DataFrame = polars.DataFrame(_replay.Replay(self._open(), self.log.path))
        return frame

    def numpy(self, column: str) -> np.ndarray[Any, Any]:
        """One column of numbers as an array."""
        need("numpy", "an array")
        array: np.ndarray[Any, Any] = self.arrow().column(column).to_numpy()
        return array

    def __getitem__(self, column: str) -> np.ndarray[Any, Any]:
        return self.numpy(column)

    def df(self, kind: str = "pandas") -> Any:
        """`kind`: pandas, polars or arrow."""
        makers: dict[str, Callable[[], Any]] = {"pandas": self.pandas, "polars": self.polars, "arrow": self.arrow}
        if kind not in makers:
            raise ValueError(f"'{kind}' is not one of {', '.join(makers)}")
        return makers[kind]()


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
