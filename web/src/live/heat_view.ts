// Ranks by time. Dragging over the picture zooms: finer slices are then asked for.
import { Heat } from "../data";
import { make } from "../dom";
import { HeatCanvas } from "../heat_canvas";
import { HeatModel } from "../heat_model";
import { listenToPointer } from "../heat";
import { section } from "../parts";
import * as words from "../words";
import { Table } from "./api";
import { Context } from "./context";
import { sums } from "./series";
import { go } from "./state";

function rows(data: Table, column: string): Map<number, { read: number[]; written: number[] }> {
  const found = new Map<number, { read: number[]; written: number[] }>();
  for (const row of data.rows) {
    const key = data.number(row, column);
    if (!found.has(key)) found.set(key, { read: [], written: [] });
  }
  return found;
}

// As the report page has it. Processes without a rank have the number of the process instead.
export function heatOf(data: Table, column: string, from: number, to: number): Heat {
  const first = Math.floor(from / data.width) * data.width;
  const slices = Math.max(1, Math.ceil((to - first) / data.width));
  const found = rows(data, column);
  for (const line of found.values()) {
    line.read = new Array<number>(slices).fill(0);
    line.written = new Array<number>(slices).fill(0);
  }
  for (const row of data.rows) {
    const slice = Math.floor((data.number(row, "time") - first) / data.width);
    const line = found.get(data.number(row, column));
    if (!line || slice < 0 || slice >= slices) continue;
    const to = data.text(row, "operation") === "read" ? line.read : line.written;
    to[slice] = (to[slice] ?? 0) + data.number(row, "bytes");
  }
  const sorted = [...found.entries()].sort(([a], [b]) => a - b);
  return {
    interface: "POSIX and STDIO", width: data.width, ranks_a_row: 1,
    rows: sorted.map(([rank, line]) => ({ rank, ...line })),
  } as Heat;
}

export async function heat(context: Context): Promise<HTMLElement[]> {
  const column = context.run.ranks > 0 ? "rank" : "process";
  const data = await sums(context, `time,${column},operation`);
  const model = new HeatModel(heatOf(data, column, context.from, context.to));
  const canvas = make("canvas", { class: "heat", role: "img", "aria-label": `Bytes by ${column} and time` });
  const readout = make("output", { class: "readout" });
  const drawing = new HeatCanvas(canvas, model);
  const first = Math.floor(context.from / data.width) * data.width;
  const zoomed = () => {
    const { fromSlice, toSlice, fromRow, toRow } = model.view;
    const only = toRow - fromRow === 1 && model.rows > 1 ? String(model.heat.rows[fromRow]?.rank ?? "") : "";
    go({ from: first + fromSlice * data.width, to: first + toSlice * data.width,
      ...(only !== "" ? (column === "rank" ? { rank: only } : { process: only }) : {}) });
  };
  listenToPointer(drawing, zoomed, () => {
    if (drawing.cursor) readout.textContent = model.say(drawing.cursor.row, drawing.cursor.slice);
  });
  new ResizeObserver(() => drawing.draw()).observe(canvas);
  const what = column === "rank" ? "rank" : "process";
  return [section("heat", `Bytes by ${what} and time`,
    `${words.several(model.rows, what, `${what}${what === "process" ? "es" : "s"}`)}, ${words.seconds(data.width)} a cell. Drag over the picture to zoom.`,
    canvas, readout)];
}
