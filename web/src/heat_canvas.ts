// Draws a HeatModel on a canvas: the sum of all rows as a profile on top, then the phases the program named, then one
// line of cells a rank.
import { HeatModel } from "./heat_model";
import * as words from "./words";

const kLeft = 64; // labels of ranks
const kProfile = 48;
const kBand = 18; // the phases, where there are any
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

  // Where the cells begin.
  private get top(): number {
    return kProfile + (this.model.phases.length ? kBand : 0);
  }

  private height(): number {
    const rows = this.model.view.toRow - this.model.view.fromRow;
    return this.top + kBottom + Math.max(48, Math.min(320, rows * 18));
  }

  // The cell under a point of the canvas; outside the cells, the nearest one.
  at(x: number, y: number): Box {
    const { view } = this.model;
    const across = (x - kLeft) / Math.max(1, this.width - kLeft);
    const down = (y - this.top) / Math.max(1, this.height() - this.top - kBottom);
    const inside = (share: number, from: number, to: number) =>
      Math.max(from, Math.min(to - 1, from + Math.floor(share * (to - from))));
    const slice = Math.floor(view.fromSlice + across * this.model.shownSlices());
    return { slice: Math.max(view.fromSlice, Math.min(view.toSlice - 1, slice)), row: inside(down, view.fromRow, view.toRow) };
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
    this.bands(pen, width, colour);
    this.labels(pen, width, height, colour("--muted"));
    if (this.brush) this.outline(pen, width, height, this.brush.from, this.brush.to, colour("--ink"));
    if (this.cursor) this.outline(pen, width, height, this.cursor, this.cursor, colour("--accent"));
  }

  private step(width: number, height: number): [across: number, down: number] {
    const { view } = this.model;
    return [
      (width - kLeft) / this.model.shownSlices(),
      (height - this.top - kBottom) / (view.toRow - view.fromRow),
    ];
  }

  // The root lets small cells be seen beside large ones and still tells those apart.
  private cells(pen: CanvasRenderingContext2D, width: number, height: number, colour: (v: string) => string): void {
    const { view } = this.model;
    const [across, down] = this.step(width, height);
    let most = 1;
    this.each((row, slice) => (most = Math.max(most, this.model.value(row, slice))));
    pen.fillStyle = colour("--track");
    pen.fillRect(kLeft, this.top, width - kLeft, height - this.top - kBottom);
    pen.fillStyle = colour("--heat");
    this.each((row, slice) => {
      const value = this.model.value(row, slice);
      if (!value) return;
      pen.globalAlpha = 0.12 + 0.88 * Math.sqrt(value / most);
      const x = kLeft + (slice - view.fromSlice) * across;
      const y = this.top + (row - view.fromRow) * down;
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
      const tall = (sum / most) * (kProfile - 8);
      pen.fillRect(kLeft + index * across, kProfile - 4 - tall, Math.max(1, across - 0.3), tall);
    });
  }

  // A bar for every run of slices in the same phases, with as much of their names as fits.
  private bands(pen: CanvasRenderingContext2D, width: number, colour: (v: string) => string): void {
    const { view } = this.model;
    if (!this.model.phases.length) return;
    const [across] = this.step(width, this.height());
    pen.textBaseline = "middle";
    pen.textAlign = "left";
    for (let from = view.fromSlice; from < view.toSlice; ) {
      const names = this.model.phasesAt(from).map((name) => words.name(name)).join(", ");
      let to = from + 1;
      while (to < view.toSlice && this.model.phasesAt(to).map((name) => words.name(name)).join(", ") === names) to++;
      const [x, wide] = [kLeft + (from - view.fromSlice) * across, (to - from) * across];
      if (names) this.band(pen, x, wide, names, colour);
      from = to;
    }
  }

  private band(pen: CanvasRenderingContext2D, x: number, wide: number, names: string, colour: (v: string) => string): void {
    pen.fillStyle = colour("--track");
    pen.fillRect(x, kProfile, Math.max(1, wide - 1), kBand - 4);
    pen.fillStyle = colour("--muted");
    let shown = names;
    while (shown && pen.measureText(shown).width > wide - 6) shown = shown.slice(0, -1);
    pen.fillText(shown, x + 3, kProfile + (kBand - 4) / 2);
  }

  private labels(pen: CanvasRenderingContext2D, width: number, height: number, colour: string): void {
    const { view, heat } = this.model;
    const [, down] = this.step(width, height);
    pen.fillStyle = colour;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    pen.fillText("all", kLeft - 8, kProfile / 2);
    const every = Math.max(1, Math.ceil(16 / down));
    for (let row = view.fromRow; row < view.toRow; row += every) {
      const rank = heat.rows[row]?.rank ?? 0;
      pen.fillText(this.model.nameOf(rank), kLeft - 8, this.top + (row - view.fromRow + 0.5) * down);
    }
    const ticks = Math.max(2, Math.min(8, Math.floor((width - kLeft) / 90)));
    for (let tick = 0; tick <= ticks; tick++) {
      const share = tick / ticks;
      pen.textAlign = tick === 0 ? "left" : tick === ticks ? "right" : "center";
      const time = this.model.origin + (view.fromSlice + share * this.model.shownSlices()) * heat.width;
      const step = (this.model.shownSlices() * heat.width) / ticks;
      pen.fillText(this.model.origin > 0 ? words.moment(time, step) : words.seconds(time), kLeft + share * (width - kLeft), height - kBottom / 2);
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
    pen.strokeRect(kLeft + slice * across, this.top + row * down, wide, (Math.abs(a.row - b.row) + 1) * down);
  }
}
