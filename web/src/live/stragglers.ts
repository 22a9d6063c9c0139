// Ranks, or processes where there are none, that take longer than the others.
import { bars, barRow, legend, section } from "../parts";
import * as words from "../words";
import { Cell } from "./api";
import { Context } from "./context";
import { sums } from "./series";

const kMost = 40;

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (!sorted.length) return 0;
  return sorted.length % 2 ? sorted[middle] ?? 0 : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export async function stragglers(context: Context): Promise<HTMLElement[]> {
  const column = context.run.ranks > 0 ? "rank" : "process";
  const [data, split] = await Promise.all([sums(context, column), sums(context, `${column},operation`)]);
  const rows = data.rows.filter((row) => column !== "rank" || data.number(row, column) >= 0);
  const time = (row: Cell[]) => data.number(row, "seconds");
  const typical = median(rows.map(time));
  const slowest = rows[0];
  const pieces = new Map<string, { [operation: string]: number }>();
  for (const row of split.rows) {
    const key = split.text(row, column);
    pieces.set(key, { ...pieces.get(key), [split.text(row, "operation")]: split.number(row, "seconds") });
  }
  const longest = words.largest(rows.map(time));
  const list = bars("I/O time", ...rows.slice(0, kMost).map((row) => {
    const own = pieces.get(data.text(row, column)) ?? {};
    return barRow(`${column} ${data.text(row, column)}`, [
      { kind: "read", value: own["read"] ?? 0 }, { kind: "write", value: own["write"] ?? 0 }, { kind: "meta", value: own["metadata"] ?? 0 },
    ], longest, `${words.seconds(time(row))} of I/O, ${words.bytes(data.number(row, "bytes"))}, ${words.several(data.number(row, "calls"), "call")}${typical > 0 ? `, ${(time(row) / typical).toFixed(1)} × the median` : ""}`);
  }));
  let said = "Nothing was done yet.";
  if (slowest && rows.length === 1) said = `There is only one ${column}.`;
  else if (slowest) {
    const ratio = typical > 0 ? time(slowest) / typical : 0;
    said = `${column} ${data.text(slowest, column)} spent ${words.seconds(time(slowest))} in I/O; half of all spent ${words.seconds(typical)} or less${ratio >= 1.25 ? `: it takes ${ratio.toFixed(1)} times as long` : ", so none stands out"}.`;
  }
  const rest = rows.length > kMost ? ` The ${kMost} slowest of ${words.count(rows.length)} are shown.` : "";
  return [section("stragglers", "Stragglers", said + rest, rows.length ? legend("read", "write", "meta") : null, list)];
}
