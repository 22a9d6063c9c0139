// The numbers behind the timelines of a trace, without drawing: which rows are shown, what is in view, what a span means.
import { Data, TraceLane, TraceSpan } from "./data";
import * as words from "./words";

// Seconds, and a half-open range of rows.
export interface TraceView {
  from: number;
  to: number;
  fromRow: number;
  toRow: number;
}

const kNarrowest = 1e-7; // seconds in view

export class TraceModel {
  lanes: TraceLane[] = [];
  view: TraceView;
  private begin = 0;
  private end = 0;

  constructor(readonly data: Data, readonly interfaceName: string) {
    this.lanes = data.trace.filter((lane) => lane.interface === interfaceName);
    this.begin = Infinity;
    for (const lane of this.lanes) {
      for (const [begin, end] of lane.spans) {
        this.begin = Math.min(this.begin, begin);
        this.end = Math.max(this.end, end);
      }
    }
    if (!(this.begin < this.end)) [this.begin, this.end] = [0, Math.max(this.end, 1)];
    this.view = this.whole();
  }

  whole(): TraceView {
    return { from: this.begin, to: this.end, fromRow: 0, toRow: this.lanes.length };
  }

  isWhole(): boolean {
    const { from, to, fromRow, toRow } = this.view;
    return from === this.begin && to === this.end && fromRow === 0 && toRow === this.lanes.length;
  }

  // Zooms to what two corners enclose, in any order.
  zoom(timeA: number, rowA: number, timeB: number, rowB: number): void {
    const from = Math.max(this.begin, Math.min(timeA, timeB));
    const to = Math.min(this.end, Math.max(timeA, timeB));
    if (to - from < kNarrowest) return;
    this.view = { from, to, fromRow: Math.min(rowA, rowB), toRow: Math.max(rowA, rowB) + 1 };
  }

  // Half or double the time in view, around a moment.
  scale(factor: number, around: number): void {
    const { from, to } = this.view;
    const wide = Math.min(this.end - this.begin, Math.max(kNarrowest, (to - from) * factor));
    const share = (around - from) / (to - from);
    const begin = Math.max(this.begin, Math.min(this.end - wide, around - share * wide));
    this.view = { ...this.view, from: begin, to: begin + wide };
  }

  move(share: number): void {
    const wide = this.view.to - this.view.from;
    const from = Math.max(this.begin, Math.min(this.end - wide, this.view.from + share * wide));
    this.view = { ...this.view, from, to: from + wide };
  }

  // The span at a moment, or the nearest one within so many seconds. Spans are in order of their beginnings.
  spanAt(row: number, time: number, within: number): TraceSpan | null {
    let [best, distance]: [TraceSpan | null, number] = [null, within];
    for (const span of this.lanes[row]?.spans ?? []) {
      if (span[0] - time > within) break;
      const away = time < span[0] ? span[0] - time : time > span[1] ? time - span[1] : 0;
      if (away <= distance) [best, distance] = [span, away];
    }
    return best;
  }

  nameOf(lane: TraceLane): string {
    const [, file] = words.splitPath(words.name(lane.file));
    return `${lane.rank < 0 ? "" : `${lane.rank} `}${lane.direction === "write" ? "w" : "r"} ${file}`;
  }

  private moment(time: number): string {
    return words.moment(time, (this.view.to - this.view.from) / 1000);
  }

  say(row: number, span: TraceSpan | null): string {
    const lane = this.lanes[row];
    if (!lane) return "";
    const [who, file] = [words.rankName(lane.rank), words.name(lane.file)];
    const all = `${words.count(lane.calls)} ${lane.direction}${lane.calls === 1 ? "" : "s"}`;
    if (!span) return `${who}, ${file}: ${all}, ${words.seconds(lane.seconds)} in them`;
    const [begin, end, calls, bytes, offset] = span;
    const did = lane.direction === "write" ? "wrote" : "read";
    const what = calls === 1 ? (offset < 0 ? "" : ` at ${words.exact(offset)}`) : ` in ${words.count(calls)} calls`;
    return `${who} ${did} ${words.bytes(bytes)}${what}, ${this.moment(begin)} for ${words.seconds(end - begin)}: ${file}`;
  }

  sayView(): string {
    const { from, to, fromRow, toRow } = this.view;
    const rows = toRow - fromRow;
    return `Shown: ${this.moment(from)} to ${this.moment(to)}, ${rows} ${rows === 1 ? "row" : "rows"}.`;
  }

  sentence(): string {
    const { data } = this;
    const shown = this.data.trace.reduce((sum, lane) => sum + lane.spans.length, 0);
    const calls = this.data.trace.reduce((sum, lane) => sum + lane.calls, 0);
    const each = shown < calls ? "calls that follow each other closely are drawn as one" : "each call is drawn";
    const rows = data.trace.length < data.trace_total
      ? `; ${words.count(data.trace.length)} of ${words.count(data.trace_total)} rows, those that took most time` : "";
    return `${words.count(data.trace_calls)} calls were traced, a row for each ${words.rankWord()}, file and direction; ${each}${rows}.`;
  }
}
