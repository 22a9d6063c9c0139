// The busiest files, processes, hosts, call sites and phases.
import { Data, Site } from "../data";
import { make } from "../dom";
import { bars, barRow, section, table as makeTable } from "../parts";
import * as words from "../words";
import { address, Cell, report, Table, table } from "./api";
import { Context } from "./context";
import { filesTable } from "./now";
import { sums } from "./series";
import { filters, go } from "./state";

const kMost = 50;

function downloadLink(path: string, query: { [name: string]: string | number }, text: string): HTMLElement {
  return make("a", { href: address(path, { ...query, format: "csv" }), download: true }, text);
}

function pick(text: string, choose: () => void): HTMLElement {
  const link = make("a", { href: "#" }, text);
  link.addEventListener("click", (event) => { event.preventDefault(); choose(); });
  return link;
}

async function processes(context: Context): Promise<HTMLElement> {
  const [data, known] = await Promise.all([sums(context, "process", { most: kMost }), table("processes", { run: context.run.number })]);
  const rows = new Map(known.rows.map((row) => [known.number(row, "process"), row]));
  const of = (row: Cell[], column: string) => {
    const found = rows.get(data.number(row, "process"));
    return found ? known.text(found, column) : "";
  };
  return makeTable("Processes", [
    { title: "Pid", text: (row: Cell[]) => pick(of(row, "pid"), () => go({ process: data.text(row, "process") })) },
    { title: "Rank", number: true, text: (row) => (of(row, "rank") === "-1" ? "" : of(row, "rank")) },
    { title: "State", text: (row) => of(row, "state") },
    { title: "I/O time", number: true, text: (row) => words.seconds(data.number(row, "seconds")) },
    { title: "Calls", number: true, text: (row) => words.count(data.number(row, "calls")) },
    { title: "Bytes", number: true, text: (row) => words.bytes(data.number(row, "bytes")) },
    { title: "Command", text: (row) => make("code", {}, words.name(of(row, "command"))) },
  ], data.rows);
}

function sitesOf(data: Data): Site[] {
  const found = new Map<string, Site>();
  for (const file of data.files) {
    for (const site of file.sites ?? []) {
      const key = [site.location, site.object, site.interface, site.operation].join("\0");
      const sum = found.get(key);
      if (!sum) found.set(key, { ...site });
      else [sum.count, sum.bytes, sum.seconds] = [sum.count + site.count, sum.bytes + site.bytes, sum.seconds + site.seconds];
    }
  }
  return [...found.values()].sort((a, b) => b.seconds - a.seconds);
}

const kNoLog = "The log of this run is not here: trikal serve --log FILE names it.";

function sites(data: Data | null): HTMLElement {
  if (!data) return section("sites", "Call sites", kNoLog);
  const all = sitesOf(data);
  if (!all.length) return section("sites", "Call sites", "This run noted none: trikal watch --call-sites does.");
  const sum = all.reduce((total, site) => total + site.seconds, 0);
  const first = all[0]!;
  return section("sites", "Call sites", `${words.name(first.location)} takes ${words.percent(words.share(first.seconds, sum))} of the I/O time of all call sites.`,
    makeTable("Call sites", [
      { title: "Where", text: (site: Site) => make("span", {}, make("b", {}, words.name(site.location)), make("span", { class: "muted" }, ` ${words.splitPath(words.name(site.object))[1]}`)) },
      { title: "Call", text: (site) => `${site.interface} ${site.operation}` },
      { title: "I/O time", number: true, text: (site) => words.seconds(site.seconds) },
      { title: "Calls", number: true, text: (site) => words.count(site.count) },
      { title: "Bytes", number: true, text: (site) => words.bytes(site.bytes) },
    ], all.slice(0, kMost)));
}

interface PhaseSum {
  name: string;
  seconds: number; // how long it lasted, all together
  times: number;
  bytes: number;
  io: number;
  goesOn: boolean; // one of them has not ended yet
}

function byProcess(data: Table): Map<number, Cell[][]> {
  const found = new Map<number, Cell[][]>();
  for (const row of data.rows) {
    const process = data.number(row, "process");
    const rows = found.get(process);
    if (rows) rows.push(row);
    else found.set(process, [row]);
  }
  return found;
}

// What was done in the seconds of a phase. A second that two phases share counts by the part of each.
function phaseSums(context: Context, phases: Table, data: Table): PhaseSum[] {
  const found = new Map<string, PhaseSum>();
  const rows = byProcess(data);
  for (const phase of phases.rows) {
    const from = Math.max(phases.number(phase, "begin"), context.from);
    const to = Math.min(phases.number(phase, "end") || context.to, context.to);
    if (to < from) continue;
    const name = phases.text(phase, "name");
    const sum = found.get(name) ?? { name, seconds: 0, times: 0, bytes: 0, io: 0, goesOn: false };
    sum.seconds += to - from;
    sum.times++;
    sum.goesOn ||= context.running && phases.number(phase, "end") === 0;
    for (const row of rows.get(phases.number(phase, "process")) ?? []) {
      const begin = data.number(row, "time");
      const part = Math.max(0, Math.min(begin + data.width, to) - Math.max(begin, from)) / data.width;
      sum.bytes += data.number(row, "bytes") * part;
      sum.io += data.number(row, "seconds") * part;
    }
    found.set(name, sum);
  }
  return [...found.values()].sort((a, b) => b.io - a.io || b.seconds - a.seconds);
}

async function phases(context: Context): Promise<HTMLElement> {
  const known = await table("phases", { run: context.run.number });
  if (!known.rows.length) return section("phases", "Phases", "The program names none (annotate.h).");
  const all = phaseSums(context, known, await sums(context, "time,process"));
  return section("phases", "Phases", "I/O of each phase's process meanwhile, from sums over seconds: to the second, not exact. Nested phases count in each.",
    makeTable("Phases", [
      { title: "Phase", text: (phase: PhaseSum) => words.name(phase.name) },
      { title: "Times", number: true, text: (phase) => words.count(phase.times) },
      { title: "Lasted", number: true, text: (phase) => words.seconds(phase.seconds) + (phase.goesOn ? " so far" : "") },
      { title: "I/O time", number: true, text: (phase) => words.seconds(phase.io) },
      { title: "Bytes", number: true, text: (phase) => words.bytes(Math.round(phase.bytes)) },
    ], all.slice(0, kMost)),
    make("p", {}, downloadLink("phases", { run: context.run.number }, "Download all as CSV")));
}

async function hosts(context: Context): Promise<HTMLElement | null> {
  const data = await sums(context, "host");
  if (data.rows.length < 2) return null;
  const longest = words.largest(data.rows.map((row) => data.number(row, "seconds")));
  return section("hosts", "Hosts", "", bars("I/O time by host", ...data.rows.map((row) => barRow(words.name(data.text(row, "host")),
    [{ kind: "plain", value: data.number(row, "seconds") }], longest, `${words.seconds(data.number(row, "seconds"))}, ${words.bytes(data.number(row, "bytes"))}`))));
}

export async function top(context: Context): Promise<HTMLElement[]> {
  const [files, list, log, byHost] = await Promise.all([sums(context, "file", { most: kMost }), processes(context), report(context.run.number, context.running), hosts(context)]);
  const query = { ...filters(context.state, context.run.number) };
  return [
    section("files", "Files", "Those with the most I/O time first; a click shows one alone.", filesTable("Files", files, 0),
      make("p", {}, downloadLink("sums", { ...query, by: "file,operation" }, "Download all as CSV"))),
    section("processes", "Processes", "", list,
      make("p", {}, downloadLink("sums", { ...query, by: "process,operation" }, "Download all as CSV"))),
    sites(log), await phases(context), ...(byHost ? [byHost] : []),
  ];
}
