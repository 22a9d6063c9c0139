// Sums over time in groups, as lines of a chart.
import * as words from "../words";
import { Table, table } from "./api";
import { Chart, Line } from "./chart";
import { Context } from "./context";
import { filters, Measure } from "./state";

export function kindOf(operation: string): Line["kind"] {
  return operation === "read" ? "read" : operation === "write" ? "write" : operation === "metadata" ? "meta" : "plain";
}

export function sums(context: Context, by: string, more: { [name: string]: string | number } = {}): Promise<Table> {
  return table("sums", { ...filters(context.state, context.run.number), from: context.from, to: context.to, by, ...more });
}

// One line for each value of a column; per second.
export function lines(data: Table, column: string, measure: Measure, kind: (name: string) => Line["kind"]): Line[] {
  const found = new Map<string, Line>();
  for (const row of data.rows) {
    const name = data.text(row, column);
    const line = found.get(name) ?? { name, kind: kind(name), points: [] };
    const time = data.number(row, "time");
    const last = line.points[line.points.length - 1];
    const value = data.number(row, measure) / data.width;
    // Rows of one slice follow each other: other columns may tell them apart.
    if (last && last[0] === time) last[1] += value;
    else line.points.push([time, value]);
    found.set(name, line);
  }
  return [...found.values()];
}

export const kMeasures: { [name in Measure]: { label: string; unit: Chart["unit"]; say: (value: number) => string } } = {
  bytes: { label: "Bytes per second", unit: "bytes", say: (value) => `${words.bytes(value)}/s` },
  calls: { label: "Calls per second", unit: "number", say: (value) => `${words.number(value)}/s` },
  seconds: { label: "I/O time per second", unit: "seconds", say: (value) => (value ? `${words.seconds(value)}/s` : "0 s/s") },
};
