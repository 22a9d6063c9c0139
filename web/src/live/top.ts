// The busiest files, processes and hosts.
import { make } from "../dom";
import { section, table as makeTable } from "../parts";
import * as words from "../words";
import { address, Cell, table } from "./api";
import { Context } from "./context";
import { topFiles } from "./now";
import { sums } from "./series";
import { filters, go } from "./state";

const kMost = 50;

export function downloadLink(path: string, query: { [name: string]: string | number }, text: string): HTMLElement {
  return make("a", { href: address(path, { ...query, format: "csv" }), download: true }, text);
}

async function topProcesses(context: Context): Promise<HTMLElement> {
  const [data, known] = await Promise.all([
    sums(context, "process", { most: kMost }), table("processes", { run: context.run.number }),
  ]);
  const rows = new Map(known.rows.map((row) => [known.number(row, "process"), row]));
  const of = (row: Cell[], column: string) => {
    const found = rows.get(data.number(row, "process"));
    return found ? known.text(found, column) : "";
  };
  return makeTable("Processes", [
    { title: "Process", text: (row: Cell[]) => {
      const link = make("a", { href: "#" }, of(row, "pid"));
      link.addEventListener("click", (event) => { event.preventDefault(); go({ process: data.text(row, "process") }); });
      return link;
    } },
    { title: "Rank", number: true, text: (row) => (of(row, "rank") === "-1" ? "" : of(row, "rank")) },
    { title: "State", text: (row) => of(row, "state") },
    { title: "Time", number: true, text: (row) => words.seconds(data.number(row, "seconds")) },
    { title: "Calls", number: true, text: (row) => words.count(data.number(row, "calls")) },
    { title: "Bytes", number: true, text: (row) => words.bytes(data.number(row, "bytes")) },
    { title: "Command", text: (row) => make("code", {}, words.name(of(row, "command"))) },
  ], data.rows);
}

export async function top(context: Context): Promise<HTMLElement[]> {
  const [files, processes] = await Promise.all([topFiles(context, kMost), topProcesses(context)]);
  const query = { ...filters(context.state, context.run.number) };
  return [
    section("files", "Files", "Those with the most time first; a click shows one alone.", files,
      make("p", {}, downloadLink("sums", { ...query, by: "file,operation" }, "Download all as CSV"))),
    section("processes", "Processes", "", processes,
      make("p", {}, downloadLink("sums", { ...query, by: "process,operation" }, "Download all as CSV"))),
  ];
}
