// The program's I/O and what the machine did, on one axis of time.
import { make } from "../dom";
import { section, table as makeTable } from "../parts";
import * as words from "../words";
import { Table, table } from "./api";
import { Chart, draw, Line } from "./chart";
import { Context } from "./context";
import { correlation } from "./correlation";
import { kindOf, kMeasures, lines, sums } from "./series";
import { go } from "./state";

interface Group {
  title: string;
  metrics: { [name: string]: Line["kind"] };
  unit: Chart["unit"];
  say: (value: number) => string;
  most?: number; // of the axis
}

const kGroups: Group[] = [
  { title: "Processors busy", unit: "number", say: words.number,
    metrics: { "cpu.user": "plain", "cpu.system": "other", "cpu.iowait": "fifth" } },
  { title: "Disks: bytes per second", unit: "bytes", say: (value) => `${words.bytes(value)}/s`, metrics: { "disk.read_bytes": "read", "disk.write_bytes": "write" } },
  { title: "Pressure: share of the time that something waits", unit: "seconds", say: (value) => words.percent(Math.min(1, value)), most: 1,
    metrics: { "pressure.io.some": "fifth", "pressure.cpu.some": "plain", "pressure.memory.some": "other" } },
  { title: "Network: bytes per second", unit: "bytes", say: (value) => `${words.bytes(value)}/s`, metrics: { "network.received_bytes": "read", "network.sent_bytes": "write" } },
  { title: "NFS client: bytes per second", unit: "bytes", say: (value) => `${words.bytes(value)}/s`, metrics: { "nfs.read_bytes": "read", "nfs.write_bytes": "write" } },
  { title: "Lustre client: bytes per second", unit: "bytes", say: (value) => `${words.bytes(value)}/s`, metrics: { "lustre.read_bytes": "read", "lustre.write_bytes": "write" } },
  { title: "Memory not yet written to disk", unit: "bytes", say: words.bytes, metrics: { "memory.dirty": "write", "memory.writeback": "fifth" } },
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

function say(value: number): string {
  const size = Math.abs(value);
  if (size < 0.3) return "hardly";
  return `${size < 0.7 ? "somewhat" : "closely"}, ${value < 0 ? "the opposite way" : "the same way"}`;
}

function correlations(rows: Related[]): HTMLElement | null {
  if (!rows.length) return null;
  return section("correlation", "What goes with it",
    "1: rises and falls with the program's bytes; −1: does the opposite; 0: has nothing to do with them. It is no proof of a cause.",
    makeTable("Correlation", [
      { title: "Metric", text: (row: Related) => make("code", {}, row.metric) },
      { title: "Correlation", number: true, text: (row) => row.value.toFixed(2).replace("-", "−") },
      { title: "Moves with the program's bytes", text: (row) => say(row.value) },
      { title: "Over", number: true, text: (row) => words.seconds(row.seconds) },
    ], rows));
}

export async function machine(context: Context): Promise<HTMLElement[]> {
  const time = { from: context.from, to: context.to };
  const [io, system] = await Promise.all([
    sums(context, "time,operation"), table("system", { host: context.run.host, ...time }),
  ]);
  const chart = (label: string, shown: Line[], unit: Chart["unit"], sayValue: (value: number) => string, width: number): Chart =>
    ({ label, lines: shown, unit, say: sayValue, width, ...time, origin: context.run.start, columns: 2, tall: 140, zoom: (from, to) => go({ from, to }) });
  const bytes = kMeasures.bytes;
  const ioLines = lines(io, "operation", "bytes", kindOf).filter((line) => line.name !== "metadata");
  const grid = make("div", { class: "duo" }, draw(chart("The program: bytes per second", ioLines, bytes.unit, bytes.say, io.width)));
  const all: Line[] = [];
  for (const group of kGroups) {
    const shown = metricLines(system, group);
    if (!shown.length || !shown.some((line) => line.points.some(([, value]) => value !== 0))) continue;
    all.push(...shown);
    grid.append(draw({ ...chart(group.title, shown, group.unit, group.say, system.width), gaps: true, ...(group.most ? { most: group.most } : {}) }));
  }
  const said = all.length ? `All programs on ${words.name(context.run.host)}, beside the I/O of this run. What stayed 0 is not drawn.` : "There are no values of the machine for this time.";
  const rows = io.width === system.width ? related(ioLines, all, system.width) : [];
  return [section("machine", "The machine", said, grid), correlations(rows)].filter((part): part is HTMLElement => part !== null);
}
