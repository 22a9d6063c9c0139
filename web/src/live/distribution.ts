// How long calls took and how large they were, from events.
import { make } from "../dom";
import { bars, barRow, section, table as makeTable } from "../parts";
import * as words from "../words";
import { Table, table } from "./api";
import { Context } from "./context";
import { accounting, counted, eventQuery, none } from "./events_view";

const kNano = 1e9;

function histogram(data: Table, measure: string, say: (value: number) => string): HTMLElement[] {
  const rowsOf = data.rows.filter((row) => data.text(row, "measure") === measure);
  const operations = [...new Set(rowsOf.map((row) => data.text(row, "operation")))];
  return operations.flatMap((operation) => {
    const rows = rowsOf.filter((row) => data.text(row, "operation") === operation);
    const longest = words.largest(rows.map((row) => data.number(row, "count")));
    const list = bars(`${operation}: ${measure}`, ...rows.map((row) => barRow(`from ${say(data.number(row, "least"))}`,
      [{ kind: "plain", value: data.number(row, "count") }], longest, words.count(data.number(row, "count")))));
    return [make("h3", {}, operation), list];
  });
}

export function percentiles(data: Table): HTMLElement {
  const value = (operation: string, name: string) => {
    const row = data.rows.find((one) => data.text(one, "operation") === operation && data.text(one, "measure") === name);
    return row ? words.seconds(data.number(row, "least") / kNano) : "";
  };
  const operations = [...new Set(data.rows.map((row) => data.text(row, "operation")))];
  return makeTable("Durations", [
    { title: "Call", text: (operation: string) => operation },
    ...["p50", "p90", "p99", "max"].map((name) => ({ title: name === "p50" ? "median" : name, number: true, text: (operation: string) => value(operation, name) })),
  ], operations);
}

export async function distribution(context: Context): Promise<HTMLElement[]> {
  const counts = await counted(context);
  if (!counts.emitted) return none("Distribution");
  const data = await table("distribution", eventQuery(context));
  const seconds = (value: number) => (value < 1000 ? `${value} ns` : words.seconds(value / kNano));
  return [
    section("durations", "Durations", `${accounting(counts)} Percentiles are right to a sixteenth.`, percentiles(data), ...histogram(data, "duration", seconds)),
    section("sizes", "Sizes", "Bytes of the calls that moved any.", ...histogram(data, "length", words.bytes)),
  ];
}
