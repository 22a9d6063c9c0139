"""Plain structures shared by the decoder, the encoder and the expectations."""

import dataclasses
import struct

MAGIC = 6567223
MINORS = {0: "3.00", 10: "3.10", 20: "3.20", 21: "3.21", 41: "3.41"}
JOB_FIELDS = ["uid", "start_sec", "start_nsec", "end_sec", "end_nsec", "nprocs", "jobid"]
OLD_JOB_FIELDS = ["uid", "start_sec", "end_sec", "nprocs", "jobid"]
METADATA_SIZE = 1024
JOB_REGION_MAX = 4096
ZLIB, BZIP2, NONE = 0, 1, 2


class LogError(Exception):
    """The file is not a log that can be opened at all."""


@dataclasses.dataclass
class Module:
    """Records of one module.  From the decoder they are in the current version's form,
    whatever `version` (what the file says) is; the encoder wants them in `version`'s form."""

    version: int
    records: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Log:
    version: str = "3.41"
    order: str = "<"
    codec: int = ZLIB
    partial: int = 0  # bit i = module id i, current numbering
    job: dict = dataclasses.field(default_factory=dict)
    metadata: bytes = b""
    text: bytes = b""  # exe and mounts, as stored, up to the NUL
    names: list = dataclasses.field(default_factory=list)  # (id, bytes) as stored
    modules: dict = dataclasses.field(default_factory=dict)  # module id -> Module

    @property
    def minor(self):
        return int(self.version.split(".")[1])

    @property
    def exe(self):
        return self.text.split(b"\n")[0]

    @property
    def mounts(self):
        """(path, type), longest path first, equal lengths in stored order."""
        found = []
        for line in self.text.split(b"\n")[1:]:
            words = line.split()
            if len(words) >= 2:
                found.append((words[1], words[0]))
        return sorted(found, key=lambda mount: -len(mount[0]))

    @property
    def name_table(self):
        """id -> name; the first non-empty name wins, order of first appearance."""
        table = {}
        for ident, name in self.names:
            if not table.get(ident):
                table[ident] = name
        return table

    @property
    def runtime(self):
        job = self.job
        if self.minor < 41:
            return float(job["end_sec"] - job["start_sec"] + 1)
        return (job["end_sec"] + job["end_nsec"] / 1e9) - (job["start_sec"] + job["start_nsec"] / 1e9)

    def meta_pairs(self):
        lines = self.metadata.split(b"\n")
        return [tuple(line.split(b"=", 1)) for line in lines if b"=" in line]


def header_layout(minor):
    """(struct format without byte order, module slots): 360-byte old and 1328-byte new form."""
    if minor < 41:
        return "8sqB3xI2Q32Q16I", 16
    return "8sqB7xQ2Q128Q64I", 64


def header_size(minor):
    return struct.calcsize("<" + header_layout(minor)[0])


def job_fields(minor):
    return OLD_JOB_FIELDS if minor < 41 else JOB_FIELDS
