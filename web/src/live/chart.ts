// Lines over time, as SVG. Several charts may share one axis of time.
import { make, svg } from "../dom";
import * as words from "../words";

export interface Line {
  name: string;
  kind: "read" | "write" | "meta" | "plain" | "other" | "fifth" | "sixth";
  points: [time: number, value: number][];
}

export interface Chart {
  label: string; // what the height is, with its unit
  from: number;
  to: number;
  origin: number; // times are shown since it
  width: number; // of a slice: a missing one means nothing was done
  lines: Line[];
  unit: "bytes" | "number" | "seconds"; // decides which numbers are round ones
  say: (value: number) => string;
  gaps?: boolean; // a missing slice means that nothing is known
  most?: number; // where charts share a scale
  columns?: number; // charts beside each other
  tall?: number;
  zoom?: (from: number, to: number) => void;
}

const kTall = 170, kBottom = 20, kTop = 8, kLeft = 84, kGap = 32, kNarrow = 900;
const kKinds: Line["kind"][] = ["plain", "write", "meta", "read", "other", "fifth", "sixth"];

// Colours for lines that have none of their own.
export function kindAt(index: number): Line["kind"] {
  return kKinds[index % kKinds.length] ?? "plain";
}

// Pixels for each of so many charts beside each other: text in a picture that is scaled cannot be read on a phone.
export function widthFor(columns: number): number {
  const main = document.getElementById("trikal");
  if (!main) return 800;
  const style = getComputedStyle(main);
  const inner = main.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const fit = inner >= kNarrow ? columns : 1;
  return Math.max(260, Math.floor((inner - (fit - 1) * kGap) / fit));
}

// The least round number that is not below.
export function roundUp(value: number, unit: Chart["unit"]): number {
  if (!(value > 0)) return unit === "bytes" ? 1024 : 1;
  let scale = 1;
  if (unit === "bytes") while (value > scale * 1000) scale *= 1024;
  else scale = 10 ** (Math.floor(Math.log10(value)) - 1);
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  for (const step of steps) if (value <= step * scale * 1.0001) return step * scale;
  return value;
}

const kSteps = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400];

// Round times in an interval, so many at most.
export function ticks(from: number, to: number, most: number): number[] {
  const step = kSteps.find((one) => (to - from) / one <= most) ?? (to - from) / most;
  const first = Math.ceil(from / step - 1e-6);
  const result: number[] = [];
  for (let index = first; index * step <= to + step * 1e-6; index++) result.push(index * step);
  return result;
}

// A value of every slice, so that a pause is drawn as one.
export function filled(line: Line, chart: Chart): [number, number][] {
  const values = new Map(line.points.map(([time, value]) => [time, value]));
  const result: [number, number][] = [];
  const first = Math.floor(chart.from / chart.width) * chart.width;
  for (let time = first; time < chart.to; time += chart.width) {
    const value = values.get(time);
    if (value !== undefined || !chart.gaps) result.push([time, value ?? 0]);
  }
  return result;
}

// Steps; where a slice is missing, the line is.
function outline(points: [number, number][], frame: Frame): string {
  const { chart, wide } = frame;
  let path = "";
  let end = NaN;
  for (const [time, value] of points) {
    const [x, y] = [Math.max(kLeft, frame.x(time)).toFixed(1), frame.y(value).toFixed(1)];
    path += Math.abs(time - end) < chart.width / 2 ? `V${y}` : `M${x} ${y}`;
    end = time + chart.width;
    path += `H${Math.min(wide, frame.x(end)).toFixed(1)}`;
  }
  return path;
}

class Frame {
  readonly wide: number;
  readonly tall: number;
  constructor(readonly chart: Chart, readonly most: number) {
    this.wide = widthFor(chart.columns ?? 1);
    this.tall = chart.tall ?? kTall;
  }
  x(time: number): number {
    return kLeft + ((time - this.chart.from) / Math.max(1e-9, this.chart.to - this.chart.from)) * (this.wide - kLeft);
  }
  y(value: number): number {
    return kTop + (1 - value / this.most) * (this.tall - kTop - kBottom);
  }
  axes(): SVGElement[] {
    const { chart, wide, tall } = this;
    const parts: SVGElement[] = [];
    for (const share of [0, 0.5, 1]) {
      const y = this.y(this.most * share);
      parts.push(svg("line", { x1: kLeft, x2: wide, y1: y, y2: y, class: "grid" }));
      parts.push(svg("text", { x: kLeft - 6, y: y + 4, "text-anchor": "end" }, chart.say(this.most * share)));
    }
    const since = (time: number) => time - chart.origin;
    const times = ticks(since(chart.from), since(chart.to), Math.max(2, Math.floor((wide - kLeft) / 90)));
    for (const tick of times) {
      const x = this.x(tick + chart.origin);
      parts.push(svg("line", { x1: x, x2: x, y1: tall - kBottom, y2: tall - kBottom + 4, class: "tick" }));
      const anchor = x > wide - 24 ? "end" : x < kLeft + 12 ? "start" : "middle";
      parts.push(svg("text", { x, y: tall - 4, "text-anchor": anchor }, words.moment(Math.max(0, tick), (times[1] ?? tick) - (times[0] ?? 0))));
    }
    return parts;
  }
}

function listen(picture: SVGSVGElement, frame: Frame, readout: HTMLElement, data: [Line, [number, number][]][]): void {
  const { chart, wide, tall } = frame;
  const brush = svg("rect", { class: "brush", y: kTop, height: tall - kTop - kBottom, width: 0, x: 0 });
  const cross = svg("line", { class: "cross", y1: kTop, y2: tall - kBottom, x1: -1, x2: -1 });
  picture.append(brush, cross);
  let begun: number | null = null;
  const across = (event: PointerEvent): number => {
    const box = picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / Math.max(1, box.width)) * wide;
    return Math.max(0, Math.min(1, (x - kLeft) / (wide - kLeft)));
  };
  picture.addEventListener("pointerdown", (event) => {
    begun = across(event);
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointerleave", () => {
    readout.textContent = "";
    cross.setAttribute("x1", "-1");
    cross.setAttribute("x2", "-1");
  });
  picture.addEventListener("pointermove", (event) => {
    const share = across(event);
    const time = chart.from + share * (chart.to - chart.from);
    const values = data.map(([line, points]) => {
      const point = points.find(([at]) => at <= time && time < at + chart.width);
      return `${words.name(line.name)} ${point || !chart.gaps ? chart.say(point?.[1] ?? 0) : "unknown"}`;
    });
    readout.textContent = `${words.moment(Math.max(0, time - chart.origin), (chart.to - chart.from) / 200)}: ${values.join(", ")}`;
    const x = String(kLeft + share * (wide - kLeft));
    cross.setAttribute("x1", x);
    cross.setAttribute("x2", x);
    if (begun === null) return;
    brush.setAttribute("x", String(kLeft + Math.min(begun, share) * (wide - kLeft)));
    brush.setAttribute("width", String(Math.abs(share - begun) * (wide - kLeft)));
  });
  picture.addEventListener("pointerup", (event) => {
    const share = across(event);
    if (begun !== null && Math.abs(share - begun) > 0.01 && chart.zoom) {
      const at = (part: number) => Math.round(chart.from + part * (chart.to - chart.from));
      chart.zoom(at(Math.min(begun, share)), Math.max(at(Math.min(begun, share)) + 1, at(Math.max(begun, share))));
    }
    begun = null;
    brush.setAttribute("width", "0");
  });
}

export function draw(chart: Chart): HTMLElement {
  const data = chart.lines.map((line): [Line, [number, number][]] => [line, filled(line, chart)]);
  const frame = new Frame(chart, roundUp(chart.most ?? words.largest(data.flatMap(([, points]) => points.map(([, value]) => value))), chart.unit));
  const picture = svg("svg", { viewBox: `0 0 ${frame.wide} ${frame.tall}`, class: "chart", role: "img", "aria-label": `${chart.label} over time` });
  picture.append(...frame.axes());
  for (const [line, points] of data) {
    picture.append(svg("path", { class: `line ${line.kind}`, d: outline(points, frame) },
      svg("title", {}, words.name(line.name))));
  }
  const readout = make("output", { class: "readout" });
  listen(picture, frame, readout, data);
  const legend = make("p", { class: "legend" }, make("b", {}, chart.label));
  for (const line of chart.lines) legend.append(key(line));
  return make("div", { class: "chart-box" }, legend, picture, readout);
}

function key(line: Line): HTMLElement {
  return make("span", {}, make("i", { class: `fill ${line.kind}`, "aria-hidden": "true" }), words.name(line.name));
}
