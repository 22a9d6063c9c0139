// Requests to the server that this page came from.

export type Cell = string | number | null;
export type Query = { [name: string]: string | number };

// Rows by the names of their columns.
export class Table {
  readonly width: number; // of a slice of time, in seconds
  private readonly index = new Map<string, number>();

  constructor(data: { columns: string[]; rows: Cell[][]; width?: number }) {
    this.width = data.width ?? 1;
    this.rows = data.rows;
    data.columns.forEach((name, at) => this.index.set(name, at));
  }

  readonly rows: Cell[][];

  number(row: Cell[], column: string): number {
    const value = row[this.index.get(column) ?? -1];
    return typeof value === "number" ? value : 0;
  }

  text(row: Cell[], column: string): string {
    const value = row[this.index.get(column) ?? -1];
    return value === null || value === undefined ? "" : String(value);
  }
}

export function address(path: string, query: Query = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) words.set(name, String(value));
  const text = words.toString();
  return text ? `api/${path}?${text}` : `api/${path}`;
}

async function get(path: string, query: Query): Promise<unknown> {
  const answer = await fetch(address(path, query), { credentials: "same-origin" });
  const data = (await answer.json()) as { error?: string };
  if (!answer.ok) throw new Error(data.error ?? `the server answered ${answer.status}`);
  return data;
}

export async function table(path: string, query: Query = {}): Promise<Table> {
  return new Table((await get(path, query)) as { columns: string[]; rows: Cell[][] });
}

export interface About {
  version: string;
  store: string;
  live: boolean;
  snapshot: boolean;
}

export async function about(): Promise<About> {
  return (await get("about", {})) as About;
}
