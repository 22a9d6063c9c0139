// Lines over time, as SVG. Several charts may share one axis of time.
import { make, svg } from "../dom";
import * as words from "../words";

export interface Line {
  name: string;
  kind: "read" | "write" | "meta" | "plain" | "other";
  points: [time: number, value: number][];
}

export interface Chart {
  label: string;
  from: number;
  to: number;
  width: number; // of a slice: a missing one means nothing was done
  lines: Line[];
  say: (value: number) => string;
  zoom?: (from: number, to: number) => void;
}

const kWide = 800, kTall = 170, kLeft = 74, kBottom = 20, kTop = 8;

// A value of every slice, so that a pause is drawn as one.
export function filled(line: Line, chart: Chart): [number, number][] {
  const values = new Map(line.points.map(([time, value]) => [time, value]));
  const result: [number, number][] = [];
  const first = Math.floor(chart.from / chart.width) * chart.width;
  for (let time = first; time < chart.to; time += chart.width) result.push([time, values.get(time) ?? 0]);
  return result;
}

function clock(time: number, from: number): string {
  return words.seconds(Math.max(0, Math.round(time - from)));
}

function axes(chart: Chart, most: number): SVGElement[] {
  const parts: SVGElement[] = [];
  for (const share of [0, 0.5, 1]) {
    const y = kTop + (1 - share) * (kTall - kTop - kBottom);
    parts.push(svg("line", { x1: kLeft, x2: kWide, y1: y, y2: y, class: "grid" }));
    parts.push(svg("text", { x: kLeft - 6, y: y + 4, "text-anchor": "end" }, chart.say(most * share)));
  }
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle";
    const time = chart.from + share * (chart.to - chart.from);
    parts.push(svg("text", { x: kLeft + share * (kWide - kLeft), y: kTall - 4, "text-anchor": anchor },
      clock(time, chart.from)));
  }
  return parts;
}

function listen(picture: SVGSVGElement, chart: Chart, readout: HTMLElement, data: [Line, [number, number][]][]): void {
  const brush = svg("rect", { class: "brush", y: kTop, height: kTall - kTop - kBottom, width: 0, x: 0 });
  picture.append(brush);
  let begun: number | null = null;
  const across = (event: PointerEvent): number => {
    const box = picture.getBoundingClientRect();
    const x = ((event.clientX - box.left) / Math.max(1, box.width)) * kWide;
    return Math.max(0, Math.min(1, (x - kLeft) / (kWide - kLeft)));
  };
  picture.addEventListener("pointerdown", (event) => {
    begun = across(event);
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    const share = across(event);
    const time = chart.from + share * (chart.to - chart.from);
    const values = data.map(([line, points]) => {
      const point = points.find(([at]) => at <= time && time < at + chart.width);
      return `${words.name(line.name)} ${chart.say(point?.[1] ?? 0)}`;
    });
    readout.textContent = `${clock(time, chart.from)}: ${values.join(", ")}`;
    if (begun === null) return;
    brush.setAttribute("x", String(kLeft + Math.min(begun, share) * (kWide - kLeft)));
    brush.setAttribute("width", String(Math.abs(share - begun) * (kWide - kLeft)));
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
  const most = words.largest(data.flatMap(([, points]) => points.map(([, value]) => value))) || 1;
  const picture = svg("svg", { viewBox: `0 0 ${kWide} ${kTall}`, class: "chart", role: "img", "aria-label": chart.label });
  picture.append(...axes(chart, most));
  const x = (time: number) => kLeft + ((time - chart.from) / Math.max(1, chart.to - chart.from)) * (kWide - kLeft);
  const y = (value: number) => kTop + (1 - value / most) * (kTall - kTop - kBottom);
  for (const [line, points] of data) {
    const path = points.map(([time, value]) => `H${Math.max(kLeft, x(time)).toFixed(1)}V${y(value).toFixed(1)}`).join("");
    picture.append(svg("path", { class: `line ${line.kind}`, d: `M${kLeft} ${y(0)}${path}H${kWide}` },
      svg("title", {}, words.name(line.name))));
  }
  const readout = make("output", { class: "readout" });
  listen(picture, chart, readout, data);
  const legend = make("p", { class: "legend" });
  for (const line of chart.lines) {
    legend.append(make("span", {}, make("i", { class: `fill ${line.kind}`, "aria-hidden": "true" }), words.name(line.name)));
  }
  return make("div", { class: "chart-box" }, legend, picture, readout);
}
