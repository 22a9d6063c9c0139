// One line over time for each rank, file, process, thread, interface or host.
import { make } from "../dom";
import { section } from "../parts";
import * as words from "../words";
import { Table, table } from "./api";
import { draw, Line } from "./chart";
import { Context } from "./context";
import { eventQuery, eventSpan, kNano } from "./event_query";
import { kindOf, kMeasures, lines, sums } from "./series";
import { go, measureOf } from "./state";

const kGroups = ["rank", "file", "process", "thread", "interface", "operation", "host"];
const kMost = 12; // charts; more are no longer told apart
const kSlices = 150;

interface Groups {
  order: string[]; // the busiest first
  lines: Map<string, Line[]>; // by operation
  width: number;
  total: number;
}

function grouped(data: Table, group: string, measure: "bytes" | "calls" | "seconds"): Map<string, Line[]> {
  const rows = new Map<string, Table["rows"]>();
  for (const row of data.rows) {
    const name = data.text(row, group);
    const own = rows.get(name) ?? [];
    own.push(row);
    rows.set(name, own);
  }
  const found = new Map<string, Line[]>();
  for (const [name, own] of rows) {
    const part = new Table({ columns: data.columns, rows: own, width: data.width });
    found.set(name, lines(part, "operation", measure, kindOf).filter((line) => measure !== "bytes" || line.name !== "metadata"));
  }
  return found;
}

async function bySeconds(context: Context, group: string, measure: "bytes" | "calls" | "seconds"): Promise<Groups> {
  const split = group === "operation" ? "time,operation" : `time,${group},operation`;
  const [data, all] = await Promise.all([
    sums(context, split, { slices: kSlices, most: 200000 }), sums(context, group, { most: 1000 }),
  ]);
  return { order: all.rows.slice(0, kMost).map((row) => all.text(row, group)), lines: grouped(data, group, measure), width: data.width, total: all.rows.length };
}

// Rollups know no threads: these are sums over events.
async function byThread(context: Context, measure: "bytes" | "calls" | "seconds"): Promise<Groups> {
  const [begin, end] = eventSpan(context);
  const slices = Math.max(1, Math.min(kSlices, Math.floor((end - begin) / kNano)));
  const data = await table("event_sums", { ...eventQuery(context), begin, end, by: "thread", slices });
  const width = data.width / kNano;
  const times = new Table({ columns: data.columns.map((name) => (name === "begin" ? "time" : name)), width,
    rows: data.rows.map((row) => [context.run.start + Math.round((data.number(row, "begin") - begin) / data.width) * width + begin / kNano, ...row.slice(1)]) });
  const seconds = new Map<string, number>();
  for (const row of data.rows) seconds.set(data.text(row, "thread"), (seconds.get(data.text(row, "thread")) ?? 0) + data.number(row, "seconds"));
  const order = [...seconds.entries()].sort(([, a], [, b]) => b - a).map(([name]) => name);
  return { order: order.slice(0, kMost), lines: grouped(times, "thread", measure), width, total: order.length };
}

function picker(label: string, options: [value: string, text: string][], chosen: string, choose: (value: string) => void): HTMLElement {
  const select = make("select", { "aria-label": label });
  for (const [value, text] of options) select.append(make("option", { value, selected: value === chosen }, text));
  select.addEventListener("change", () => choose(select.value));
  return make("label", {}, `${label} `, select);
}

function title(group: string, name: string): string {
  if (group === "rank" && name === "-1") return "no rank (mpirun and what it starts besides)";
  if (group === "thread") return `process/thread ${words.name(name)}`;
  return words.name(group === "file" ? name || "(no name)" : `${group} ${name}`);
}

export async function timelines(context: Context): Promise<HTMLElement[]> {
  const group = kGroups.includes(context.state.group) ? context.state.group : "rank";
  const measure = measureOf(context.state);
  const controls = make("div", { class: "controls" },
    picker("Lines of", kGroups.map((name): [string, string] => [name, name]), group, (value) => go({ group: value })),
    picker("Height", [["bytes", "bytes"], ["calls", "calls"], ["seconds", "I/O time"]], measure, (value) => go({ measure: value })));
  if (group === "thread" && !context.facts.events.stored) {
    return [section("timelines", "Timelines", "Threads are known from events only: trikal watch --events stores them.", controls)];
  }
  const found = group === "thread" ? await byThread(context, measure) : await bySeconds(context, group, measure);
  const { label, unit, say } = kMeasures[measure];
  const from = group === "thread" && context.state.begin ? context.run.start + context.state.begin / kNano : context.from;
  const to = group === "thread" && context.state.end ? context.run.start + context.state.end / kNano : context.to;
  const charts = make("div", { class: "duo" });
  const shown = found.order.flatMap((name) => found.lines.get(name) ?? []);
  const most = words.largest(shown.flatMap((line) => line.points.map(([, value]) => value)));
  for (const name of found.order) {
    charts.append(make("div", {}, make("h3", {}, title(group, name)), draw({
      label, unit, say, most, lines: found.lines.get(name) ?? [], from, to, origin: context.run.start, width: found.width, columns: 2, tall: 120,
      zoom: (a, b) => go({ from: a, to: b, begin: 0, end: 0 }),
    })));
  }
  const hidden = found.total - found.order.length;
  const rest = hidden > 0 ? ` ${words.several(hidden, "more is", "more are")} not shown: the ${kMost} with the most time are.` : "";
  return [section("timelines", "Timelines", `${label} by ${group}, the most I/O time first, all on one scale.${rest}`, controls,
    found.order.length ? charts : make("p", {}, "Nothing was done in this time."))];
}
