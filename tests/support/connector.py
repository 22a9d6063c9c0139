"""What the LDMS Darshan connector would have published of a file of events or a store, computed here from docs/formats/ldms.md: the
program must say the same, field by field, in JSON and CSV."""

import collections
import csv
import decimal
import io
import json
import sqlite3
import subprocess

HEADS = {"published": ["uid", "exe", "job_id", "rank", "ProducerName", "file", "record_id", "module", "type", "max_byte", "switches",
                       "flushes", "cnt", "op", "seg"]}
HEADS["current"] = ["schema", *HEADS["published"]]
SEGMENTS = {"published": ["data_set", "pt_sel", "irreg_hslab", "reg_hslab", "ndims", "npoints", "off", "len", "dur", "timestamp"],
            "current": ["pt_sel", "irreg_hslab", "reg_hslab", "ndims", "npoints", "off", "len", "start", "dur", "total", "timestamp"]}
COLUMNS = {"published": ("#module,uid,ProducerName,switches,file,rank,flushes,record_id,exe,max_byte,type,job_id,op,cnt,seg:off,"
                         "seg:pt_sel,seg:dur,seg:len,seg:ndims,seg:reg_hslab,seg:irreg_hslab,seg:data_set,seg:npoints,"
                         "seg:timestamp").split(",")}
COLUMNS["current"] = [*COLUMNS["published"], "seg:total", "seg:start"]
DIALECTS = sorted(HEADS)

# The last word of an operation is what it does.
ACTIONS = {"open": "open", "fopen": "open", "close": "close", "fclose": "close", "read": "read", "write": "write"}
TIMERS = {"open": "meta", "close": "meta", "read": "read", "write": "write"}
SILENT = {"seek": "meta", "stat": "meta", "fsync": "write", "fdatasync": "write", "rename": "meta", "dup": "meta",
          "stream seek": "meta", "flush": "write", "MPI sync": "write", "MPI set view": "meta", "HDF5 flush": "meta",
          "HDF5 dataset flush": "meta"}
DATASET = {"HDF5 dataset open", "HDF5 dataset close", "HDF5 read", "HDF5 write", "HDF5 dataset flush"}


def read_events(path):
    """The lines of a file of events. Names that are no UTF-8 have surrogates, as from os.fsdecode."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def read_store(program, store):
    """The same of a store: from its views, and from its tables what is not in them."""
    def rows(query):
        return json.loads(subprocess.run([program, "sql", "--json", store, query], capture_output=True, check=True).stdout)
    database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    names = {key % 2 ** 64: bytes(name).decode("utf-8", "surrogateescape") for key, name in
             database.execute("SELECT key, CAST(coalesce(name_bytes, name) AS BLOB) FROM file WHERE name IS NOT NULL")}
    ids = {text: key % 2 ** 64 for key, text in database.execute("SELECT key, name FROM file")}
    starts = dict(database.execute("SELECT id, start FROM process"))
    database.close()
    lines = [{"type": "file", "file": str(key), "name": name} for key, name in names.items()]
    lines += [{"type": "program", "process": row["process"], "uid": row["uid"], "job": row["job"], "start": starts[row["process"]],
               "node": row["host"], "program": row["program"]} for row in rows("SELECT * FROM processes")]
    details = {(row["process"], row["thread"], row["sequence"]): row for row in rows("SELECT * FROM event_details")}
    for row in rows("SELECT * FROM events"):
        more = details.get((row["process"], row["thread"], row["sequence"]), {})
        lines.append({**{key: value for key, value in more.items() if row["interface"] == "HDF5" or key != "dimensions"}, **row,
                      "type": "event", "file": str(ids[row["file"]]), "begin": row["begin_ns"], "duration": row["duration_ns"]})
    return lines


def module_of(event):
    if event["interface"] == "HDF5":
        return "H5D" if event["operation"] in DATASET else "H5F"
    return {"MPI-IO": "MPIIO"}.get(event["interface"], event["interface"])


def seconds(nanoseconds, digits=9):
    step = 10 ** (9 - digits)
    return decimal.Decimal(nanoseconds // step * step).scaleb(-9)


class Counts:
    def __init__(self, dialect):
        self.dialect, self.calls, self.total, self.last = dialect, collections.Counter(), collections.Counter(), collections.Counter()

    def add(self, event, action):
        """cnt and total of an event; those that give no message count as well."""
        record = event["process"], event["file"], module_of(event)
        timer = *record, TIMERS[action] if action else SILENT.get(event["operation"], "other")
        begin, end = event["begin"], event["begin"] + event["duration"]
        if end > self.last[timer]:
            self.total[timer] += end - max(begin, self.last[timer])
            self.last[timer] = end
        key = (event["process"], module_of(event)) if self.dialect == "published" else (*record, action)
        self.calls[key] += action is not None
        count = self.calls[key]
        if action == "close" and self.dialect == "published":
            self.calls[key] = 0
        return count, self.total[timer]


def split(name, names):
    """A dataset's record as file and dataset."""
    at = [i for i in range(len(name)) if name.startswith(":/", i)]
    at = next((i for i in at if name[:i] in names), at[0])
    return name[:at], name[at + 1:]


def segment(event, action, total, facts, data_set):
    moves = action in ("read", "write")
    selects = moves and "dimensions" in event
    end = event["begin"] + event["duration"]
    return {"data_set": data_set, "pt_sel": event["point_selects"] if selects else -1,
            "irreg_hslab": event["irregular_selects"] if selects else -1,
            "reg_hslab": event["regular_selects"] if selects else -1, "ndims": event["dimensions"] if selects else -1,
            "npoints": event["dataset_elements"] if selects else -1, "off": event["offset"] if moves else -1,
            "len": event["length"] if moves else -1, "start": seconds(event["begin"] - facts["start"]),
            "dur": seconds(event["duration"]), "total": seconds(total), "timestamp": seconds(end, 6)}


def expected(lines, dialect):
    names = {line["file"]: line["name"] for line in lines if line["type"] == "file"}
    programs = {line["process"]: line for line in lines if line["type"] == "program"}
    counts, messages = Counts(dialect), []
    for event in (line for line in lines if line["type"] == "event" and line["interface"] is not None):
        action = None if event["operation"] in SILENT else ACTIONS.get(event["operation"].split()[-1])
        count, total = counts.add(event, action)
        if action is None:
            continue
        facts, name, data_set = programs[event["process"]], names[event["file"]], "N/A"
        if module_of(event) == "H5D" and dialect == "published":
            name, data_set = split(name, names.values())
        opens, moves = action == "open", action in ("read", "write")
        highest = {"read": "highest_read", "write": "highest_written"}.get(action)
        values = {"schema": "darshan_data" if opens else "N/A", "uid": facts["uid"] if dialect == "current" else str(facts["uid"]),
                  "exe": facts["program"] if opens else "N/A", "job_id": facts["job"], "rank": max(event["rank"], 0),
                  "ProducerName": facts["node"], "file": name if opens else "N/A", "record_id": int(event["file"]),
                  "module": module_of(event), "type": "MET" if opens else "MOD",
                  "max_byte": event.get(highest, -1) if moves else -1, "switches": event.get("switches", -1) if moves else -1,
                  "flushes": -1 if opens else event.get("flushes", -1), "cnt": count, "op": action}
        inner = segment(event, action, total, facts, data_set)
        values["seg"] = [{key: inner[key] for key in SEGMENTS[dialect]}]
        message = {key: values[key] for key in HEADS[dialect]}
        messages.append((message, {**values, "seg": inner, "data_set": data_set}))
    return messages


def parse_json(raw):
    return [json.loads(line, parse_float=decimal.Decimal) for line in raw.decode().splitlines()]


def parse_csv(raw):
    return list(csv.reader(io.StringIO(raw.decode("utf-8", "surrogateescape"), newline="")))


def export(program, path, form, dialect, *options, env=None):
    done = subprocess.run([program, "export", "-f", form, "--dialect", dialect, *options, path], capture_output=True, timeout=120, env=env)
    assert done.returncode == 0 and done.stderr == b"", done.stderr
    return done.stdout


def cell(values, column):
    name = column.removeprefix("#")
    return str(values["seg"][name[4:]] if name.startswith("seg:") else values[name])


def in_order_of(message):
    """Events of a store come process by process; this is the same order whatever that was."""
    [inner] = message["seg"]
    return decimal.Decimal(inner["timestamp"]), int(message["record_id"]), message["op"], int(message["cnt"]), int(inner["off"])


def from_row(header, row):
    values = dict(zip(header, row))
    return {**values, "seg": [{"timestamp": values["seg:timestamp"], "off": values["seg:off"]}]}


def check_export(program, path):
    """Exports a file of events, or a store, in all ways; answers with the messages of the current dialect."""
    is_store = path.suffix == ".sqlite"
    lines = read_store(program, path) if is_store else read_events(path)
    for dialect in DIALECTS:
        wanted = expected(lines, dialect)
        found = parse_json(export(program, path, "ldms-json", dialect))
        header, *rows = parse_csv(export(program, path, "ldms-csv", dialect))
        assert header == COLUMNS[dialect] and len(found) == len(wanted) == len(rows)
        if is_store:
            wanted = sorted(wanted, key=lambda each: in_order_of(each[0]))
            found = sorted(found, key=in_order_of)
            rows.sort(key=lambda row: in_order_of(from_row(header, row)))
        for message, (want, _) in zip(found, wanted):
            assert message == want
            assert list(message) == HEADS[dialect] and list(message["seg"][0]) == SEGMENTS[dialect]
        for row, (_, values) in zip(rows, wanted):
            for column, value in zip(header, row, strict=True):
                if column.startswith("seg:") and "." in value:
                    assert decimal.Decimal(value) == values["seg"][column[4:]]
                else:
                    assert value == cell(values, column), column
    return [message for message, _ in expected(lines, "current")]
