// Requests to the server that this page came from.
import { Data } from "../data";
import { readData } from "../read_data";

export type Cell = string | number | null;
export type Query = { [name: string]: string | number };

// Rows by the names of their columns.
export class Table {
  readonly width: number; // of a slice of time, in seconds; of events in nanoseconds
  readonly rows: Cell[][];
  readonly columns: string[];
  private readonly index = new Map<string, number>();

  constructor(data: { columns: string[]; rows: Cell[][]; width?: number }) {
    this.width = data.width ?? 1;
    this.rows = data.rows;
    this.columns = data.columns;
    data.columns.forEach((name, at) => this.index.set(name, at));
  }

  number(row: Cell[], column: string): number {
    const value = row[this.index.get(column) ?? -1];
    return typeof value === "number" ? value : 0;
  }

  text(row: Cell[], column: string): string {
    const value = row[this.index.get(column) ?? -1];
    return value === null || value === undefined ? "" : String(value);
  }

  sum(column: string): number {
    return this.rows.reduce((all, row) => all + this.number(row, column), 0);
  }
}

export function address(path: string, query: Query = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) words.set(name, String(value));
  const text = words.toString();
  return text ? `api/${path}?${text}` : `api/${path}`;
}

export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

async function text(path: string, query: Query): Promise<string> {
  const answer = await fetch(address(path, query), { credentials: "same-origin" });
  const said = await answer.text();
  if (answer.ok) return said;
  let why = `the server answered ${answer.status}`;
  try {
    why = (JSON.parse(said) as { error?: string }).error ?? why;
  } catch {
    // what is no JSON says nothing more
  }
  throw new Refused(answer.status, why);
}

export async function get(path: string, query: Query = {}): Promise<unknown> {
  return JSON.parse(await text(path, query));
}

export async function table(path: string, query: Query = {}): Promise<Table> {
  return new Table((await get(path, query)) as { columns: string[]; rows: Cell[][] });
}

export interface About {
  version: string;
  store: string;
  live: boolean;
  snapshot: boolean;
  logs: boolean; // there may be a document of trikal report
  panels: boolean;
  time: number; // the server's, seconds since 1970
  lag?: number; // age of the newest value in the store, in seconds, while something is written to it
}

export async function about(): Promise<About> {
  return (await get("about")) as About;
}

const kReportAge = 5000; // milliseconds: a log is made for it, which takes a while
let known: { run: number; at: number; data: Promise<Data | null> } | null = null;

// What trikal report shows of the run: its log, or a snapshot. Null: there is no log of it.
export function report(run: number, changes: boolean): Promise<Data | null> {
  if (known && known.run === run && (!changes || Date.now() - known.at < kReportAge)) return known.data;
  const data = text("report", { run }).then((said) => (said === "null" ? null : readData(said)));
  known = { run, at: Date.now(), data };
  return data;
}
