// Draws a HeatModel on a canvas: the sum of all rows as a profile on top, below it one line of cells a rank.
import { HeatModel } from "./heat_model";
import * as words from "./words";

export const kLeft = 64; // labels of ranks
export const kTop = 48; // the profile
const kBottom = 24; // labels of time

const kPaper: { [variable: string]: string } = { "--track": "#e8e8e8", "--heat": "#08457e", "--muted": "#444" };

export interface Box {
  slice: number;
  row: number;
}

export class HeatCanvas {
  cursor: Box | null = null;
  brush: { from: Box; to: Box } | null = null;

  constructor(readonly canvas: HTMLCanvasElement, public model: HeatModel) {}

  private get width(): number {
    return Math.max(160, this.canvas.clientWidth);
  }

  private height(): number {
    const rows = this.model.view.toRow - this.model.view.fromRow;
    return kTop + kBottom + Math.max(48, Math.min(320, rows * 18));
  }

  // The cell under a point of the canvas; outside the cells, the nearest one.
  at(x: number, y: number): Box {
    const { view } = this.model;
    const across = (x - kLeft) / Math.max(1, this.width - kLeft);
    const down = (y - kTop) / Math.max(1, this.height() - kTop - kBottom);
    const inside = (share: number, from: number, to: number) =>
      Math.max(from, Math.min(to - 1, from + Math.floor(share * (to - from))));
    return { slice: inside(across, view.fromSlice, view.toSlice), row: inside(down, view.fromRow, view.toRow) };
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
    this.cells(pen, width, height, colour);
    this.profile(pen, width, colour);
    this.labels(pen, width, height, colour("--muted"));
    if (this.brush) this.outline(pen, width, height, this.brush.from, this.brush.to, colour("--ink"));
    if (this.cursor) this.outline(pen, width, height, this.cursor, this.cursor, colour("--accent"));
  }

  private step(width: number, height: number): [across: number, down: number] {
    const { view } = this.model;
    return [
      (width - kLeft) / (view.toSlice - view.fromSlice),
      (height - kTop - kBottom) / (view.toRow - view.fromRow),
    ];
  }

  // The root lets small cells be seen beside large ones and still tells those apart.
  private cells(pen: CanvasRenderingContext2D, width: number, height: number, colour: (v: string) => string): void {
    const { view } = this.model;
    const [across, down] = this.step(width, height);
    let most = 1;
    this.each((row, slice) => (most = Math.max(most, this.model.value(row, slice))));
    pen.fillStyle = colour("--track");
    pen.fillRect(kLeft, kTop, width - kLeft, height - kTop - kBottom);
    pen.fillStyle = colour("--heat");
    this.each((row, slice) => {
      const value = this.model.value(row, slice);
      if (!value) return;
      pen.globalAlpha = 0.12 + 0.88 * Math.sqrt(value / most);
      const x = kLeft + (slice - view.fromSlice) * across;
      const y = kTop + (row - view.fromRow) * down;
      pen.fillRect(x, y, Math.max(1, across - 0.3), Math.max(1, down - (down > 4 ? 1 : 0)));
    });
    pen.globalAlpha = 1;
  }

  private each(use: (row: number, slice: number) => void): void {
    const { view } = this.model;
    for (let row = view.fromRow; row < view.toRow; row++) {
      for (let slice = view.fromSlice; slice < view.toSlice; slice++) use(row, slice);
    }
  }

  private profile(pen: CanvasRenderingContext2D, width: number, colour: (v: string) => string): void {
    const { view } = this.model;
    const [across] = this.step(width, this.height());
    const sums = new Array<number>(view.toSlice - view.fromSlice).fill(0);
    this.each((row, slice) => (sums[slice - view.fromSlice] += this.model.value(row, slice)));
    const most = Math.max(1, ...sums);
    pen.fillStyle = colour("--muted");
    sums.forEach((sum, index) => {
      const tall = (sum / most) * (kTop - 8);
      pen.fillRect(kLeft + index * across, kTop - 4 - tall, Math.max(1, across - 0.3), tall);
    });
  }

  private labels(pen: CanvasRenderingContext2D, width: number, height: number, colour: string): void {
    const { view, heat } = this.model;
    const [, down] = this.step(width, height);
    pen.fillStyle = colour;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    pen.fillText("all", kLeft - 8, kTop / 2);
    const every = Math.max(1, Math.ceil(16 / down));
    for (let row = view.fromRow; row < view.toRow; row += every) {
      const rank = heat.rows[row]?.rank ?? 0;
      pen.fillText(words.rankName(rank), kLeft - 8, kTop + (row - view.fromRow + 0.5) * down);
    }
    const ticks = Math.max(2, Math.min(8, Math.floor((width - kLeft) / 90)));
    for (let tick = 0; tick <= ticks; tick++) {
      const share = tick / ticks;
      pen.textAlign = tick === 0 ? "left" : tick === ticks ? "right" : "center";
      const time = (view.fromSlice + share * (view.toSlice - view.fromSlice)) * heat.width;
      pen.fillText(words.seconds(time), kLeft + share * (width - kLeft), height - kBottom / 2);
    }
  }

  private outline(pen: CanvasRenderingContext2D, width: number, height: number, a: Box, b: Box, colour: string): void {
    const { view } = this.model;
    const [across, down] = this.step(width, height);
    const slice = Math.min(a.slice, b.slice) - view.fromSlice;
    const row = Math.min(a.row, b.row) - view.fromRow;
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    const wide = Math.max(3, (Math.abs(a.slice - b.slice) + 1) * across);
    pen.strokeRect(kLeft + slice * across, kTop + row * down, wide, (Math.abs(a.row - b.row) + 1) * down);
  }
}
