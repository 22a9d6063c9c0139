// The trace's section: timelines of each rank and file, brushing, keys, and the line that reads a call out.
import { Data } from "./data";
import { make } from "./dom";
import { legend, section } from "./parts";
import { TraceCanvas } from "./trace_canvas";
import { TraceModel } from "./trace_model";
import * as words from "./words";

const kKeys = "Drag over the picture to zoom. Keys: up and down choose a row, left and right move in time, + and − zoom, Escape shows all.";

function listenToKeys(drawing: TraceCanvas, update: () => void, readOut: () => void): void {
  drawing.canvas.addEventListener("keydown", (event) => {
    const { model } = drawing;
    const { view } = model;
    const middle = (view.from + view.to) / 2;
    const cursor = drawing.cursor ?? { time: middle, row: view.fromRow };
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const row = drawing.cursor ? cursor.row + (event.key === "ArrowDown" ? 1 : -1) : cursor.row;
      drawing.cursor = { time: cursor.time, row: Math.max(view.fromRow, Math.min(view.toRow - 1, row)) };
      drawing.draw();
      readOut();
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      model.move(event.key === "ArrowLeft" ? -0.25 : 0.25);
      update();
    } else if (event.key === "+" || event.key === "=" || event.key === "-" || event.key === "−") {
      model.scale(event.key === "+" || event.key === "=" ? 0.5 : 2, cursor.time);
      update();
    } else if (event.key === "Escape") {
      model.view = model.whole();
      update();
    } else {
      return;
    }
    event.preventDefault();
  });
}

function listenToPointer(drawing: TraceCanvas, update: () => void, readOut: () => void): void {
  const { canvas } = drawing;
  const point = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return drawing.at(event.clientX - box.left, event.clientY - box.top);
  };
  canvas.addEventListener("pointerdown", (event) => {
    drawing.brush = { from: point(event), to: point(event) };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    drawing.cursor = point(event);
    if (drawing.brush) drawing.brush.to = drawing.cursor;
    drawing.draw();
    readOut();
  });
  canvas.addEventListener("pointerup", () => {
    const brush = drawing.brush;
    drawing.brush = null;
    // A click is no selection.
    if (brush && Math.abs(brush.from.time - brush.to.time) > 3 * drawing.grain) {
      drawing.model.zoom(brush.from.time, brush.from.row, brush.to.time, brush.to.row);
      update();
    }
  });
  canvas.addEventListener("pointercancel", () => (drawing.brush = null));
}

export function traceLines(data: Data): HTMLElement | null {
  const interfaces = [...new Set(data.trace.map((lane) => lane.interface))];
  const first = interfaces[0];
  if (first === undefined) return null;
  const canvas = make("canvas", { class: "heat", tabindex: 0, role: "application", "aria-describedby": "trace-keys" });
  const readout = make("output", { class: "readout", "aria-live": "polite" });
  const reset = make("button", { type: "button" }, "Show all");
  const drawing = new TraceCanvas(canvas, new TraceModel(data, first));
  const update = () => {
    drawing.cursor = null;
    reset.disabled = drawing.model.isWhole();
    canvas.setAttribute("aria-label", `Calls of ${drawing.model.interfaceName}: ${words.ranksWord()} and files by time. ${drawing.model.sayView()}`);
    readout.textContent = drawing.model.sayView();
    drawing.draw();
  };
  const readOut = () => {
    const { cursor, model } = drawing;
    if (cursor) readout.textContent = model.say(cursor.row, model.spanAt(cursor.row, cursor.time, 3 * drawing.grain));
  };
  reset.addEventListener("click", () => {
    drawing.model.view = drawing.model.whole();
    update();
  });
  const select = make("select");
  for (const name of interfaces) select.append(make("option", { value: name }, name));
  select.addEventListener("change", () => {
    drawing.model = new TraceModel(data, select.value);
    update();
  });
  const block = section("trace", "Calls over time", drawing.model.sentence(),
    make("div", { class: "controls" }, make("label", {}, "Interface ", select), reset), legend("read", "write"), canvas, readout,
    make("p", { class: "muted screen-only", id: "trace-keys" }, kKeys));
  listenToKeys(drawing, update, readOut);
  listenToPointer(drawing, update, readOut);
  // Size and colours are known once the canvas is in the page, and change with it.
  new ResizeObserver(() => drawing.draw()).observe(canvas.parentElement ?? canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawing.draw());
  addEventListener("beforeprint", () => drawing.draw(true));
  addEventListener("afterprint", () => drawing.draw());
  requestAnimationFrame(update);
  return block;
}
