// Single events: a picture of them by thread and time, and a table. Needs a run that was watched with --events.
import { make, svg } from "../dom";
import { path, section, table as makeTable } from "../parts";
import * as words from "../words";
import { address, Cell, Query, Table, table } from "./api";
import { Context } from "./context";
import { go } from "./state";

const kMost = 2000; // events in view
const kShown = 200; // rows of the table
const kWide = 800, kLeft = 110, kRow = 18, kBottom = 20;
const kNano = 1e9;

// Without --events there is nothing to show, which is said instead of an empty picture.
export function none(title: string): HTMLElement[] {
  return [section("events", title, "This run has no events: trikal watch --events stores every call with its time.")];
}

export async function counted(context: Context): Promise<{ emitted: number; stored: number; dropped: number }> {
  const data = await table("event_counts", { run: context.run.number });
  const sum = (column: string) => data.rows.reduce((all, row) => all + data.number(row, column), 0);
  return { emitted: sum("emitted"), stored: sum("stored"), dropped: sum("dropped") };
}

export function eventQuery(context: Context): Query {
  const { state, run } = context;
  const query: Query = { run: run.number, since: run.start };
  for (const name of ["rank", "process", "file", "interface"] as const) if (state[name] !== "") query[name] = state[name];
  query["begin"] = state.begin || Math.max(0, context.from - run.start) * kNano;
  if (state.end || state.to) query["end"] = state.end || (state.to - run.start) * kNano;
  return query;
}

export function accounting(counts: { emitted: number; stored: number; dropped: number }): string {
  return `${words.count(counts.emitted)} emitted = ${words.count(counts.stored)} stored + ${words.count(counts.dropped)} dropped.`;
}

function kindOf(call: string): string {
  return /read/.test(call) ? "read" : /write/.test(call) ? "write" : "meta";
}

function picture(data: Table): HTMLElement {
  const first = data.number(data.rows[0] ?? [], "time");
  const last = Math.max(first + 1, ...data.rows.map((row) => data.number(row, "time") + data.number(row, "duration")));
  const names = [...new Set(data.rows.map((row) => `${data.text(row, "pid")}/${data.text(row, "thread")}`))].sort();
  const tall = names.length * kRow + kBottom;
  const drawing = svg("svg", { viewBox: `0 0 ${kWide} ${tall}`, class: "chart", role: "img", "aria-label": "Events by thread and time" });
  const x = (time: number) => kLeft + ((time - first) / (last - first)) * (kWide - kLeft);
  names.forEach((name, index) => drawing.append(svg("text", { x: kLeft - 6, y: index * kRow + 13, "text-anchor": "end" }, name)));
  for (const row of data.rows) {
    const [time, duration] = [data.number(row, "time"), data.number(row, "duration")];
    const index = names.indexOf(`${data.text(row, "pid")}/${data.text(row, "thread")}`);
    drawing.append(svg("rect", {
      class: `event ${kindOf(data.text(row, "operation"))}`, x: x(time).toFixed(2), y: index * kRow + 3,
      width: Math.max(0.6, x(time + duration) - x(time)).toFixed(2), height: kRow - 6,
    }, svg("title", {}, `${data.text(row, "operation")} ${words.name(data.text(row, "file"))}, ${words.seconds(duration / kNano)}`)));
  }
  for (const share of [0, 0.5, 1]) {
    drawing.append(svg("text", { x: kLeft + share * (kWide - kLeft), y: tall - 4, "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle" },
      words.seconds((first + share * (last - first)) / kNano)));
  }
  listen(drawing, tall, (a, b) => go({ begin: Math.floor(first + a * (last - first)), end: Math.ceil(first + b * (last - first)) }));
  return make("div", { class: "chart-box" }, drawing);
}

function listen(drawing: SVGSVGElement, tall: number, zoom: (from: number, to: number) => void): void {
  const brush = svg("rect", { class: "brush", y: 0, height: tall - kBottom, width: 0, x: 0 });
  drawing.append(brush);
  let begun: number | null = null;
  const across = (event: PointerEvent): number => {
    const box = drawing.getBoundingClientRect();
    return Math.max(0, Math.min(1, (((event.clientX - box.left) / Math.max(1, box.width)) * kWide - kLeft) / (kWide - kLeft)));
  };
  drawing.addEventListener("pointerdown", (event) => {
    begun = across(event);
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener("pointermove", (event) => {
    if (begun === null) return;
    brush.setAttribute("x", String(kLeft + Math.min(begun, across(event)) * (kWide - kLeft)));
    brush.setAttribute("width", String(Math.abs(across(event) - begun) * (kWide - kLeft)));
  });
  drawing.addEventListener("pointerup", (event) => {
    const share = across(event);
    if (begun !== null && Math.abs(share - begun) > 0.005) zoom(Math.min(begun, share), Math.max(begun, share));
    begun = null;
  });
}

export async function events(context: Context): Promise<HTMLElement[]> {
  const counts = await counted(context);
  if (!counts.emitted) return none("Events");
  const query = eventQuery(context);
  const data = await table("events", { ...query, most: kMost });
  const cut = data.rows.length === kMost ? ` The first ${words.count(kMost)} of this time are drawn; drag over the picture to zoom.` : "";
  const rows = makeTable("Events", [
    { title: "Time", number: true, text: (row: Cell[]) => `${(data.number(row, "time") / kNano).toFixed(9)} s` },
    { title: "Took", number: true, text: (row) => words.seconds(data.number(row, "duration") / kNano) },
    { title: "Rank", number: true, text: (row) => (data.number(row, "rank") < 0 ? "" : data.text(row, "rank")) },
    { title: "Process", number: true, text: (row) => data.text(row, "pid") },
    { title: "Thread", number: true, text: (row) => data.text(row, "thread") },
    { title: "Call", text: (row) => `${data.text(row, "interface")} ${data.text(row, "operation")}` },
    { title: "Offset", number: true, text: (row) => (data.number(row, "offset") < 0 ? "" : data.text(row, "offset")) },
    { title: "Bytes", number: true, text: (row) => data.text(row, "length") },
    { title: "File", text: (row) => path(data.text(row, "file")) },
  ], data.rows.slice(0, kShown));
  const download = (format: string) => make("a", { href: address("events", { ...query, most: 100000, format }), download: `events.${format}` }, format.toUpperCase());
  return [section("events", "Events", `${accounting(counts)} Times count from the start of the run.${cut}`,
    data.rows.length ? picture(data) : null, rows,
    make("p", {}, `The table has the first ${kShown}. Up to 100,000 as `, download("csv"), " or ", download("json"), "."))];
}
