// What every view is drawn from.
import { Cell, Table } from "./api";
import { State } from "./state";

export interface Run {
  number: number;
  start: number;
  end: number; // the last second that something was stored of
  command: string;
  host: string;
  processes: number;
  ranks: number;
  running: number;
  read: number;
  written: number;
  seconds: number;
}

export function runOf(table: Table, row: Cell[]): Run {
  return {
    number: table.number(row, "run"),
    start: Math.floor(table.number(row, "start")),
    end: table.number(row, "end"),
    command: table.text(row, "command"),
    host: table.text(row, "host"),
    processes: table.number(row, "processes"),
    ranks: table.number(row, "ranks"),
    running: table.number(row, "running"),
    read: table.number(row, "read_bytes"),
    written: table.number(row, "written_bytes"),
    seconds: table.number(row, "seconds"),
  };
}

export class Context {
  constructor(readonly state: State, readonly run: Run, readonly runs: Run[], readonly live: boolean) {}

  // The time in view.
  get from(): number {
    return this.state.from || this.run.start;
  }

  get to(): number {
    const now = this.live && this.run.running > 0 ? Math.floor(Date.now() / 1000) : 0;
    return this.state.to || Math.max(this.run.end, this.from + 1, now);
  }

  get filtered(): boolean {
    const { rank, process, file, operation, interface: layer } = this.state;
    return [rank, process, file, operation, layer].some((word) => word !== "");
  }
}

export type View = (context: Context) => Promise<HTMLElement[]>;
