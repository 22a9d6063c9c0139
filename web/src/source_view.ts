// The tree of blocks and the source beside it, lines coloured by the seconds of I/O in them.
import { make } from "./dom";
import { bar, section } from "./parts";
import { Block, Prediction, PredictionPage } from "./prediction_data";
import { childrenOf, label, mark } from "./prediction_words";
import * as words from "./words";

const kLevels = 4; // of colour; the seconds stand beside them as text

export class SourceView {
  readonly element = make("div", { class: "source" });
  private readonly rows = new Map<string, HTMLElement>();
  private readonly costliest = new Map<string, HTMLElement>();

  constructor(page: PredictionPage, one: Prediction) {
    const seconds = new Map<string, number>();
    for (const block of one.blocks) {
      if (block.kind !== "line" || !block.io.length) continue;
      const key = `${block.source}:${block.line}`;
      seconds.set(key, (seconds.get(key) ?? 0) + block.seconds_io);
    }
    const most = words.largest([...seconds.values()]);
    for (const source of page.sources) this.addSource(source.path, source.text, seconds, most);
    if (!page.sources.length) this.element.append(make("p", {}, "The source could not be read when this page was made."));
  }

  private addSource(path: string, text: string, seconds: Map<string, number>, most: number): void {
    const title = make("h3", {}, words.splitPath(words.name(path))[1]);
    let worst = 0;
    const list = make("div", { class: "code-lines", tabindex: 0, role: "region", "aria-label": `source of ${words.splitPath(words.name(path))[1]}` });
    text.split("\n").forEach((line, index) => {
      const key = `${path}:${index + 1}`;
      const time = seconds.get(key);
      const level = time === undefined || most <= 0 ? 0 : Math.max(1, Math.ceil((kLevels * Math.log1p((100 * time) / most)) / Math.log1p(100)));
      const row = make("div", { class: `code-line heat${level}`, tabindex: -1 },
        make("span", { class: "line-number" }, String(index + 1)),
        make("span", { class: "line-time" }, time === undefined ? "" : words.seconds(time)),
        make("code", {}, words.name(line.replace(/\t/g, "    "))));
      this.rows.set(key, row);
      if (time !== undefined && time > worst) {
        worst = time;
        this.costliest.set(path, row);
      }
      list.append(row);
    });
    this.element.append(title, list);
  }

  // The costliest line of each file stands in the middle of its frame from the beginning.
  start(): void {
    for (const row of this.costliest.values()) {
      const list = row.parentElement;
      if (list) list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  }

  // Brings a line into view, and the reader's focus with it.
  show(source: string, line: number): void {
    const row = this.rows.get(`${source}:${line}`);
    this.element.querySelectorAll(".chosen").forEach((old) => old.classList.remove("chosen"));
    if (!row) return;
    row.classList.add("chosen");
    row.focus();
    row.scrollIntoView({ block: "center" });
  }
}

function sums(block: Block): string {
  if (!block.io.length) return "not reached with these arguments";
  const operations = block.io.reduce((sum, use) => sum + use.count, 0);
  const bytes = block.io.reduce((sum, use) => sum + use.bytes, 0);
  const worst = block.io.some((use) => use.certainty === "assumed") ? "assumed" : block.io.some((use) => use.certainty !== "exact") ? "extrapolated" : "exact";
  const iterations = block.iterations > 0 ? `${words.several(block.iterations, "iteration")}, ` : "";
  return `${iterations}${mark(worst)}${words.several(operations, "operation")}, ${words.bytes(bytes)}, ${words.seconds(block.seconds_io)}`;
}

function head(block: Block, view: SourceView, all: number): HTMLElement[] {
  const name = label(block);
  const title = block.line > 0 ? make("button", { type: "button", class: "jump" }, name) : make("b", {}, name);
  if (block.line > 0) {
    title.addEventListener("click", (event) => {
      event.preventDefault(); // not also fold the block
      view.show(block.source, block.line);
    });
  }
  const score = make("span", { class: "score" }, block.io.length ? block.score.toFixed(2) : "–");
  return [score, bar([{ kind: "plain", value: block.seconds_io }], all), make("span", { class: "block-name" }, title, make("span", { class: "muted" }, ` ${sums(block)}`))];
}

function branch(block: Block, children: Block[][], view: SourceView, all: number, depth: number): HTMLElement {
  const below = children[block.block] ?? [];
  const line = make("div", { class: "block-line" }, ...head(block, view, all));
  if (!below.length) return make("li", { class: "leaf" }, line);
  const list = make("ul", { class: "blocks" });
  for (const child of below) list.append(branch(child, children, view, all, depth + 1));
  return make("li", {}, make("details", { open: depth < 4 && block.io.length > 0 }, make("summary", {}, line), list));
}

function busiest(one: Prediction): string {
  const inner = one.blocks.filter((block) => (block.kind === "loop" || block.kind === "function") && block.io.length);
  inner.sort((a, b) => b.seconds_io - a.seconds_io || b.block - a.block);
  const first = inner.find((block) => block.kind === "loop") ?? inner[0];
  const above = one.blocks.filter((block) => block.io.length && block.score > 0.5).length;
  const all = one.blocks.filter((block) => block.io.length).length;
  const said = `The number before a block is the share of I/O in its time, the bar its part of all I/O; ${words.count(above)} of ${words.several(all, "block")} with I/O spend more than half of their time in it.`;
  return first ? `${said} The costliest is ${label(first)} with ${words.seconds(first.seconds_io)} of I/O; a block holds what it calls, too.` : said;
}

export function blocksAndSource(one: Prediction, view: SourceView): HTMLElement {
  const root = one.blocks[0];
  const tree = make("ul", { class: "blocks" });
  if (root) tree.append(branch(root, childrenOf(one.blocks), view, root.seconds_io, 0));
  const panes = make("div", { class: "panes" }, make("div", { class: "block-tree" }, tree), view.element);
  return section("blocks", "Blocks and source", busiest(one), panes);
}
