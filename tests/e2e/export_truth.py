"""What the tables of an export must hold, from a log as the independent decoder has it.

Tables are {name: [row, ...]}, rows {column: value}. Text is bytes as in the log; what is missing is None.
"""

import uuid

from ground import text, trailer
from ground.tables import APMPI_GLOBAL, APMPI_INTS, APMPI_SYNC, APMPI_TIMES, APXC_HEAD, APXC_LOCATION, LUSTRE_COMP, MODULE_NAMES

NOTHING = {b"UNKNOWN", b"N/A", b""}
# Records of the current version: fields that are not counters, under the names our tables have.
FIELDS = {"file_rec_id": "file_rec_id", "pool_uuid": "pool_uuid", "cont_uuid": "cont_uuid", "oid_hi": "oid_hi",
          "oid_lo": "oid_lo"}


def table_name(module):
    return "".join(c for c in module.lower() if c.isalnum() or c == "_")


def _value(key, value):
    return str(uuid.UUID(bytes=value)).encode() if key.endswith("_uuid") else value


INTERNAL = {"streams", "segment_threads"}  # of the trailer: for readers, and no tables


class Truth:
    def __init__(self, log, data=None):
        """`data` is what the log was read from, if it may have a trailer."""
        self.log, self.names = log, text.Names(log)
        self.tables = {"job": [self._job()], "metadata": self._metadata(), "mounts": self._mounts(), "names": self._names()}
        for ident, module in log.modules.items():
            if ident < len(MODULE_NAMES):
                self._module(MODULE_NAMES[ident], module.records)
        for name, section in (trailer.decode(data) or {}).items() if data else ():
            if name not in INTERNAL:
                self.tables[name] = [self._trailer_row(section.columns, row) for row in section.rows]

    def _job(self):
        job = self.log.job
        old = self.log.minor < 41
        return {"job_id": job["jobid"], "uid": job["uid"], "nprocs": job["nprocs"], "start_sec": job["start_sec"],
                "start_nsec": 0 if old else job["start_nsec"], "end_sec": job["end_sec"],
                "end_nsec": 0 if old else job["end_nsec"], "run_time": self.log.runtime, "exe": self.log.exe,
                "log_version": self.log.version.encode(), "compression": [b"zlib", b"bzip2", b"none"][self.log.codec]}

    def _metadata(self):
        return [{"key": key, "value": value} for key, value in self.log.meta_pairs()]

    def _mounts(self):
        return [{"mount": path, "fs_type": kind} for path, kind in self.log.mounts]

    def _trailer_row(self, columns, values):
        """Names stand before the ids they belong to."""
        row = {}
        for (_, column, unit, _), value in zip(columns, values):
            if unit == "record-id":
                row["name"] = self.names.table.get(value)
            row[column.lower()] = value
        return row

    def _on(self, name):
        """Mount point and kind of the file system a name is on."""
        return next(((path, kind) for path, kind in self.log.mounts if name.startswith(path)), (None, None))

    def _names(self):
        return [{"record_id": ident, "name": name, "mount": self._on(name)[0], "fs_type": self._on(name)[1]}
                for ident, name in self.log.name_table.items()]

    def _base(self, module, record):
        """The columns every table of a module begins with."""
        if module in ("APMPI", "DAOS", "BG/Q") or record["id"] in self.names.table:
            name = self.names.name(module, record)
        else:
            name = None
        mount, kind = self.names.mount(module, record)
        if module == "BG/Q" and record["id"] not in self.names.table:
            mount, kind = (part or b"UNKNOWN" for part in self._on(name))
        return {"record_id": record["id"], "rank": record["rank"], "name": None if module == "APMPI" else name,
                "mount": None if mount in NOTHING else mount, "fs_type": None if kind in NOTHING else kind}

    def _module(self, module, records):
        table, make = table_name(module), getattr(self, "_" + table_name(module), self._fixed)
        rows = {table: []}
        for record in records:
            for suffix, row in make(record):
                rows.setdefault(table + suffix, []).append({**self._base(module, record), **row})
        self.tables.update(rows)

    def _fixed(self, record):
        fields = {ours: _value(key, record[key]) for key, ours in FIELDS.items() if key in record}
        yield "", {**fields, **record["counters"]}

    def _mdhim(self, record):
        yield "", record["counters"]
        servers = max(0, record["counters"]["MDHIM_SERVERS"])
        for i, count in enumerate(record["histogram"][:servers]):
            yield "_servers", {"server": i, "operations": count}

    def _lustre(self, record):
        comps = record["components"]
        yield "", {"num_comps": len(comps), "num_stripes": sum(len(c["OST_IDS"]) for c in comps)}
        for k, comp in enumerate(comps, 1):
            values = {"LUSTRE_COMP_" + name: comp[name] for name in LUSTRE_COMP}
            yield "_components", {"component": k, **values, "pool_name": comp["POOL_NAME"]}
            for i, target in enumerate(comp["OST_IDS"]):
                yield "_stripes", {"component": k, "stripe": i, "ost": target}

    def _heatmap(self, record):
        width = record["bin_width"]
        yield "", {"bin_width_seconds": width, "nbins": len(record["writes"])}
        for i, (written, read) in enumerate(zip(record["writes"], record["reads"])):
            yield "_bins", {"bin": i, "start_time": i * width, "width": width, "read_bytes": read, "write_bytes": written}

    def _dxt(self, record):
        yield "", {"shared_record": record["shared"], "hostname": record["host"], "write_count": len(record["writes"]),
                   "read_count": len(record["reads"])}
        for way in ("writes", "reads"):
            for i, (offset, length, start, end, thread) in enumerate(record[way]):
                yield "_segments", {"hostname": record["host"], "direction": way[:-1].encode(), "segment": i,
                                    "offset": offset, "length": length, "start_time": start, "end_time": end,
                                    "thread": thread or 0}

    _dxt_posix = _dxt_mpiio = _dxt

    def _apmpi(self, record):
        if record["kind"] == "header":
            yield "_header", {"sync_flag": record["sync_flag"], "MPI_TOTAL_COMM_TIME_VARIANCE": record["variance_time"],
                              "MPI_TOTAL_COMM_SYNC_TIME_VARIANCE": record["variance_sync"]}
        else:
            names = APMPI_INTS + APMPI_TIMES + APMPI_SYNC + APMPI_GLOBAL
            yield "", {"node_name": record["node"], **{name: record["counters"][name] for name in names}}

    def _apxc(self, record):
        if record["kind"] == "header":
            yield "_header", {"APXC_" + name.upper(): record[name] for name in APXC_HEAD}
        else:
            yield "", {**{name: record[name] for name in APXC_LOCATION}, **record["counters"]}
