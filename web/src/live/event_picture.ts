// Single calls as bars over time, a line for each rank's thread.
import { make, svg } from "../dom";
import { legend } from "../parts";
import * as words from "../words";
import { Table } from "./api";
import { brush } from "./brush";
import { widthFor, ticks } from "./chart";
import { kindOfCall, kNano } from "./event_query";

const kLeft = 124, kRow = 18, kBottom = 20;
const kMostLines = 64;

function nameOf(data: Table, row: Table["rows"][number]): string {
  const rank = data.number(row, "rank");
  const thread = data.number(row, "thread");
  const who = rank >= 0 ? `rank ${rank}` : `pid ${data.text(row, "pid")}`;
  return `${who}, thread ${thread}`;
}

// Those of the same rank together, in the order of their numbers.
function inOrder(names: Set<string>): string[] {
  return [...names].sort((a, b) => a.localeCompare(b, "en", { numeric: true })).slice(0, kMostLines);
}

function say(data: Table, row: Table["rows"][number]): string {
  const bytes = data.number(row, "length");
  const moved = bytes > 0 ? `, ${words.bytes(bytes)}` : "";
  return `${data.text(row, "interface")} ${data.text(row, "operation")} ${words.name(data.text(row, "file"))}${moved}, took ${words.seconds(data.number(row, "duration") / kNano)}`;
}

export function picture(data: Table, span: [number, number], zoom: (begin: number, end: number) => void): HTMLElement {
  const [first, last] = span;
  const wide = widthFor(1);
  const names = inOrder(new Set(data.rows.map((row) => nameOf(data, row))));
  const at = new Map(names.map((name, index) => [name, index]));
  const tall = names.length * kRow + kBottom;
  const drawing = svg("svg", { viewBox: `0 0 ${wide} ${tall}`, class: "chart", role: "img", "aria-label": "Calls by rank, thread and time" });
  const x = (time: number) => kLeft + ((time - first) / (last - first)) * (wide - kLeft);
  names.forEach((name, index) => {
    drawing.append(svg("line", { x1: kLeft, x2: wide, y1: (index + 1) * kRow, y2: (index + 1) * kRow, class: "grid" }));
    drawing.append(svg("text", { x: kLeft - 6, y: index * kRow + 13, "text-anchor": "end" }, name));
  });
  for (const row of data.rows) {
    const [time, duration] = [data.number(row, "time"), data.number(row, "duration")];
    const index = at.get(nameOf(data, row));
    if (index === undefined) continue;
    drawing.append(svg("rect", {
      class: `event ${kindOfCall(data.text(row, "operation"))}`, x: x(time).toFixed(2), y: index * kRow + 3,
      width: Math.max(0.8, Math.min(wide, x(time + duration)) - x(time)).toFixed(2), height: kRow - 6,
    }, svg("title", {}, say(data, row))));
  }
  const times = ticks(first / kNano, last / kNano, Math.max(2, Math.floor((wide - kLeft) / 110)));
  for (const tick of times) {
    const middle = x(tick * kNano);
    const anchor = middle > wide - 30 ? "end" : middle < kLeft + 12 ? "start" : "middle";
    drawing.append(svg("text", { x: middle, y: tall - 4, "text-anchor": anchor }, words.moment(tick, (times[1] ?? tick) - (times[0] ?? 0))));
  }
  brush(drawing, { wide, left: kLeft, tall: tall - kBottom },
    (a, b) => zoom(Math.floor(first + a * (last - first)), Math.ceil(first + b * (last - first))));
  return make("div", { class: "chart-box" }, legend("read", "write", "meta"), drawing);
}
