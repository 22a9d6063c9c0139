// Sums over time in groups, as lines of a chart.
import { Table, table } from "./api";
import { Line } from "./chart";
import { Context } from "./context";
import { filters } from "./state";

export type Measure = "bytes" | "calls" | "seconds";
export const kOperations = ["read", "write", "metadata"] as const;

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
    line.points.push([data.number(row, "time"), data.number(row, measure) / data.width]);
    found.set(name, line);
  }
  return [...found.values()];
}
