// Panels that the user wrote in Python: trikal serve --panel FILE.py. What they answer is data, drawn here.
import { make } from "../dom";
import { bars, barRow, section, table as makeTable } from "../parts";
import * as words from "../words";
import { Cell, get, Table } from "./api";
import { draw, kindAt, Line } from "./chart";
import { Context } from "./context";
import { go } from "./state";

interface Panel {
  name: string;
  title: string;
}

interface Answer {
  columns?: string[];
  rows?: Cell[][];
  total?: number; // rows before the list was cut
  draw?: "table" | "lines" | "bars";
  seconds?: number; // it took
  printed?: string;
  error?: string;
  details?: string;
}

const kAge = 5000; // milliseconds: Python must not take the processor from the program
const kBars = 40;

let list: { at: number; panels: Promise<{ panels?: Panel[] } & Answer> } | null = null;
const answers = new Map<string, { at: number; answer: Promise<Answer> }>();

function show(value: Cell): string {
  if (value === null) return "";
  return typeof value === "number" ? (Number.isInteger(value) ? words.exact(value) : String(Number(value.toPrecision(6)))) : words.name(value);
}

function isNumber(data: Table, index: number): boolean {
  return data.rows.some((row) => typeof row[index] === "number") && data.rows.every((row) => row[index] === null || typeof row[index] === "number");
}

function tableOf(data: Table): HTMLElement {
  return makeTable("Rows", data.columns.map((title, index) => ({ title: words.name(title), number: isNumber(data, index), text: (row: Cell[]) => show(row[index] ?? null) })), data.rows);
}

// The smallest step between two times is what a slice is wide.
function widthOf(times: number[]): number {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? 0));
  return steps.length ? Math.max(1e-3, steps.reduce((least, step) => Math.min(least, step), Infinity)) : 1;
}

function linesOf(context: Context, data: Table): HTMLElement {
  const at = data.columns.indexOf("time");
  const named = data.columns.map((name, index) => ({ name, index })).filter(({ index }) => index !== at && isNumber(data, index));
  const rows = data.rows.filter((row) => typeof row[at] === "number");
  const shown: Line[] = named.slice(0, 7).map(({ name, index }, order) => ({
    name, kind: kindAt(order), points: rows.filter((row) => row[index] !== null).map((row): [number, number] => [row[at] as number, row[index] as number]),
  }));
  return draw({
    label: shown.length === 1 ? words.name(shown[0]!.name) : "Value", unit: "number", say: words.number, lines: shown, from: context.from, to: context.to,
    origin: context.run.start, gaps: true, width: widthOf(rows.map((row) => row[at] as number)), zoom: (from, to) => go({ from, to }),
  });
}

function barsOf(data: Table): HTMLElement {
  const value = data.columns.findIndex((_name, index) => isNumber(data, index) && index > 0);
  if (value < 0) return tableOf(data);
  const longest = words.largest(data.rows.map((row) => Number(row[value] ?? 0)));
  return bars("Bars", ...data.rows.slice(0, kBars).map((row) => barRow(show(row[0] ?? null), [{ kind: "plain", value: Number(row[value] ?? 0) }], longest, show(row[value] ?? null))));
}

function problem(answer: Answer): HTMLElement {
  const details = answer.details ? make("details", {}, make("summary", {}, "What Python said"), make("pre", { class: "fix" }, words.lines(answer.details))) : null;
  return make("div", { class: "notice", role: "alert" }, make("p", {}, words.name(answer.error ?? "")), details);
}

function drawn(context: Context, answer: Answer): HTMLElement {
  const data = new Table({ columns: answer.columns ?? [], rows: answer.rows ?? [] });
  if (!data.rows.length) return make("p", {}, "No rows.");
  if (answer.draw === "lines" && data.columns.includes("time")) return linesOf(context, data);
  return answer.draw === "bars" ? barsOf(data) : tableOf(data);
}

function sectionOf(context: Context, panel: Panel, answer: Answer): HTMLElement {
  const id = `panel-${panel.name.replace(/[^A-Za-z0-9_-]/g, "-")}`;
  if (answer.error !== undefined) return section(id, words.name(panel.title), "", problem(answer));
  const cut = answer.total && answer.rows && answer.total > answer.rows.length ? ` The first ${words.exact(answer.rows.length)} of ${words.exact(answer.total)} rows.` : "";
  const printed = answer.printed ? make("details", {}, make("summary", {}, "What it printed"), make("pre", { class: "fix" }, words.lines(answer.printed))) : null;
  return section(id, words.name(panel.title), "", drawn(context, answer), make("p", { class: "muted" }, `Computed in ${words.seconds(answer.seconds ?? 0)}.${cut}`), printed);
}

function fresh(at: number, context: Context): boolean {
  return Date.now() - at < kAge || !context.running;
}

async function ask(context: Context, name: string): Promise<Answer> {
  const { state, run } = context;
  const query = { name, run: run.number, ...(state.from ? { from: state.from } : {}), ...(state.to ? { to: state.to } : {}) };
  const key = JSON.stringify(query);
  const known = answers.get(key);
  if (known && fresh(known.at, context)) return known.answer;
  const answer = get("panel", query).then((data) => data as Answer, (error: unknown): Answer => ({ error: String(error) }));
  answers.set(key, { at: Date.now(), answer });
  return answer;
}

export async function panels(context: Context): Promise<HTMLElement[]> {
  if (!list || !fresh(list.at, context)) {
    list = { at: Date.now(), panels: get("panels").then((data) => data as Answer, (error: unknown): Answer => ({ error: String(error) })) };
  }
  const found = await list.panels;
  if (found.error !== undefined) return [section("panels", "Panels", "", problem(found))];
  if (!found.panels?.length) return [section("panels", "Panels", "The file has no function that is marked with @trikal.panel.")];
  const parts: HTMLElement[] = [];
  for (const panel of found.panels) parts.push(sectionOf(context, panel, await ask(context, panel.name)));
  return parts;
}
