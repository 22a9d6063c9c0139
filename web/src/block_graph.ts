// The code-block graph: left to right, one row for each line; what encloses several stands in the middle of them.
import { svg } from "./dom";
import { scrolling, section } from "./parts";
import { Block, Prediction } from "./prediction_data";
import { childrenOf, label } from "./prediction_words";
import * as words from "./words";

const kColumn = 150;
const kRow = 46;
const kWide = 128;
const kHigh = 36;
const kMargin = 8;

interface Position {
  x: number;
  y: number;
}

function boxOf(block: Block, at: Position): SVGElement {
  const moved = block.io.reduce((sum, use) => sum + use.bytes, 0);
  const said = block.io.length ? `${words.percent(block.score)} I/O, ${words.bytes(moved)}` : "not reached";
  const name = label(block);
  const fill = svg("rect", { class: "graph-heat", x: at.x, y: at.y, width: kWide, height: kHigh, rx: 4, "fill-opacity": (0.45 * block.score).toFixed(3) });
  return svg("g", { class: block.io.length ? "graph-box" : "graph-box idle" },
    svg("title", {}, `${name}: ${said}`),
    svg("rect", { x: at.x, y: at.y, width: kWide, height: kHigh, rx: 4 }),
    fill,
    svg("text", { x: at.x + 6, y: at.y + 15, class: "graph-name" }, name.length > 20 ? `${name.slice(0, 19)}…` : name),
    svg("text", { x: at.x + 6, y: at.y + 29 }, said));
}

// Inside: from right to left side. Calls come around by the left, what touches a file next leaves by the bottom.
function curve(from: Position, to: Position, kind: string): SVGElement {
  const [y1, y2] = [from.y + kHigh / 2, to.y + kHigh / 2];
  if (kind === "call") {
    const out = Math.min(from.x, to.x) - 22;
    return svg("path", { class: "graph-edge call", d: `M${from.x} ${y1}C${out} ${y1} ${out} ${y2} ${to.x} ${y2}` });
  }
  if (kind === "child") {
    const middle = (from.x + kWide + to.x) / 2;
    return svg("path", { class: "graph-edge child", d: `M${from.x + kWide} ${y1}C${middle} ${y1} ${middle} ${y2} ${to.x} ${y2}` });
  }
  const down = to.y > from.y;
  const [x1, x2] = [from.x + kWide / 2, to.x + kWide / 2];
  const [begin, end] = [from.y + (down ? kHigh : 0), to.y + (down ? 0 : kHigh)];
  const half = (begin + end) / 2;
  return svg("path", { class: "graph-edge order", d: `M${x1} ${begin}C${x1} ${half} ${x2} ${half} ${x2} ${end}` });
}

export function blockGraph(one: Prediction): HTMLElement {
  const children = childrenOf(one.blocks);
  const positions = new Map<number, Position>();
  let next = kMargin;
  let right = 0;
  const layOut = (block: Block, depth: number): Position => {
    const here = { x: kMargin + depth * kColumn, y: next };
    const below = (children[block.block] ?? []).map((child) => layOut(child, depth + 1));
    const [first, last] = [below[0], below[below.length - 1]];
    if (first && last) here.y = (first.y + last.y) / 2;
    else next += kRow;
    right = Math.max(right, here.x + kWide);
    positions.set(block.block, here);
    return here;
  };
  if (one.blocks[0]) layOut(one.blocks[0], 0);
  const picture = svg("svg", { class: "graph", width: right + kMargin, height: next + kMargin, role: "img", "aria-label": "code-block graph" });
  const draw = (from: number, to: number, kind: string) => {
    const [a, b] = [positions.get(from), positions.get(to)];
    if (a && b) picture.append(curve(a, b, kind));
  };
  for (const block of one.blocks) if (block.parent !== block.block) draw(block.parent, block.block, "child");
  for (const edge of one.edges) draw(edge.from, edge.to, edge.kind);
  for (const block of one.blocks) {
    const at = positions.get(block.block);
    if (at) picture.append(boxOf(block, at));
  }
  const calls = one.edges.filter((edge) => edge.kind === "call").length;
  const said = `${words.several(positions.size, "block")}, the fuller in colour the larger the share of I/O in its time. Solid lines lead to what is inside a block, ${words.several(calls, "dashed line")} to a function that is called, dotted ones to the line that touches the same file next; a dashed frame is not reached with these arguments.`;
  const frame = scrolling("Code-block graph", document.createElement("div"));
  frame.firstElementChild?.append(picture);
  return section("graph", "Code-block graph", said, frame);
}
