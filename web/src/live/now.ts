// Throughput, calls, latency, the busiest files, findings so far.
import { make } from "../dom";
import { facts, path, section, table as makeTable } from "../parts";
import * as words from "../words";
import { Cell, Table, table } from "./api";
import { draw, kindAt } from "./chart";
import { Context } from "./context";
import { eventQuery, kNano } from "./event_query";
import { findings } from "./findings_list";
import { kindOf, kMeasures, lines, sums } from "./series";
import { go } from "./state";

const kRecent = 5; // seconds that "now" is

function chartOf(context: Context, data: Table, column: string, measure: "bytes" | "calls"): HTMLElement {
  const { label, unit, say } = kMeasures[measure];
  let other = 0;
  const kind = (name: string) => (column === "operation" ? kindOf(name) : kindAt(other++));
  const drawn = lines(data, column, measure, kind).filter((line) => measure !== "bytes" || line.points.some(([, value]) => value > 0));
  return draw({
    label: `${label} by ${column}`, unit, say, from: context.from, to: context.to, origin: context.run.start, width: data.width,
    lines: drawn, columns: 2, zoom: (from, to) => go({ from, to }),
  });
}

// Mean over the last seconds; of a run that has ended, or a part of one, over all of it.
interface Rates {
  over: number; // seconds
  isNow: boolean;
  rate: (operation: string, measure: "bytes" | "calls" | "seconds") => number;
}

export function rates(context: Context, data: Table): Rates {
  const isNow = context.running && !context.state.to;
  const from = isNow ? Math.max(context.from, context.to - kRecent) : context.from;
  const over = Math.max(1, context.to - from);
  return { over, isNow, rate: (operation, measure) => {
    let sum = 0;
    for (const row of data.rows) {
      const time = data.number(row, "time");
      if ((operation === "" || data.text(row, "operation") === operation) && time >= from && time < context.to) sum += data.number(row, measure);
    }
    return sum / over;
  } };
}

function tile(title: string, value: string, note: string): HTMLElement {
  return make("div", { class: "tile" }, make("dt", {}, title), make("dd", {}, make("b", {}, value), make("span", {}, note)));
}

// How long calls take: percentiles where each call is known, else the mean.
interface Latency {
  title: string;
  value: string;
  note: string;
}

async function latency(context: Context, all: Rates): Promise<Latency> {
  if (context.facts.events.stored) {
    const query = eventQuery(context);
    if (all.isNow) query["begin"] = Math.floor(Math.max(0, context.facts.now - context.run.start - kRecent) * kNano);
    const events = await table("distribution", query);
    const of = (measure: string) => {
      const row = events.rows.find((one) => events.text(one, "operation") === "" && events.text(one, "measure") === measure);
      return row ? words.seconds(events.number(row, "least") / kNano) : "–";
    };
    return { title: "Latency of a call", value: of("p50"), note: `median; 90 %: ${of("p90")}, 99 %: ${of("p99")}, longest ${of("max")}` };
  }
  const calls = all.rate("", "calls");
  const mean = (operation: string) => {
    const count = all.rate(operation, "calls");
    return count > 0 ? words.seconds(all.rate(operation, "seconds") / count) : "–";
  };
  return { title: "Latency of a call", value: calls > 0 ? mean("") : "–", note: `mean; read ${mean("read")}, write ${mean("write")}, metadata ${mean("metadata")}. Percentiles need --events` };
}

function rankNote(context: Context): string {
  return context.run.ranks > 0 ? `${words.several(context.run.ranks, "rank")}, ${words.several(context.run.processes, "process", "processes")} in all` : `of ${words.several(context.run.processes, "process", "processes")}`;
}

async function tiles(context: Context, data: Table, active: Table): Promise<HTMLElement> {
  const all = rates(context, data);
  const said = await latency(context, all);
  const when = all.isNow ? `mean of ${words.seconds(all.over)}` : `mean over ${words.seconds(all.over)}`;
  const busy = context.run.ranks > 0 ? context.run.ranks : Math.max(1, all.isNow ? context.run.running : context.run.processes);
  const share = all.rate("", "seconds") / busy;
  const { events } = context.facts;
  const kept = context.facts.drops.sum("count");
  const { lag } = context.facts;
  return make("dl", { class: "tiles", "aria-label": all.isNow ? "Now" : "On average" },
    tile("Written", `${words.bytes(all.rate("write", "bytes"))}/s`, when),
    tile("Read", `${words.bytes(all.rate("read", "bytes"))}/s`, when),
    tile("Operations", `${words.number(all.rate("", "calls"))}/s`, `read ${words.number(all.rate("read", "calls"))}, write ${words.number(all.rate("write", "calls"))}, metadata ${words.number(all.rate("metadata", "calls"))}`),
    tile("I/O time", words.percent(share), `of the time of each ${context.run.ranks > 0 ? "rank" : "process"}, on average`),
    tile(said.title, said.value, said.note),
    tile("Active files", words.exact(active.rows.length), all.isNow ? `in the last ${words.seconds(all.over)}` : "in this time"),
    tile("Processes", words.exact(all.isNow ? context.run.running : context.run.processes), all.isNow ? `running; ${rankNote(context)}` : rankNote(context)),
    tile("Dropped events", events.emitted ? words.exact(events.dropped) : "none taken", events.emitted ? `of ${words.exact(events.emitted)} emitted` : kept ? "see what is not exact, above" : "counters only, which drop nothing"),
    ...(all.isNow && lag !== undefined ? [tile("Lag", words.seconds(Math.round(lag * 10) / 10), "age of the newest value in the store")] : []));
}

export function filesTable(label: string, data: Table, over: number): HTMLElement {
  return makeTable(label, [
    { title: "File", text: (row: Cell[]) => {
      const link = make("a", { href: "#" }, path(data.text(row, "file") || "(no name)"));
      link.addEventListener("click", (event) => { event.preventDefault(); go({ file: data.text(row, "file") }); });
      return link;
    } },
    { title: "I/O time", number: true, text: (row) => words.seconds(data.number(row, "seconds")) },
    { title: "Calls", number: true, text: (row) => words.count(data.number(row, "calls")) },
    { title: "Bytes", number: true, text: (row) => words.bytes(data.number(row, "bytes")) },
    { title: over ? "Bytes/s" : "Bytes a call", number: true, text: (row) => (over
      ? `${words.bytes(data.number(row, "bytes") / over)}/s`
      : words.bytes(Math.round(words.share(data.number(row, "bytes"), data.number(row, "calls"))))) },
  ], data.rows);
}

function layerTable(layers: Table): HTMLElement {
  return makeTable("Interfaces", [
    { title: "Interface", text: (row: Cell[]) => words.name(layers.text(row, "interface")) },
    { title: "Operation", text: (row) => layers.text(row, "operation") },
    { title: "Calls", number: true, text: (row) => words.count(layers.number(row, "calls")) },
    { title: "Bytes", number: true, text: (row) => words.bytes(layers.number(row, "bytes")) },
    { title: "I/O time", number: true, text: (row) => words.seconds(layers.number(row, "seconds")) },
    { title: "Mean call", number: true, text: (row) => words.seconds(words.share(layers.number(row, "seconds"), layers.number(row, "calls"))) },
  ], layers.rows);
}

const kActive = 8;

export async function now(context: Context): Promise<HTMLElement[]> {
  const recent: { from?: number } = context.running && !context.state.to ? { from: Math.max(context.from, context.to - kRecent) } : {};
  const [data, byLayer, layers, active] = await Promise.all([
    sums(context, "time,operation"), sums(context, "time,interface", { layers: "all" }),
    sums(context, "interface,operation", { layers: "all" }), sums(context, "file", { most: 20000, ...(recent.from ? { from: recent.from } : {}) }),
  ]);
  const over = rates(context, data).over;
  const shown = new Table({ columns: active.columns, rows: active.rows.slice(0, kActive) });
  return [
    section("now", context.running && !context.state.to ? "Now" : "On average", "", await tiles(context, data, active)),
    section("throughput", "Throughput", "By operation: POSIX and STDIO alone, because what goes through MPI-IO or HDF5 reaches POSIX as well. Drag over a chart to zoom.",
      make("div", { class: "duo" }, chartOf(context, data, "operation", "bytes"), chartOf(context, byLayer, "interface", "bytes"))),
    findings(context),
    section("calls", "Operations", "",
      make("div", { class: "duo" }, chartOf(context, data, "operation", "calls"), chartOf(context, byLayer, "interface", "calls"))),
    section("files", "Active files", active.rows.length ? `Those with the most I/O time ${recent.from ? `in the last ${words.seconds(over)}` : "in this time"}; a click shows one alone.` : "No file was used in this time.",
      active.rows.length ? filesTable("Files", shown, over) : null),
    section("interfaces", "Interfaces", "Of the whole time in view, every layer by itself.", layerTable(layers)),
    section("run", "Run", "", facts([
      ["Command", make("code", {}, words.name(context.run.command))], ["Host", words.name(context.run.host)],
      ["Started", words.date(context.run.start)], ["Processes", `${words.several(context.run.processes, "process", "processes")}, of which ${context.run.running} run`],
      ["I/O time", `${words.seconds(context.run.seconds)}, all processes together`]])),
  ];
}
