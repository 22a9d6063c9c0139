// The numbers behind the heat map, without drawing: what is in view, what a cell holds, what it all means.
import { Heat, Phase } from "./data";
import * as words from "./words";

export type Shown = "both" | "read" | "written";

// Half-open ranges of slices and rows.
export interface View {
  fromSlice: number;
  toSlice: number;
  fromRow: number;
  toRow: number;
}

// Slices up to the run's end; later ones only if something is in them: clocks of several nodes may disagree.
function lastSlice(heat: Heat, end: number): number {
  const whole = heat.rows.reduce((most, row) => Math.max(most, row.read.length, row.written.length), 1);
  let last = Math.max(1, Math.min(whole, Math.ceil(end / heat.width - 1e-6)));
  for (let slice = whole - 1; slice >= last; slice--) {
    if (heat.rows.some((row) => (row.read[slice] ?? 0) > 0 || (row.written[slice] ?? 0) > 0)) last = slice + 1;
  }
  return last;
}

export class HeatModel {
  readonly slices: number;
  readonly rows: number;
  shown: Shown = "both";
  view: View;
  origin = 0; // seconds that the first slice begins after the start of the run
  nameOf: (rank: number) => string = words.rankName;
  valueOf: (value: number) => string = words.bytes;

  // `end`: of the run, in seconds since the first slice. The last slice reaches beyond it; the axis does not.
  constructor(readonly heat: Heat, readonly phases: Phase[] = [], readonly end = Infinity) {
    this.slices = lastSlice(heat, end);
    this.rows = Math.max(1, heat.rows.length);
    this.view = this.whole();
  }

  whole(): View {
    return { fromSlice: 0, toSlice: this.slices, fromRow: 0, toRow: this.rows };
  }

  isWhole(): boolean {
    const { fromSlice, toSlice, fromRow, toRow } = this.view;
    return fromSlice === 0 && fromRow === 0 && toSlice === this.slices && toRow === this.rows;
  }

  // Slices in view, of the last only as much as belongs to the run.
  shownSlices(): number {
    const { fromSlice, toSlice } = this.view;
    const end = this.end / this.heat.width;
    return end > toSlice - 1 ? Math.min(toSlice, end) - fromSlice : toSlice - fromSlice;
  }

  // When a slice begins, or the last one ends.
  private edge(slice: number): number {
    const edge = slice * this.heat.width;
    return slice >= this.slices && this.end > edge - this.heat.width ? Math.min(edge, this.end) : edge;
  }

  value(row: number, slice: number): number {
    const line = this.heat.rows[row];
    const read = this.shown === "written" ? 0 : line?.read[slice] ?? 0;
    const written = this.shown === "read" ? 0 : line?.written[slice] ?? 0;
    return read + written;
  }

  // Zooms to what two corners enclose, in any order.
  zoom(sliceA: number, rowA: number, sliceB: number, rowB: number): void {
    const bound = (value: number, most: number) => Math.max(0, Math.min(most - 1, value));
    const slices = [bound(sliceA, this.slices), bound(sliceB, this.slices)].sort((a, b) => a - b) as [number, number];
    const rows = [bound(rowA, this.rows), bound(rowB, this.rows)].sort((a, b) => a - b) as [number, number];
    this.view = { fromSlice: slices[0], toSlice: slices[1] + 1, fromRow: rows[0], toRow: rows[1] + 1 };
  }

  // Half or double the time in view, around one slice.
  scale(factor: number, around: number): void {
    const length = Math.max(1, Math.min(this.slices, Math.round((this.view.toSlice - this.view.fromSlice) * factor)));
    const from = Math.max(0, Math.min(this.slices - length, around - Math.floor(length / 2)));
    this.view = { ...this.view, fromSlice: from, toSlice: from + length };
  }

  // Names of the phases that a slice of time lies in, of one rank or of any.
  phasesAt(slice: number, rank?: number): string[] {
    const [from, to] = [this.origin + slice * this.heat.width, this.origin + (slice + 1) * this.heat.width];
    const here = this.phases.filter((phase) => phase.begin < to && phase.end > from &&
      (rank === undefined || rank < 0 || phase.rank < 0 || phase.rank === rank));
    return [...new Set(here.map((phase) => phase.name))];
  }

  say(row: number, slice: number): string {
    const line = this.heat.rows[row];
    if (!line) return "";
    const [from, to] = [this.origin + this.edge(slice), this.origin + this.edge(slice + 1)];
    const span = this.origin > 0 ? `${words.moment(from, this.heat.width)} to ${words.moment(to, this.heat.width)}`
      : `${words.seconds(from)} to ${words.seconds(to)}`;
    const read = this.valueOf(line.read[slice] ?? 0);
    const phases = this.phasesAt(slice, line.rank).map((name) => words.name(name));
    const during = phases.length ? `, in ${phases.slice(0, 3).join(" and ")}` : "";
    return `${this.nameOf(line.rank)}, ${span}${during}: read ${read}, wrote ${this.valueOf(line.written[slice] ?? 0)}`;
  }

  sayView(): string {
    const { fromSlice, toSlice, fromRow, toRow } = this.view;
    const from = words.seconds(fromSlice * this.heat.width);
    const each = this.heat.ranks_a_row;
    const ranks = words.several(toRow - fromRow, "row") + (each > 1 ? ` of ${words.count(each)} ${words.ranksWord()} each` : "");
    return `Shown: ${from} to ${words.seconds(this.edge(toSlice))}, ${ranks}.`;
  }

  // What the picture means, in words.
  sentence(): string {
    const bySlice = new Array<number>(this.slices).fill(0);
    const byRow = new Array<number>(this.rows).fill(0);
    for (let row = 0; row < this.rows; row++) {
      for (let slice = 0; slice < this.slices; slice++) {
        const value = this.value(row, slice);
        bySlice[slice] += value;
        byRow[row] += value;
      }
    }
    const total = byRow.reduce((sum, value) => sum + value, 0);
    if (!total) return `${this.heat.interface} moved nothing here.`;
    const most = Math.max(...bySlice);
    const when = bySlice.indexOf(most);
    const busy = bySlice.filter((value) => value > 0).length;
    const peak = `${words.percent(most / total)} of ${words.bytes(total)} between ${words.seconds(when * this.heat.width)} and ${words.seconds(this.edge(when + 1))}`;
    const text = `${this.heat.interface} moves data in ${words.percent(busy / this.slices)} of the time shown; the busiest slice has ${peak}.`;
    return text + this.balance(byRow, total) + (this.heat.from_trace ? " Drawn from the trace." : "");
  }

  private balance(byRow: number[], total: number): string {
    if (this.rows < 2) return "";
    const most = Math.max(...byRow);
    const who = words.rankName(this.heat.rows[byRow.indexOf(most)]?.rank ?? 0);
    const times = most / (total / this.rows);
    return times < 1.5
      ? ` The ${words.ranksWord()} share the work evenly.`
      : ` ${who[0]?.toUpperCase()}${who.slice(1)} moves ${times.toFixed(1)} times the average.`;
  }
}
