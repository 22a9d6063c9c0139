"""Records in the shapes that PyDarshan gives them: one class for each shape there is."""

from __future__ import annotations

import abc
import copy
import json
from collections.abc import Sequence
from typing import Any, Mapping

from ._needs import need
from .log import Log

SPECIAL = ("DXT_POSIX", "DXT_MPIIO", "LUSTRE", "APMPI", "APXC", "HEATMAP")
MEMORY_MODES = ("unknown", "flat", "equal", "split", "cache")
CLUSTER_MODES = ("unknown", "all2all", "quad", "hemi", "snc4", "snc2")
DEFAULT = ("id", "rank")
Record = dict[str, Any]


def _plain(value: Any) -> Any:
    """Arrays as lists, numbers of numpy as those of Python."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.tolist() if hasattr(value, "tolist") else value


def _attached(frame: Any, attach: Any, ids: Any, ranks: Any) -> Any:
    """`rank` and `id` in front, as far as they are wanted."""
    wanted = DEFAULT if attach == "default" else attach or ()
    for name, column in (("id", ids), ("rank", ranks)):
        if name in wanted:
            frame.insert(0, name, column)
    return frame


class RecordCollection(Sequence):  # type: ignore[type-arg]  # of dictionaries whose items differ by module
    """The records of a module that has names for them: `name_records` decides."""

    def __init__(self, log: Log, mod: str, names: Mapping[int, str]) -> None:
        self.mod = mod
        self._log = log
        self._names = names
        self._records: list[Record] | None = None
        self._table = self._kept(log.table(mod, names=False).arrow())
        self.counter_names: dict[str, list[str]] = self._counter_names()

    def _counter_names(self) -> dict[str, list[str]]:
        return {}

    def _kept(self, table: Any) -> Any:
        pyarrow = need("pyarrow", "records")
        named = [ident in self._names for ident in table.column("record_id").to_pylist()]
        return table.filter(pyarrow.array(named, pyarrow.bool_()))

    @abc.abstractmethod
    def _make(self) -> list[Record]:
        """Every shape has its own."""

    @property
    def records(self) -> list[Record]:
        if self._records is None:
            self._records = self._make()
        return self._records

    def _column(self, name: str) -> Any:
        return self._table.column(name).to_numpy()

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __getitem__(self, index: Any) -> Any:
        return self.records[index]

    def to_numpy(self) -> list[Record]:
        return copy.deepcopy(self.records)

    def to_list(self) -> list[Record]:
        return [_plain(record) for record in self.records]

    def to_dict(self) -> list[Record]:
        return self.to_numpy()

    def to_json(self) -> str:
        return json.dumps(self.to_list())

    def to_df(self, attach: Any = "default") -> Any:
        return self.to_numpy()

    def rebased(self, shift: float, inplace: bool) -> list[Record]:
        """The records with so many seconds added to each of their timestamps."""
        records = self.records if inplace else self.to_numpy()
        for record in records:
            self._rebase(record, shift)
        return records

    def _rebase(self, record: Record, shift: float) -> None:
        """Most shapes have no timestamps."""

    def info(self) -> None:
        print(f"{self.mod}: {len(self)} records of {len(set(self._column('rank').tolist()))} ranks")


class GenericRecords(RecordCollection):
    """Integers in `counters`, reals in `fcounters`."""

    def _counter_names(self) -> dict[str, list[str]]:
        # Ids are counters, too (POSIX_RENAMED_FROM), but not those in lower case that lie before the counters.
        held = [one for one in self._log.modules[self.mod].counters.values() if one.name.isupper()]
        return {"counters": [one.name for one in held if one.kind in ("int64", "uint64")],
                "fcounters": [one.name for one in held if one.kind == "float64"]}

    def _matrix(self, kind: str) -> Any:
        numpy, names = need("numpy", "records"), self.counter_names[kind]
        dtype = numpy.int64 if kind == "counters" else numpy.float64
        matrix = numpy.empty((len(self), len(names)), dtype=dtype)
        for at, name in enumerate(names):
            matrix[:, at] = self._column(name)  # ids become negative, as they are in PyDarshan
        return matrix

    def _make(self) -> list[Record]:
        heads = [{"id": ident, "rank": rank}
                 for ident, rank in zip(self._column("record_id").tolist(), self._column("rank").tolist())]
        if "file_rec_id" in self._table.column_names:
            for head, file in zip(heads, self._column("file_rec_id").tolist()):
                head["file_rec_id"] = file
        counters, fcounters = self._matrix("counters"), self._matrix("fcounters")
        return [{**head, "counters": counters[i], "fcounters": fcounters[i]} for i, head in enumerate(heads)]

    def _rebase(self, record: Record, shift: float) -> None:
        for at, name in enumerate(self.counter_names["fcounters"]):
            if name.endswith("_TIMESTAMP") and record["fcounters"][at] != 0:  # 0: it never happened
                record["fcounters"][at] += shift

    def to_dict(self) -> list[Record]:
        """Counters by name."""
        return [{key: dict(zip(self.counter_names[key], value)) if key in self.counter_names else value
                 for key, value in record.items()} for record in self.records]

    def to_df(self, attach: Any = "default") -> Any:
        """{'counters': DataFrame, 'fcounters': DataFrame}"""
        pandas = need("pandas", "a DataFrame of pandas")
        return {kind: _attached(pandas.DataFrame(self._matrix(kind), columns=self.counter_names[kind]), attach,
                                self._column("record_id"), self._column("rank"))
                for kind in ("counters", "fcounters")}


class TraceRecords(RecordCollection):
    """A record has its writes and its reads."""

    FIELDS = ("offset", "length", "start_time", "end_time")

    def _slices(self) -> list[tuple[Record, Any, Any]]:
        """(head, its writes, its reads): both lie behind each other in the table of segments, in order of records."""
        all_heads = self._log.table(self.mod, names=False).arrow().to_pylist()
        segments = self._log.table(f"{self.mod.lower()}_segments", names=False).arrow().select(self.FIELDS)
        found, at = [], 0
        for row in all_heads:
            writes, reads = row["write_count"], row["read_count"]
            if row["record_id"] in self._names:
                head = {"id": row["record_id"], "rank": row["rank"], "hostname": row["hostname"], "write_count": writes,
                        "read_count": reads}
                found.append((head, segments.slice(at, writes), segments.slice(at + writes, reads)))
            at += writes + reads
        return found

    def _make(self) -> list[Record]:
        return [{**head, "write_segments": writes.to_pylist(), "read_segments": reads.to_pylist()}
                for head, writes, reads in self._slices()]

    def _rebase(self, record: Record, shift: float) -> None:
        for segment in (*record["write_segments"], *record["read_segments"]):
            segment["start_time"] += shift
            segment["end_time"] += shift

    def to_df(self, attach: Any = "default") -> Any:
        """A list of dictionaries; segments are DataFrames."""
        need("pandas", "a DataFrame of pandas")
        return [{**head, "write_segments": writes.to_pandas(), "read_segments": reads.to_pandas()}
                for head, writes, reads in self._slices()]


class LustreRecords(RecordCollection):
    """A record has components, and a component has targets."""

    def _counter_names(self) -> dict[str, list[str]]:
        names = self._log.table("lustre_components").batches().schema.names
        return {"counters": [name for name in names if name.startswith("LUSTRE_COMP_")]}

    def _components(self) -> list[Record]:
        numpy = need("numpy", "records")
        targets: dict[tuple[int, int, int], list[int]] = {}
        for row in self._kept(self._log.table("lustre_stripes", names=False).arrow()).to_pylist():
            targets.setdefault((row["record_id"], row["rank"], row["component"]), []).append(row["ost"])
        names, found = self.counter_names["counters"], []
        for row in self._kept(self._log.table("lustre_components", names=False).arrow()).to_pylist():
            key = (row["record_id"], row["rank"], row["component"])
            found.append({"key": key[:2], "pool_name": row["pool_name"],
                          "counters": numpy.array([row[name] for name in names], dtype=numpy.int64),
                          "ost_ids": numpy.array(targets.get(key, []), dtype=numpy.int64)})
        return found

    def _make(self) -> list[Record]:
        held: dict[tuple[int, int], list[Record]] = {}
        for component in self._components():
            held.setdefault(component.pop("key"), []).append(component)
        heads = zip(self._column("record_id").tolist(), self._column("rank").tolist())
        return [{"id": ident, "rank": rank, "components": held.get((ident, rank), [])} for ident, rank in heads]

    def to_df(self, attach: Any = "default") -> Any:
        """{'components': DataFrame}"""
        pandas, names, components = need("pandas", "a DataFrame of pandas"), self.counter_names["counters"], \
            self._components()
        frame = pandas.DataFrame([one["counters"] for one in components], columns=names)
        frame["LUSTRE_POOL_NAME"] = [one["pool_name"] for one in components]
        frame["LUSTRE_OST_IDS"] = pandas.Series([one["ost_ids"] for one in components], dtype=object)
        ids = pandas.Series([one["key"][0] for one in components], dtype="uint64")
        return {"components": _attached(frame, attach, ids, [one["key"][1] for one in components])}


class PerfRecords(RecordCollection):
    """AutoPerf: a header, then a record for each rank or router. These have no names of their own."""

    HEADER: tuple[tuple[str, str], ...] = ()

    def _kept(self, table: Any) -> Any:
        return table

    def __len__(self) -> int:
        return int(self._table.num_rows) + len(self._headers())

    def _headers(self) -> list[Record]:
        return list(self._log.table(f"{self.mod.lower()}_header", names=False).arrow().to_pylist())

    def _head(self, row: Record) -> Record:
        return {"id": row["record_id"], "rank": row["rank"], **{ours: row[theirs] for ours, theirs in self.HEADER}}


class MpiRecords(PerfRecords):
    HEADER = (("sync_flag", "sync_flag"), ("variance_total_mpitime", "MPI_TOTAL_COMM_TIME_VARIANCE"),
              ("variance_total_mpisynctime", "MPI_TOTAL_COMM_SYNC_TIME_VARIANCE"))

    MAGIC = 280520118345  # "APMPI": what makes a record a header

    def _head(self, row: Record) -> Record:
        return {**super()._head(row), "magic": self.MAGIC}

    def _make(self) -> list[Record]:
        rows = self._table.to_pylist()
        return [self._head(row) for row in self._headers()] + [
            {"id": row.pop("record_id"), "rank": row.pop("rank"), "node_name": row.pop("node_name"),
             "all_counters": row}
            for row in rows]


class RouterRecords(PerfRecords):
    HEADER = (("nblades", "APXC_NBLADES"), ("nchassis", "APXC_NCHASSIS"), ("ngroups", "APXC_NGROUPS"),
              ("memory_mode", "APXC_MEMORY_MODE"), ("cluster_mode", "APXC_CLUSTER_MODE"), ("appid", "APXC_APPID"))
    LOCATION = ("group", "chassis", "blade", "node")

    def _head(self, row: Record) -> Record:
        head = super()._head(row)
        for name, modes in (("memory_mode", MEMORY_MODES), ("cluster_mode", CLUSTER_MODES)):
            mode = head[name] & ~(1 << 31)  # the highest bit says that nodes disagree
            head[name] = modes[mode] if 0 <= mode < len(modes) else modes[0]
        return head

    def _make(self) -> list[Record]:
        rows = self._table.to_pylist()
        return [self._head(row) for row in self._headers()] + [
            {"id": row.pop("record_id"), "rank": row.pop("rank"), **{name: row.pop(name) for name in self.LOCATION},
             "counters": {f"APXC_{name}": value for name, value in row.items()}} for row in rows]


def collection_for(log: Log, mod: str, names: Mapping[int, str]) -> RecordCollection:
    shapes: dict[str, type[RecordCollection]] = {
        "DXT_POSIX": TraceRecords, "DXT_MPIIO": TraceRecords, "LUSTRE": LustreRecords, "APMPI": MpiRecords,
        "APXC": RouterRecords}
    return shapes.get(mod, GenericRecords)(log, mod, names)
