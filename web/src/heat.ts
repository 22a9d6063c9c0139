// The heat map's section: choice of interface and direction, brushing, keys, and the line that reads a cell out.
import { Data } from "./data";
import { make } from "./dom";
import { HeatCanvas } from "./heat_canvas";
import { HeatModel, Shown } from "./heat_model";
import { section } from "./parts";
import * as words from "./words";

const kPhases = "The band above the cells shows the phases that the program named. ";
const kKeys = "Drag over the picture to zoom. Keys: arrows move the cell, + and − zoom, Escape shows all.";

function choice(label: string, options: [value: string, text: string][], change: (value: string) => void): HTMLElement {
  const select = make("select");
  for (const [value, text] of options) select.append(make("option", { value }, text));
  select.addEventListener("change", () => change(select.value));
  return make("label", {}, `${label} `, select);
}

function listenToKeys(drawing: HeatCanvas, update: () => void, readOut: () => void): void {
  drawing.canvas.addEventListener("keydown", (event) => {
    const { model } = drawing;
    const cursor = drawing.cursor ?? { slice: model.view.fromSlice, row: model.view.fromRow };
    const moves: { [key: string]: [number, number] } = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    };
    const move = moves[event.key];
    if (move) {
      const bound = (value: number, from: number, to: number) => Math.max(from, Math.min(to - 1, value));
      drawing.cursor = {
        slice: bound(cursor.slice + move[0], model.view.fromSlice, model.view.toSlice),
        row: bound(cursor.row + move[1], model.view.fromRow, model.view.toRow),
      };
      drawing.draw();
      readOut();
    } else if (event.key === "+" || event.key === "=" || event.key === "-" || event.key === "−") {
      model.scale(event.key === "+" || event.key === "=" ? 0.5 : 2, cursor.slice);
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

export function listenToPointer(drawing: HeatCanvas, update: () => void, readOut: () => void): void {
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
    // A click is no selection: it would zoom into a single cell.
    if (brush && brush.from.slice !== brush.to.slice) {
      drawing.model.zoom(brush.from.slice, brush.from.row, brush.to.slice, brush.to.row);
      update();
    }
  });
  canvas.addEventListener("pointercancel", () => (drawing.brush = null));
}

export function heatMap(data: Data): HTMLElement | null {
  const maps = data.heat.filter((heat) => heat.rows.length > 0);
  const first = maps[0];
  if (!first) return null;
  const canvas = make("canvas", { class: "heat", tabindex: 0, role: "application", "aria-describedby": "heat-keys" });
  const readout = make("output", { class: "readout", "aria-live": "polite" });
  const reset = make("button", { type: "button" }, "Show all");
  const drawing = new HeatCanvas(canvas, new HeatModel(first, data.phases, data.job.seconds || Infinity));
  const block = section("heat", "Over time", drawing.model.sentence());
  const update = () => {
    const { model } = drawing;
    drawing.cursor = null;
    reset.disabled = model.isWhole();
    canvas.setAttribute("aria-label", `Heat map of ${model.heat.interface}: ${words.ranksWord()} by time. ${model.sayView()}`);
    const sentence = block.querySelector(".sentence");
    if (sentence) sentence.textContent = model.sentence();
    readout.textContent = model.sayView();
    drawing.draw();
  };
  const readOut = () => {
    if (drawing.cursor) readout.textContent = drawing.model.say(drawing.cursor.row, drawing.cursor.slice);
  };
  reset.addEventListener("click", () => {
    drawing.model.view = drawing.model.whole();
    update();
  });
  const interfaces = maps.map((heat, index): [string, string] => [String(index), heat.interface]);
  const pickInterface = choice("Interface", interfaces, (value) => {
    const shown = drawing.model.shown;
    drawing.model = new HeatModel(maps[Number(value)] ?? first, data.phases, data.job.seconds || Infinity);
    drawing.model.shown = shown;
    update();
  });
  const pickShown = choice("Bytes", [["both", "read and written"], ["read", "read"], ["written", "written"]], (value) => {
    drawing.model.shown = value as Shown;
    update();
  });
  block.append(make("div", { class: "controls" }, pickInterface, pickShown, reset), canvas, readout,
    make("p", { class: "muted screen-only", id: "heat-keys" }, (data.phases.length ? kPhases : "") + kKeys));
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
