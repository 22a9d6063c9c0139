// The contract with src/report/json: one document, "trikal-report 1", in the element #trikal-data.
// Any list may be empty and any number 0. A number that was none is null in the file; readData makes it 0.

export interface Flow {
  calls: number;
  bytes: number;
  sequential: number;
  consecutive: number;
  seconds: number;
  first: number; // when the first began and the last ended, seconds since the start; 0: never
  last: number;
  sizes: number[]; // calls by size, in the classes of words.ts
}

export type CommonSize = [bytes: number, count: number];

export type Severity = "high" | "medium" | "low" | "info";

export interface Finding {
  code: string;
  severity: Severity;
  seconds: number;
  share: number; // of the run time
  title: string;
  evidence: string[];
  formula: string;
  files: { name: string; seconds: number; text: string; sites?: Site[] }[];
  fix: string;
  why: string;
}

// What one layer did with one file.
export interface Use {
  opens: number;
  stats: number;
  seeks: number;
  syncs: number;
  switches: number;
  misaligned: number;
  read: Flow;
  write: Flow;
  meta_seconds: number;
  slowest_rank: number;
  slowest_seconds: number;
  fastest_seconds: number;
  common_sizes: CommonSize[];
}

// What one layer did with all files.
export interface Layer extends Use {
  name: string;
  files: number;
  seconds_by_slowest: number;
  mib_per_s_by_slowest: number;
}

export interface FileRow {
  name: string;
  mount: string;
  fs: string;
  seconds: number;
  bytes_read: number;
  bytes_written: number;
  opens: number;
  ranks: number;
  stripes?: Stripes; // on Lustre
  sites?: Site[]; // where in the code its calls came from, where the run noted that
  uses: { [layer: string]: Use };
}

// One call site, one operation on one file.
export interface Site {
  location: string; // "solver.c:120 (write_rows)"
  source: string;
  line: number; // 0: not known
  function: string;
  object: string;
  interface: string;
  operation: string;
  count: number;
  bytes: number;
  seconds: number;
}

export interface Stripes {
  components: number;
  count: number; // of the first component
  size: number;
  targets: number[];
}

export interface Target {
  id: number;
  files: number;
  bytes_read: number;
  bytes_written: number;
}

export interface Counters {
  module: string;
  values: { [name: string]: number };
}

export interface Rank {
  rank: number; // -1: files shared by all ranks
  bytes_read: number;
  bytes_written: number;
  calls: number;
  files: number;
  read_seconds: number;
  write_seconds: number;
  meta_seconds: number;
}

export interface Heat {
  interface: string;
  width: number; // seconds of a slice
  ranks_a_row: number; // more than 1 where there are too many for a row each
  rows: { rank: number; read: number[]; written: number[] }[];
}

export interface Process {
  pid: number;
  parent: number;
  rank: number;
  start: number;
  end: number;
  exe: string;
  command: string;
  ended: string;
  status: number;
}

export interface Phase {
  name: string;
  begin: number;
  end: number;
  rank: number;
}

export interface Data {
  schema: string;
  version?: string;
  log: { path: string; bytes: number; modules: string[] };
  job: {
    program: string; // what the ranks run
    exe: string;
    command: string;
    job_id: number;
    uid: number;
    nprocs: number;
    start: number; // seconds since 1970
    seconds: number;
    metadata: { [key: string]: string };
  };
  io: {
    seconds: number;
    share: number;
    bytes_read: number;
    bytes_written: number;
    files: number;
    meta_seconds: number;
  };
  layers: Layer[];
  findings: Finding[]; // worst first
  files: FileRow[]; // slowest first, not all of a large log
  files_total: number;
  ranks: Rank[];
  heat: Heat[];
  processes: Process[];
  processes_total: number;
  phases: Phase[];
  unseen: { exe: string; why: string; count: number }[];
  errors: { file: string; what: string; count: number }[];
  mounts: { path: string; type: string }[];
  targets: Target[];
  targets_total: number;
  counters: Counters[];
  warnings: string[];
}

const kSchema = "trikal-report 1";

// The text of the document, as it is offered for download. page.cpp puts "-->" behind it.
export function dataText(): string {
  const text = document.getElementById("trikal-data")?.textContent ?? "";
  return text.replace(/\s*-->\s*$/, "");
}

export function readData(text: string): Data {
  // A reviver makes reading several times slower, so it is used only where there may be something to revive.
  const revive = /[:,[]\s*null/.test(text) ? (_key: string, value: unknown) => (value === null ? 0 : value) : undefined;
  const data = JSON.parse(text, revive) as Data;
  if (data.schema !== kSchema) throw new Error(`the data is "${data.schema}", this page reads "${kSchema}"`);
  return data;
}
