// How long calls took and how large they were: from events, else from the counters of the log.
import { make } from "../dom";
import { sizes } from "../layers";
import { bars, barRow, section, table as makeTable } from "../parts";
import * as words from "../words";
import { report, Table, table } from "./api";
import { Context } from "./context";
import { accounting, eventQuery, kNano, kindOfCall, none } from "./event_query";

const kMost = 6; // calls with a histogram

const kPercentiles = ["p50", "p90", "p99", "max"];

function countOf(data: Table, operation: string, measure: string): number {
  return data.rows.reduce((sum, row) => sum + (data.text(row, "operation") === operation && data.text(row, "measure") === measure ? data.number(row, "count") : 0), 0);
}

// Those that were called most often first; all of them together have no name.
function operationsOf(data: Table, measure: string): string[] {
  const names = [...new Set(data.rows.map((row) => data.text(row, "operation")))].filter((name) => name && countOf(data, name, measure));
  return names.sort((a, b) => countOf(data, b, measure) - countOf(data, a, measure));
}

function histogram(data: Table, measure: string, say: (value: number) => string): HTMLElement {
  const cards = operationsOf(data, measure).slice(0, kMost).map((operation) => {
    const rows = data.rows.filter((row) => data.text(row, "measure") === measure && data.text(row, "operation") === operation);
    const longest = words.largest(rows.map((row) => data.number(row, "count")));
    const list = bars(`${operation}: ${measure}`, ...rows.map((row) => barRow(`from ${say(data.number(row, "least"))}`,
      [{ kind: kindOfCall(operation), value: data.number(row, "count") }], longest, words.count(data.number(row, "count")))));
    return make("div", { class: "card" }, make("h3", {}, operation), list);
  });
  return make("div", { class: "cards" }, ...cards);
}

function percentiles(data: Table): HTMLElement {
  const value = (operation: string, name: string) => {
    const row = data.rows.find((one) => data.text(one, "operation") === operation && data.text(one, "measure") === name);
    return row ? words.seconds(data.number(row, "least") / kNano) : "";
  };
  return makeTable("Durations", [
    { title: "Call", text: (operation: string) => operation || "all calls" },
    { title: "Calls", number: true, text: (operation) => words.exact((operation ? [operation] : operationsOf(data, "duration")).reduce((sum, one) => sum + countOf(data, one, "duration"), 0)) },
    ...kPercentiles.map((name) => ({ title: name === "p50" ? "median" : name === "max" ? "longest" : `${name.slice(1)} %`, number: true, text: (operation: string) => value(operation, name) })),
  ], [...operationsOf(data, "duration"), ""]);
}

async function ofCounters(context: Context): Promise<HTMLElement[]> {
  const missing = none("Durations", "durations");
  const data = await report(context.run.number, context.running);
  const counted = data ? sizes(data) : null;
  return counted ? [counted, missing] : [missing];
}

export async function distribution(context: Context): Promise<HTMLElement[]> {
  if (!context.facts.events.emitted) return ofCounters(context);
  const data = await table("distribution", eventQuery(context));
  if (!data.rows.length) return [section("durations", "Durations", `${accounting(context.facts.events)} None is in this time with these filters.`)];
  const seconds = (value: number) => (value < 1000 ? `${value} ns` : words.seconds(value / kNano));
  const rest = operationsOf(data, "duration").length > kMost ? ` Histograms: the ${kMost} most frequent calls.` : "";
  return [
    section("durations", "Durations", `${accounting(context.facts.events)} Percentiles are within a sixteenth of the true value; counts and the longest are exact.${rest}`,
      percentiles(data), histogram(data, "duration", seconds)),
    section("sizes", "Sizes", "Bytes of each call that moved any; each bar reaches to the next power of two.", histogram(data, "length", words.bytes)),
  ];
}
