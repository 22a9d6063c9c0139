// Ranks by time. Dragging over the picture zooms: finer slices are then asked for, in the end of single events.
import { Heat } from "../data";
import { make } from "../dom";
import { HeatCanvas } from "../heat_canvas";
import { HeatModel } from "../heat_model";
import { listenToPointer } from "../heat";
import { section } from "../parts";
import * as words from "../words";
import { Table, table } from "./api";
import { Context } from "./context";
import { picture } from "./event_picture";
import { eventQuery, eventSpan, kNano } from "./event_query";
import { kMeasures, sums } from "./series";
import { go, measureOf, State } from "./state";

const kFine = 20; // seconds: of less than so much, slices are made of events
const kSlices = 200;
const kSingle = 2000; // so many calls are shown as they are

interface Source {
  data: Table;
  time: string; // the column with the begin of a slice
  width: number; // of a slice, in seconds
  first: number; // the first slice, in seconds since the start of the run
  slices: number;
  fine: boolean;
}

// As the report page has it. Processes without a rank have the number of the process instead.
export function heatOf(source: Source, column: string, measure: string, begin: (value: number) => number): Heat {
  const { data, slices, width, first } = source;
  const found = new Map<number, { read: number[]; written: number[] }>();
  for (const row of data.rows) {
    const key = data.number(row, column);
    if (!found.has(key)) found.set(key, { read: new Array<number>(slices).fill(0), written: new Array<number>(slices).fill(0) });
    const line = found.get(key)!;
    const slice = Math.round((begin(data.number(row, source.time)) - first) / width);
    if (slice < 0 || slice >= slices) continue;
    const to = data.text(row, "operation") === "read" ? line.read : line.written;
    to[slice] = (to[slice] ?? 0) + data.number(row, measure);
  }
  const sorted = [...found.entries()].sort(([a], [b]) => a - b);
  return { interface: "POSIX and STDIO", width, ranks_a_row: 1, rows: sorted.map(([rank, line]) => ({ rank, ...line })) } as Heat;
}

async function sourceOf(context: Context, column: string): Promise<Source> {
  const [begin, end] = eventSpan(context);
  const asked = context.state.end || context.state.to;
  if (context.facts.events.stored && asked && end - begin <= kFine * kNano) {
    const data = await table("event_sums", { ...eventQuery(context), begin, end, by: column, slices: kSlices });
    const width = data.width / kNano;
    return { data, time: "begin", width, first: begin / kNano, slices: Math.max(1, Math.ceil((end - begin) / data.width)), fine: true };
  }
  const data = await sums(context, `time,${column},operation`);
  const first = Math.floor(context.from / data.width) * data.width;
  return { data, time: "time", width: data.width, first: first - context.run.start, fine: false,
    slices: Math.max(1, Math.ceil((context.to - first) / data.width)) };
}

// What a selection asks for: whole seconds while they are many, then nanoseconds.
function zoomed(context: Context, source: Source, column: string, model: HeatModel): Partial<State> {
  const { fromSlice, toSlice, fromRow, toRow } = model.view;
  const only = toRow - fromRow === 1 && model.rows > 1 ? String(model.heat.rows[fromRow]?.rank ?? "") : "";
  const who: Partial<State> = only === "" ? {} : column === "rank" ? { rank: only } : { process: only };
  const [begin, end] = [source.first + fromSlice * source.width, source.first + toSlice * source.width];
  if (source.fine) return { ...who, begin: Math.floor(begin * kNano), end: Math.ceil(end * kNano) };
  return { ...who, from: context.run.start + Math.floor(begin), to: context.run.start + Math.ceil(end), begin: 0, end: 0 };
}

function pickMeasure(measure: string): HTMLElement {
  const select = make("select");
  for (const [value, text] of [["bytes", "bytes"], ["calls", "calls"], ["seconds", "I/O time"]] as const) {
    select.append(make("option", { value, selected: value === measure }, text));
  }
  select.addEventListener("change", () => go({ measure: select.value }));
  return make("div", { class: "controls" }, make("label", {}, "Cells show ", select));
}

function sayCell(measure: string): (value: number) => string {
  if (measure === "bytes") return words.bytes;
  return measure === "calls" ? (value) => words.several(value, "call") : words.seconds;
}

function scale(model: HeatModel): HTMLElement {
  let most = 0;
  for (let row = 0; row < model.rows; row++) for (let slice = 0; slice < model.slices; slice++) most = Math.max(most, model.value(row, slice));
  return make("p", { class: "legend" }, make("span", {}, "0 "), make("i", { class: "ramp", "aria-hidden": "true" }),
    make("span", {}, `${model.valueOf(most)} in a cell`));
}

async function single(context: Context): Promise<HTMLElement | null> {
  const span = eventSpan(context);
  const data = await table("events", { ...eventQuery(context), begin: span[0], end: span[1], most: kSingle });
  if (!data.rows.length || data.rows.length === kSingle) return null;
  const to = make("a", { href: "#" }, "Table of these calls");
  to.addEventListener("click", (event) => {
    event.preventDefault();
    go({ view: "events", begin: span[0], end: span[1] });
  });
  return section("single", "Single calls", `${words.several(data.rows.length, "call")} in this time, each with its begin and duration.`,
    picture(data, span, (begin, end) => go({ begin, end })), make("p", {}, to));
}

export async function heat(context: Context): Promise<HTMLElement[]> {
  const column = context.run.ranks > 0 ? "rank" : "process";
  const measure = measureOf(context.state);
  const source = await sourceOf(context, column);
  const begin = source.fine ? (value: number) => value / kNano : (value: number) => value - context.run.start;
  const model = new HeatModel(heatOf(source, column, measure, begin));
  model.origin = source.first;
  model.valueOf = sayCell(measure);
  const noRank = column === "rank" ? "no rank" : "process -1";
  model.nameOf = (rank) => (rank < 0 ? noRank : `${column} ${rank}`);
  const canvas = make("canvas", { class: "heat", role: "img", "aria-label": `${kMeasures[measure].label} by ${column} and time` });
  const readout = make("output", { class: "readout" });
  const drawing = new HeatCanvas(canvas, model);
  listenToPointer(drawing, () => go(zoomed(context, source, column, model)), () => {
    if (drawing.cursor) readout.textContent = model.say(drawing.cursor.row, drawing.cursor.slice);
  });
  new ResizeObserver(() => drawing.draw()).observe(canvas);
  const rows = words.several(model.heat.rows.length, column, column === "process" ? "processes" : "ranks");
  const finer = source.fine ? "made of single events" : context.facts.events.stored ? "zoom in for single calls" : "with --events, zoom reaches single calls";
  const parts = [section("heat", `${measure === "bytes" ? "Bytes" : measure === "calls" ? "Calls" : "I/O time"} by ${column} and time`,
    `${rows}, ${words.seconds(source.width)} a cell; ${finer}. Drag over the picture to zoom; the grey profile is the sum of all.`,
    pickMeasure(measure), model.heat.rows.length ? canvas : make("p", {}, "Nothing was done in this time."), scale(model), readout)];
  const calls = source.fine ? await single(context) : null;
  if (calls) parts.push(calls);
  return parts;
}
