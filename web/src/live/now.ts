// Throughput, calls, the busiest files, findings so far.
import { make } from "../dom";
import { facts, path, section, table as makeTable } from "../parts";
import * as words from "../words";
import { Cell, Table, table } from "./api";
import { draw } from "./chart";
import { Context } from "./context";
import { kindOf, lines, sums } from "./series";
import { go } from "./state";

const kRecent = 5; // seconds that "now" is

function chartOf(context: Context, data: Table, measure: "bytes" | "calls", label: string): HTMLElement {
  const say = measure === "bytes" ? (value: number) => `${words.bytes(value)}/s` : (value: number) => `${words.count(value)}/s`;
  return draw({
    label, say, from: context.from, to: context.to, width: data.width,
    lines: lines(data, "operation", measure, kindOf), zoom: (from, to) => go({ from, to }),
  });
}

function recent(data: Table, to: number, operation: string, measure: "bytes" | "calls"): number {
  let sum = 0;
  for (const row of data.rows) {
    const time = data.number(row, "time");
    if (data.text(row, "operation") === operation && time >= to - kRecent && time < to) sum += data.number(row, measure);
  }
  return sum / kRecent;
}

function sentence(context: Context, data: Table): string {
  const ended = context.run.running === 0 || context.state.to !== 0;
  const rate = (operation: string) => `${words.bytes(recent(data, context.to, operation, "bytes"))}/s`;
  const all = `${words.bytes(context.run.written)} written and ${words.bytes(context.run.read)} read in ${words.seconds(context.to - context.run.start)}`;
  if (ended) return `The run has ended: ${all}.`;
  return `Now: ${rate("write")} written, ${rate("read")} read, ${words.count(recent(data, context.to, "metadata", "calls"))} metadata calls a second. So far ${all}.`;
}

export async function findings(context: Context): Promise<HTMLElement> {
  const data = await table("findings", { run: context.run.number });
  if (!data.rows.length) return section("findings", "Findings so far", "Nothing yet that is worth a change.");
  const list = make("ul", { class: "findings" });
  for (const row of data.rows) {
    const seconds = data.number(row, "seconds");
    const severity = ["high", "medium", "low"].includes(data.text(row, "severity")) ? data.text(row, "severity") : "info";
    list.append(make("li", { class: `finding ${severity}` },
      make("div", { class: "finding-head" }, make("span", { class: "severity" }, severity),
        make("h3", {}, words.name(data.text(row, "title"))), make("code", { class: "code" }, words.name(data.text(row, "code"))),
        make("p", { class: "cost" }, seconds >= 0 ? make("b", {}, words.seconds(seconds)) : "", seconds >= 0 ? " lost so far" : "cost unknown"))));
  }
  return section("findings", "Findings so far", "", list);
}

export async function topFiles(context: Context, most: number): Promise<HTMLElement> {
  const data = await sums(context, "file", { most });
  return makeTable("Files", [
    { title: "File", text: (row: Cell[]) => {
      const link = make("a", { href: "#" }, path(data.text(row, "file")));
      link.addEventListener("click", (event) => { event.preventDefault(); go({ file: data.text(row, "file") }); });
      return link;
    } },
    { title: "Time", number: true, text: (row) => words.seconds(data.number(row, "seconds")) },
    { title: "Calls", number: true, text: (row) => words.count(data.number(row, "calls")) },
    { title: "Bytes", number: true, text: (row) => words.bytes(data.number(row, "bytes")) },
  ], data.rows);
}

export async function now(context: Context): Promise<HTMLElement[]> {
  const [data, layers, found, files] = await Promise.all([
    sums(context, "time,operation"), sums(context, "interface,operation", { layers: "all" }), findings(context), topFiles(context, 8),
  ]);
  const layerTable = makeTable("Interfaces", [
    { title: "Interface", text: (row: Cell[]) => words.name(layers.text(row, "interface")) },
    { title: "Operation", text: (row) => layers.text(row, "operation") },
    { title: "Calls", number: true, text: (row) => words.count(layers.number(row, "calls")) },
    { title: "Bytes", number: true, text: (row) => words.bytes(layers.number(row, "bytes")) },
    { title: "Time", number: true, text: (row) => words.seconds(layers.number(row, "seconds")) },
  ], layers.rows);
  return [
    section("throughput", "Throughput", sentence(context, data), chartOf(context, data, "bytes", "Bytes a second by operation")),
    section("calls", "Calls", "Calls a second, by operation.", chartOf(context, data, "calls", "Calls a second by operation")),
    found,
    section("files", "Active files", "Those with the most time first.", files),
    section("interfaces", "Interfaces",
      "An access through MPI-IO or HDF5 is in POSIX as well: only POSIX and STDIO are in the totals above.", layerTable),
    section("run", "Run", "", facts([
      ["Command", make("code", {}, words.name(context.run.command))], ["Host", words.name(context.run.host)],
      ["Started", words.date(context.run.start)], ["Processes", `${context.run.processes}, of which ${context.run.running} run`],
      ["I/O time", `${words.seconds(context.run.seconds)}, all processes together`]])),
  ];
}
