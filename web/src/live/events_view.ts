// Single events: a picture of them by thread and time, filters, and a table. Needs a run that was watched with --events.
import { make } from "../dom";
import { path, section, table as makeTable } from "../parts";
import * as words from "../words";
import { address, Cell, Query, Table, table } from "./api";
import { Context } from "./context";
import { picture } from "./event_picture";
import { accounting, eventQuery, eventSpan, kNano, none } from "./event_query";
import { go, State } from "./state";

const kMost = 2000; // events in view
const kShown = 200; // rows of the table

function choice(label: string, name: "interface" | "call" | "order", options: [value: string, text: string][], state: State): HTMLElement {
  const select = make("select");
  for (const [value, text] of options) select.append(make("option", { value, selected: value === state[name] }, text));
  select.addEventListener("change", () => go({ [name]: select.value }));
  return make("label", {}, `${label} `, select);
}

function field(label: string, name: "rank" | "process" | "thread" | "file", state: State, number: boolean): HTMLElement {
  const input = make("input", { type: number ? "number" : "text", min: number ? 0 : undefined, value: state[name], class: number ? "short" : "long" });
  input.addEventListener("change", () => go({ [name]: input.value.trim() }));
  return make("label", { title: "empty: all" }, `${label} `, input);
}

// What the run has; what is chosen already is among it, even if nothing matches.
function controls(context: Context, kinds: Table): HTMLElement {
  const { state } = context;
  const all = (column: string, chosen: string): [string, string][] =>
    [["", "all"], ...[...new Set([...kinds.rows.map((row) => kinds.text(row, column)), chosen])].filter(Boolean).sort().map((name): [string, string] => [name, name])];
  return make("div", { class: "controls filters" },
    choice("Interface", "interface", all("interface", state.interface), state),
    choice("Call", "call", all("call", state.call), state),
    field("Rank", "rank", state, true), field("Process", "process", state, true), field("Thread", "thread", state, true),
    field("File", "file", state, false),
    choice("Table by", "order", [["time", "time"], ["duration", "duration, longest first"]], state));
}

function list(data: Table): HTMLElement {
  const sited = data.rows.some((row) => data.text(row, "site") !== "");
  const made = makeTable("Events", [
    { title: "Time", number: true, text: (row: Cell[]) => `${(data.number(row, "time") / kNano).toFixed(9)} s` },
    { title: "Took", number: true, text: (row) => words.seconds(data.number(row, "duration") / kNano) },
    { title: "Rank", number: true, text: (row) => (data.number(row, "rank") < 0 ? "" : data.text(row, "rank")) },
    { title: "Pid", number: true, text: (row) => data.text(row, "pid") },
    { title: "Thread", number: true, text: (row) => data.text(row, "thread") },
    { title: "Call", text: (row) => `${data.text(row, "interface")} ${data.text(row, "operation")}` },
    { title: "Offset", number: true, text: (row) => (data.number(row, "offset") < 0 ? "" : data.text(row, "offset")) },
    { title: "Bytes", number: true, text: (row) => data.text(row, "length") },
    { title: "File", text: (row) => path(data.text(row, "file")) },
    ...(sited ? [{ title: "Called from", text: (row: Cell[]) => make("code", {}, words.name(data.text(row, "site"))) }] : []),
  ], data.rows.slice(0, kShown));
  made.classList.add("tall");
  return made;
}

const kKindsAge = 10000; // milliseconds: for it all events are read
let known: { run: number; at: number; kinds: Promise<Table> } | null = null;

function kindsOf(context: Context): Promise<Table> {
  if (known && known.run === context.run.number && (!context.running || Date.now() - known.at < kKindsAge)) return known.kinds;
  known = { run: context.run.number, at: Date.now(), kinds: askKinds(context) };
  return known.kinds;
}

async function askKinds(context: Context): Promise<Table> {
  const query: Query = { run: context.run.number, since: context.run.start };
  const [layers, calls] = await Promise.all([table("event_sums", { ...query, by: "interface" }), table("event_sums", { ...query, by: "call" })]);
  return new Table({ columns: ["interface", "call"], rows: [
    ...layers.rows.map((row): Cell[] => [layers.text(row, "interface"), null]), ...calls.rows.map((row): Cell[] => [null, calls.text(row, "call")])] });
}

export async function events(context: Context): Promise<HTMLElement[]> {
  if (!context.facts.events.emitted) return [none("Events")];
  const query = eventQuery(context);
  const order = context.state.order === "duration" ? "duration" : "time";
  const [drawn, kinds] = await Promise.all([table("events", { ...query, most: kMost }), kindsOf(context)]);
  const data = order === "time" ? drawn : await table("events", { ...query, order, most: kShown });
  const cut = drawn.rows.length === kMost ? ` The first ${words.count(kMost)} of this time are drawn; drag over the picture to zoom.` : "";
  const last = drawn.rows.reduce((most, row) => Math.max(most, drawn.number(row, "time") + drawn.number(row, "duration")), 0);
  const first = drawn.rows.length ? drawn.number(drawn.rows[0]!, "time") : 0;
  const span: [number, number] = context.state.end && !cut ? eventSpan(context) : [first, Math.max(first + 1, last)];
  const download = (format: string) => make("a", { href: address("events", { ...query, order, most: 100000, format }), download: `events.${format}` }, format.toUpperCase());
  return [section("events", "Events", `${accounting(context.facts.events)} Times count from the start of the run.${cut}`, controls(context, kinds),
    drawn.rows.length ? picture(drawn, span, (begin, end) => go({ begin, end })) : make("p", {}, "No event matches."),
    list(data),
    make("p", {}, `The table has up to ${kShown}. Up to 100,000 as `, download("csv"), " or ", download("json"), "."))];
}
