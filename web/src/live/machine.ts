// The program's I/O and what the machine did, on one axis of time.
import { make } from "../dom";
import { section, table as makeTable } from "../parts";
import * as words from "../words";
import { Table, table } from "./api";
import { Chart, draw, Line } from "./chart";
import { Context } from "./context";
import { correlation } from "./correlation";
import { kindOf, lines, sums } from "./series";
import { go } from "./state";

interface Group {
  title: string;
  metrics: { [name: string]: Line["kind"] };
  say: (value: number) => string;
}

const kGroups: Group[] = [
  { title: "Processors busy", say: (value) => value.toFixed(1),
    metrics: { "cpu.user": "read", "cpu.system": "write", "cpu.iowait": "meta" } },
  { title: "Disks", say: (value) => `${words.bytes(value)}/s`, metrics: { "disk.read_bytes": "read", "disk.write_bytes": "write" } },
  { title: "Pressure (share of the time that something waits)", say: (value) => words.percent(value),
    metrics: { "pressure.io.some": "write", "pressure.cpu.some": "read", "pressure.memory.some": "meta" } },
  { title: "Network", say: (value) => `${words.bytes(value)}/s`, metrics: { "network.received_bytes": "read", "network.sent_bytes": "write" } },
  { title: "NFS", say: (value) => `${words.bytes(value)}/s`, metrics: { "nfs.read_bytes": "read", "nfs.write_bytes": "write" } },
  { title: "Lustre", say: (value) => `${words.bytes(value)}/s`, metrics: { "lustre.read_bytes": "read", "lustre.write_bytes": "write" } },
  { title: "Memory not yet written to disk", say: words.bytes, metrics: { "memory.dirty": "write", "memory.writeback": "meta" } },
];

// Of all devices together.
function metricLines(data: Table, group: Group): Line[] {
  const found = new Map<string, Map<number, number>>();
  for (const row of data.rows) {
    const metric = data.text(row, "metric");
    if (!(metric in group.metrics)) continue;
    const sumsOf = found.get(metric) ?? new Map<number, number>();
    const time = data.number(row, "time");
    sumsOf.set(time, (sumsOf.get(time) ?? 0) + data.number(row, "value"));
    found.set(metric, sumsOf);
  }
  return [...found.entries()].map(([name, points]) => ({ name, kind: group.metrics[name] ?? "plain", points: [...points.entries()] }));
}

interface Related {
  metric: string;
  value: number;
  seconds: number;
}

// How far each metric rises and falls with the program's bytes.
function related(io: Line[], machine: Line[], width: number): Related[] {
  const bytes = new Map<number, number>();
  for (const line of io) for (const [time, value] of line.points) bytes.set(time, (bytes.get(time) ?? 0) + value);
  return machine.map((line) => {
    const pairs = line.points.map(([time, value]): [number, number] => [bytes.get(time) ?? 0, value]);
    return { metric: line.name, value: correlation(pairs), seconds: pairs.length * width };
  }).filter((row) => Number.isFinite(row.value)).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}

export async function machine(context: Context): Promise<HTMLElement[]> {
  const time = { from: context.from, to: context.to };
  const [io, system] = await Promise.all([
    sums(context, "time,operation"), table("system", { host: context.run.host, ...time }),
  ]);
  const chart = (label: string, shown: Line[], say: (value: number) => string, width: number): Chart =>
    ({ label, lines: shown, say, width, ...time, zoom: (from, to) => go({ from, to }) });
  const ioLines = lines(io, "operation", "bytes", kindOf);
  const parts = [section("io", "I/O of the program", "", draw(chart("Bytes a second", ioLines, (value) => `${words.bytes(value)}/s`, io.width)))];
  const all: Line[] = [];
  for (const group of kGroups) {
    const shown = metricLines(system, group);
    if (!shown.length) continue;
    all.push(...shown);
    parts.push(section(`machine-${parts.length}`, group.title, "", draw(chart(group.title, shown, group.say, system.width))));
  }
  const rows = io.width === system.width ? related(ioLines, all, system.width) : [];
  if (rows.length) {
    parts.splice(1, 0, section("correlation", "What goes with it",
      "1 rises and falls with the program's bytes, −1 does the opposite, 0 has nothing to do with them. It is no proof of a cause.",
      makeTable("Correlation", [
        { title: "Metric", text: (row: Related) => row.metric },
        { title: "Correlation", number: true, text: (row) => row.value.toFixed(2) },
        { title: "Over", number: true, text: (row) => words.seconds(row.seconds) },
      ], rows)));
  }
  if (!all.length) parts.push(section("machine", "Machine", "There are no values of the machine for this time.", make("p")));
  return parts;
}
