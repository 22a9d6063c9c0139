// Lustre's storage targets, and the counters of the log as they are.
import { Counters, Data, Target } from "./data";
import { make } from "./dom";
import { barRow, bars, flowPieces, folded, legend, section, table } from "./parts";
import * as words from "./words";

const kMost = 128; // bars

function load(target: Target): number {
  return target.bytes_read + target.bytes_written;
}

function targetsSentence(rows: Target[], total: number): string {
  const sum = rows.reduce((bytes, row) => bytes + load(row), 0);
  const most = rows.reduce((a, b) => (load(b) > load(a) ? b : a));
  const even = sum / rows.length;
  const where = `Files lie on ${words.several(total, "storage target")}.`;
  if (!sum) return `${where} No bytes were moved to or from them.`;
  const times = load(most) / even;
  const uneven = times > 1.5
    ? `OST ${most.id} serves ${times.toFixed(1)} times its even share: whoever needs it waits for it.`
    : "The load is even: no target serves more than one and a half times its share.";
  return `${where} ${uneven} A file's bytes are taken as spread evenly over its targets.`;
}

export function targets(data: Data): HTMLElement | null {
  const rows = data.targets;
  if (!rows.length) return null;
  const longest = words.largest(rows.map(load));
  const drawn = rows.length > kMost ? [...rows].sort((a, b) => load(b) - load(a)).slice(0, kMost) : rows;
  const cut = drawn.length < data.targets_total
    ? make("p", { class: "muted" }, `The busiest ${words.count(drawn.length)} are shown.`) : null;
  return section("targets", "Lustre storage targets", targetsSentence(rows, data.targets_total), legend("read", "write"),
    bars("Bytes by storage target", ...drawn.map((row) => barRow(`OST ${row.id}`,
      flowPieces(row.bytes_read, row.bytes_written, 0), longest,
      `${words.several(row.files, "file")} · read ${words.bytes(row.bytes_read)} · written ${words.bytes(row.bytes_written)}`))),
    cut);
}

type Value = [name: string, value: number];

function countersOf(one: Counters): HTMLElement {
  const values: Value[] = Object.entries(one.values);
  const set = values.filter(([, value]) => value !== 0).length;
  return folded(`${words.name(one.module)}: ${words.several(values.length, "counter")}, ${words.count(set)} not zero`,
    table<Value>(`Counters of ${words.name(one.module)}`, [
      { title: "Counter", text: ([name]) => make("code", {}, words.name(name)) },
      { title: "All records together", number: true, text: ([, value]) => String(value) },
    ], values));
}

export function counters(data: Data): HTMLElement | null {
  if (!data.counters.length) return null;
  return section("counters", "Counters in full",
    "What the log counted, all records of an interface folded into one as darshan-parser --total does. " +
    "trikal explain NAME tells what a counter means, trikal parse LOG prints them record by record.",
    ...data.counters.map(countersOf));
}
