// The contract with src/report/json/prediction.cpp for the page of `trikal predict --html`: "trikal-prediction-page 1".

export interface PredictedUse {
  operation: string;
  count: number;
  bytes: number;
  bytes_known: boolean;
  certainty: string;
}

export interface Access extends PredictedUse {
  source: string;
  line: number;
  column: number;
  function: string;
  block: number;
  file: string;
  files_like_it: number;
  call: string;
  offset: number;
  pattern: string;
  flags: string[];
}

export interface StaticFinding {
  code: string;
  title: string;
  source: string;
  line: number;
  column: number;
  function: string;
  block: number;
  file: string;
  files: number;
  times: number;
  seconds: number;
  certainty: string;
  fix: string;
  why: string;
}

export interface Block {
  block: number;
  parent: number;
  kind: string;
  name: string;
  source: string;
  line: number;
  score: number;
  seconds_io: number;
  seconds_compute: number;
  class: string; // how intensive its I/O is
  instructions: number;
  runs: number;
  iterations: number;
  reached: boolean;
  parameters: number[]; // of the score
  variables: number[];
  io: PredictedUse[];
}

export interface Edge {
  kind: string;
  from: number;
  to: number;
  count: number;
  file: string;
}

export interface Prediction {
  program: string;
  rank: number;
  ranks: number;
  complete: boolean;
  model: string; // of the scores, and what that was fitted to
  basis: string;
  exit_code: number;
  steps: number; // instructions that were followed one by one
  skipped_iterations: number;
  seconds: number;
  accesses: Access[];
  findings: StaticFinding[];
  blocks: Block[];
  edges: Edge[];
  unknowns: { what: string; source: string; line: number; decided: number }[];
  notes: string[];
}

export interface PredictionPage {
  schema: string;
  version: string;
  predictions: Prediction[];
  sources: { path: string; text: string }[];
}

export const kPredictionSchema = "trikal-prediction-page 1";

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
