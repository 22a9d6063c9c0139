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

// What became of the events of a run. Emitted are those that were stored or dropped.
export interface EventCounts {
  emitted: number;
  stored: number;
  dropped: number;
  left: number; // by sampling or a filter, as was asked for
}

// What a run is drawn from in every view.
export interface Facts {
  now: number; // the server's clock, seconds since 1970
  lag: number | undefined; // age of the newest value, in seconds
  findings: Table;
  drops: Table; // what is not exact
  events: EventCounts;
}

const kSettled = 0.6; // seconds until what happened is stored: a second that is not complete yet would look like a fall

export class Context {
  constructor(readonly state: State, readonly run: Run, readonly runs: Run[], readonly live: boolean, readonly facts: Facts) {}

  get running(): boolean {
    return this.live && this.run.running > 0;
  }

  // The time in view.
  get from(): number {
    return this.state.from || this.run.start;
  }

  get to(): number {
    const now = this.running ? Math.floor(this.facts.now - kSettled) : this.run.end;
    return this.state.to || Math.max(now, this.from + 1);
  }

  get filtered(): boolean {
    const { rank, process, file, operation, interface: layer } = this.state;
    return [rank, process, file, operation, layer].some((word) => word !== "");
  }
}

export type View = (context: Context) => Promise<HTMLElement[]>;
