// Draws a TraceModel on a canvas: a row a lane, a bar a span, time below.
import { TraceModel } from "./trace_model";
import * as words from "./words";

const kLeft = 150; // labels of rows
const kTop = 6;
const kBottom = 24; // labels of time

const kPaper: { [variable: string]: string } = { "--track": "#e8e8e8", "--read": "#2f7fc1", "--write": "#c4500b", "--muted": "#444" };

export interface Spot {
  time: number;
  row: number;
}

export class TraceCanvas {
  cursor: Spot | null = null;
  brush: { from: Spot; to: Spot } | null = null;

  constructor(readonly canvas: HTMLCanvasElement, public model: TraceModel) {}

  private get width(): number {
    return Math.max(240, this.canvas.clientWidth);
  }

  private height(): number {
    const rows = this.model.view.toRow - this.model.view.fromRow;
    return kTop + kBottom + Math.max(24, Math.min(480, rows * 18));
  }

  // Seconds that a point of the canvas stands for.
  get grain(): number {
    return (this.model.view.to - this.model.view.from) / Math.max(1, this.width - kLeft);
  }

  // The moment and row under a point; outside, the nearest ones.
  at(x: number, y: number): Spot {
    const { view } = this.model;
    const share = Math.max(0, Math.min(1, (x - kLeft) / Math.max(1, this.width - kLeft)));
    const down = (y - kTop) / Math.max(1, this.height() - kTop - kBottom);
    const row = view.fromRow + Math.floor(down * (view.toRow - view.fromRow));
    return { time: view.from + share * (view.to - view.from), row: Math.max(view.fromRow, Math.min(view.toRow - 1, row)) };
  }

  // On paper the colours of a dark screen would drown: paper takes those of a light one.
  draw(paper = false): void {
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const [width, height] = [this.width, this.height()];
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const colour = (variable: string) => (paper && kPaper[variable]) || style.getPropertyValue(variable).trim();
    pen.font = `12px ${style.fontFamily}`;
    const { view } = this.model;
    const down = (height - kTop - kBottom) / Math.max(1, view.toRow - view.fromRow);
    for (let row = view.fromRow; row < view.toRow; row++) this.row(pen, row, kTop + (row - view.fromRow) * down, down, colour);
    this.labels(pen, height, down, colour("--muted"));
    if (this.brush) this.outline(pen, this.brush.from, this.brush.to, down, colour("--ink"));
    if (this.cursor) this.outline(pen, this.cursor, this.cursor, down, colour("--accent"));
  }

  private across(time: number): number {
    const { view } = this.model;
    return kLeft + ((time - view.from) / (view.to - view.from)) * (this.width - kLeft);
  }

  private row(pen: CanvasRenderingContext2D, row: number, y: number, down: number, colour: (v: string) => string): void {
    const lane = this.model.lanes[row];
    if (!lane) return;
    const { view } = this.model;
    const tall = Math.max(1, down - (down > 4 ? 2 : 0));
    pen.fillStyle = colour("--track");
    pen.fillRect(kLeft, y, this.width - kLeft, tall);
    pen.fillStyle = colour(lane.direction === "write" ? "--write" : "--read");
    for (const [begin, end] of lane.spans) {
      if (end < view.from || begin > view.to) continue;
      const x = Math.max(kLeft, this.across(begin));
      pen.fillRect(x, y, Math.max(1, Math.min(this.width, this.across(end)) - x), tall);
    }
  }

  private labels(pen: CanvasRenderingContext2D, height: number, down: number, colour: string): void {
    const { view, lanes } = this.model;
    pen.fillStyle = colour;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    const every = Math.max(1, Math.ceil(16 / down));
    for (let row = view.fromRow; row < view.toRow; row += every) {
      const lane = lanes[row];
      let name = lane ? this.model.nameOf(lane) : "";
      if (pen.measureText(name).width > kLeft - 10) {
        while (name && pen.measureText(`${name}…`).width > kLeft - 10) name = name.slice(0, -1);
        name += "…";
      }
      pen.fillText(name, kLeft - 8, kTop + (row - view.fromRow + 0.5) * down);
    }
    const ticks = Math.max(2, Math.min(6, Math.floor((this.width - kLeft) / 110)));
    for (let tick = 0; tick <= ticks; tick++) {
      const share = tick / ticks;
      pen.textAlign = tick === 0 ? "left" : tick === ticks ? "right" : "center";
      const time = view.from + share * (view.to - view.from);
      pen.fillText(words.moment(time, (view.to - view.from) / ticks), kLeft + share * (this.width - kLeft), height - kBottom / 2);
    }
  }

  private outline(pen: CanvasRenderingContext2D, a: Spot, b: Spot, down: number, colour: string): void {
    const { view } = this.model;
    const [from, to] = [Math.min(a.time, b.time), Math.max(a.time, b.time)].map((time) => this.across(time)) as [number, number];
    const row = Math.min(a.row, b.row) - view.fromRow;
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.strokeRect(from, kTop + row * down, Math.max(1, to - from), (Math.abs(a.row - b.row) + 1) * down - 1);
  }
}
