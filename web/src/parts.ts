// What the sections of the page are built from.
import { make } from "./dom";
import * as words from "./words";

// A section is a heading, a sentence that says what the picture means, and the picture.
export function section(id: string, title: string, sentence: string, ...children: (Node | null)[]): HTMLElement {
  const heading = make("h2", { id: `${id}-title` }, title);
  const said = sentence ? make("p", { class: "sentence" }, sentence.charAt(0).toUpperCase() + sentence.slice(1)) : null;
  return make("section", { id, "aria-labelledby": `${id}-title` }, heading, said, ...children);
}

export interface Column<Row> {
  title: string;
  text: (row: Row) => string | Node;
  number?: boolean; // aligned to the right
}

export function table<Row>(label: string, columns: Column<Row>[], rows: Row[]): HTMLElement {
  const head = make("tr");
  for (const column of columns) {
    head.append(make("th", { scope: "col", class: column.number ? "number" : undefined }, column.title));
  }
  const body = make("tbody");
  for (const row of rows) {
    const line = make("tr");
    for (const column of columns) {
      line.append(make("td", { class: column.number ? "number" : undefined }, column.text(row)));
    }
    body.append(line);
  }
  return scrolling(label, make("table", {}, make("thead", {}, head), body));
}

// Wide content scrolls inside its own frame, also by keyboard, so that the page never does.
export function scrolling(label: string, content: HTMLElement): HTMLElement {
  return make("div", { class: "scroll", role: "region", "aria-label": label, tabindex: 0 }, content);
}

export function facts(rows: [term: string, what: string | Node][]): HTMLElement {
  const list = make("dl", { class: "facts" });
  for (const [term, what] of rows) list.append(make("div", {}, make("dt", {}, term), make("dd", {}, what)));
  return list;
}

export interface Piece {
  kind: "read" | "write" | "meta" | "plain";
  value: number;
}

export function flowPieces(read: number, write: number, meta: number): Piece[] {
  return [
    { kind: "read", value: read },
    { kind: "write", value: write },
    { kind: "meta", value: meta },
  ];
}

// One bar of several pieces; the numbers stand beside it as text, so the bar itself is silent.
export function bar(pieces: Piece[], longest: number, before = 0): HTMLElement {
  const track = make("div", { class: "track", "aria-hidden": "true" });
  if (before > 0) track.append(filler("gap", words.share(before, longest)));
  for (const piece of pieces) {
    if (piece.value > 0) track.append(filler(piece.kind, words.share(piece.value, longest)));
  }
  return track;
}

function filler(kind: string, share: number): HTMLElement {
  const element = make("span", { class: `fill ${kind}` });
  element.style.width = `${Math.min(100, share * 100).toFixed(3)}%`;
  return element;
}

export function barRow(label: string, pieces: Piece[], longest: number, text: string): HTMLElement {
  return make(
    "div",
    { class: "bar-row", role: "listitem" },
    make("span", { class: "bar-label" }, label),
    bar(pieces, longest),
    make("span", { class: "bar-text" }, text),
  );
}

export function bars(label: string, ...rows: HTMLElement[]): HTMLElement {
  return make("div", { class: "bars", role: "list", "aria-label": label }, ...rows);
}

export function legend(...kinds: ("read" | "write" | "meta")[]): HTMLElement {
  const titles = { read: "reading", write: "writing", meta: "metadata (open, stat, seek, sync …)" };
  const list = make("p", { class: "legend" });
  for (const kind of kinds) {
    list.append(make("span", {}, make("i", { class: `fill ${kind}`, "aria-hidden": "true" }), titles[kind]));
  }
  return list;
}

export function path(text: string): HTMLElement {
  const [folder, last] = words.splitPath(words.name(text));
  return make("span", { class: "path" }, make("span", { class: "folder" }, folder), make("b", {}, last));
}

export function folded(title: string, ...children: Node[]): HTMLElement {
  return make("details", {}, make("summary", {}, title), ...children);
}
