// Words for what a prediction holds, and which of its blocks are shown.

import { Block } from "./prediction_data";

const kMarks: { [certainty: string]: string } = { exact: "", extrapolated: "~", assumed: "?" };
export function mark(certainty: string): string {
  return kMarks[certainty] ?? "";
}

// What is shown of a prediction: blocks with I/O in them, or that would have some with other arguments.
export function drawn(block: Block): boolean {
  return block.io.length > 0 || !block.reached;
}

export function label(block: Block): string {
  switch (block.kind) {
    case "program": return "program";
    case "file": return block.name;
    case "class": return `class ${block.name}`;
    case "function": return `${block.name}()`;
    case "branch": return `branch ${block.line} ${block.name}`;
    default: return `${block.kind} ${block.line}`;
  }
}

export function childrenOf(blocks: Block[]): Block[][] {
  const all: Block[][] = blocks.map(() => []);
  for (const block of blocks) if (block.parent !== block.block && drawn(block)) all[block.parent]?.push(block);
  for (const list of all) list.sort((a, b) => a.line - b.line || a.block - b.block);
  return all;
}
