// The document in the element #trikal-data. Made by `trikal generate page-types -o web/src` of the tables in
// src/report/json/prediction_shapes.hpp, which also write it: change those, not this file.
// Any list may be empty and any number 0. A number that was none is null in the file; readData makes it 0.

export const kPredictionSchema = "trikal-prediction-page 1";

// How much of it is sure, as shares of all operations.
export interface Sureness {
  operations: number;
  exact: number;
  extrapolated: number;
  assumed: number;
  assumed_bytes: number; // of all bytes
  because: string[]; // of what they are assumed, the commonest first
}

export interface PredictedUse {
  operation: string;
  count: number;
  bytes: number;
  bytes_known: boolean;
  certainty: string;
}

// One call site, file and operation.
export interface Access extends PredictedUse {
  source: string;
  line: number;
  column: number;
  function: string;
  block: number; // of the line
  file: string;
  files_like_it: number; // used the same way, without an entry
  call: string; // the function that is called
  because: string; // of what it is assumed; empty: it is not
  offset: number; // of the first that moved bytes; -1: none did
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
  block: number; // the loop around it, or the line
  file: string; // the first of them
  files: number;
  times: number;
  seconds: number; // lost
  certainty: string;
  fix: string;
  why: string;
}

export interface Block {
  block: number;
  parent: number; // its own number: the program
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
  kind: string; // call or order
  from: number;
  to: number;
  count: number; // calls
  file: string; // that both lines use
}

// A value that decides something and is not known.
export interface Unknown {
  what: string;
  source: string;
  line: number;
  decided: number;
}

export interface Prediction {
  program: string;
  rank: number;
  ranks: number;
  complete: boolean;
  model: string; // of the scores, and what that was fitted to
  basis: string;
  exit_code: number;
  sureness: Sureness;
  steps: number; // instructions that were followed one by one
  skipped_iterations: number;
  seconds: number;
  accesses: Access[];
  findings: StaticFinding[];
  blocks: Block[];
  edges: Edge[];
  unknowns: Unknown[];
  notes: string[];
}

export interface SourceText {
  path: string;
  text: string;
}

export interface PredictionPage {
  schema: string;
  version: string;
  predictions: Prediction[];
  sources: SourceText[];
}
