// The document in the element #trikal-data. Made by `trikal generate page-types -o web/src` of the tables in
// src/report/json/report_shapes.hpp, which also write it: change those, not this file.
// Any list may be empty and any number 0. A number that was none is null in the file; readData makes it 0.

export const kSchema = "trikal-report 1";

export interface Log {
  path: string;
  bytes: number;
  modules: string[];
}

export interface Job {
  program: string; // what the ranks run
  exe: string;
  command: string;
  job_id: number;
  uid: number;
  nprocs: number;
  start: number; // seconds since 1970
  seconds: number;
  seconds_at_least?: boolean; // the run was killed, and nobody saw when
  mpi: boolean; // ranks are MPI's; else they are processes
  metadata: { [name: string]: string };
}

export interface Io {
  seconds: number;
  share: number; // of the run time
  bytes_read: number;
  bytes_written: number;
  files: number;
  meta_seconds: number;
}

export interface Flow {
  calls: number;
  bytes: number;
  sequential: number;
  consecutive: number;
  seconds: number;
  first: number; // when the first call began, seconds since the start; 0: never
  last: number; // when the last call ended; 0: never
  sizes: number[]; // calls by size, in the classes of words.ts
}

export type CommonSize = [bytes: number, count: number];

// What one layer did with one file.
export interface Use {
  opens: number;
  stats: number;
  seeks: number;
  syncs: number;
  switches: number; // between reading and writing
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

export interface AccessCalls {
  reads: number;
  writes: number;
}

// What a library above POSIX did, all ranks together.
export interface Library {
  name: string;
  records: number;
  bytes_read: number;
  bytes_written: number;
  read_seconds: number;
  write_seconds: number;
  meta_seconds: number;
  slowest_seconds: number;
  independent: AccessCalls; // calls for PnetCDF's variables: blocking, each rank for itself
  collective: AccessCalls; // blocking, all ranks together
  nonblocking: AccessCalls; // begun, and completed by a wait
}

// Time in a layer itself, without what it calls below.
export interface LayerTime {
  name: string;
  seconds: number; // of all ranks
  slowest: number; // of the slowest rank, with what it calls below
}

export type Severity = "high" | "medium" | "low" | "info";

// One call site, one operation on one file.
export interface Site {
  location: string; // "solver.c:120 (write_rows)"
  source: string;
  line: number; // 0: not known
  function: string;
  object: string; // the program or library
  through: string; // libraries between the call and what was called, that one's caller first
  interface: string;
  operation: string;
  count: number;
  bytes: number;
  seconds: number;
}

export interface FindingFile {
  name: string;
  seconds: number;
  text: string;
  sites?: Site[];
}

export interface Finding {
  code: string;
  severity: Severity;
  seconds: number;
  least: number; // seconds, if all is as cheap as it may be
  most: number;
  share: number; // of the run time
  title: string;
  evidence: string[];
  formula: string;
  files: FindingFile[]; // the worst of them
  files_total: number;
  fix: string;
  why: string;
  overlaps: string[]; // codes of findings whose seconds are partly the same
}

// How much of it is sure, as shares of all operations.
export interface Sureness {
  operations: number;
  exact: number;
  extrapolated: number;
  assumed: number;
  assumed_bytes: number; // of all bytes
  because: string[]; // of what they are assumed, the commonest first
}

// One metric of the machine during the run.
export interface Machine {
  host: string;
  metric: string;
  device: string; // empty: the whole machine
  unit: string;
  samples: number;
  least: number;
  mean: number;
  most: number;
}

export interface Head {
  log: Log;
  job: Job;
  io: Io;
  layers: Layer[];
  libraries: Library[];
  time_by_layer: LayerTime[];
  findings: Finding[]; // worst first
  warnings: string[];
  sureness?: Sureness; // of a prediction
  machine?: Machine[];
}

export interface Stripes {
  components: number;
  count: number; // of the first component
  size: number;
  targets: number[];
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
  internal?: boolean; // shared memory, lock tests and the like of MPI's own, or ours
  stripes?: Stripes; // on Lustre
  sites?: Site[]; // where in the code its calls came from, where the run noted that
  layers?: LayerTime[]; // of a file that MPI-IO or a library opened
  uses: { [name: string]: Use }; // by layer
}

// Files that were used alike.
export interface FileKind {
  use: string; // "only read", "only written", "read and written", "no data moved"
  files: number;
  bytes_read: number;
  bytes_written: number;
  seconds: number;
  mean_size: number; // bytes up to the last one that was moved
  largest_size: number;
}

// All files at or below a directory.
export interface Directory {
  path: string;
  files: number;
  opens: number;
  bytes_read: number;
  bytes_written: number;
  seconds: number;
}

// A dataset of HDF5, all ranks together.
export interface Dataset {
  name: string;
  elements: number;
  element_bytes: number;
  chunk_bytes: number; // 0: no chunks
  scattered: number; // accesses by points or irregular hyperslabs
  collective: boolean; // some accesses were
  reads: number;
  writes: number;
  bytes_read: number;
  bytes_written: number;
  seconds: number;
}

// Time in calls of MPI.
export interface MessageTime {
  ranks: number;
  seconds: number; // of all ranks
  slowest: number; // of the slowest rank
  slowest_rank: number;
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
  mpiio_seconds: number; // in MPI-IO, with the POSIX calls inside of it
  library_seconds: number; // in HDF5 and its like, with what is inside of it
}

export interface HeatLine {
  rank: number;
  read: number[]; // bytes in each slice
  written: number[];
}

export interface Heat {
  interface: string;
  width: number; // seconds of a slice
  ranks_a_row: number; // more than 1 where there are too many for a row each
  from_trace?: boolean; // there is no heatmap, or only a few slices of one
  rows: HeatLine[];
}

export type TraceSpan = [begin: number, end: number, calls: number, bytes: number, offset: number];

// What a rank wrote to, or read from, a file.
export interface TraceLane {
  interface: string;
  rank: number;
  file: string;
  direction: string;
  calls: number;
  seconds: number; // in those calls
  spans: TraceSpan[]; // in order of time
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

// All processes that ran a program.
export interface Program {
  exe: string;
  processes: number;
  failed: number; // ended with a status other than 0
  seconds: number; // that they ran, added up
  longest: number; // of one of them
  first: number; // when the first one began, seconds since the start
  last: number; // when the last one ended
}

export interface Phase {
  name: string;
  begin: number;
  end: number;
  rank: number;
}

export interface Unseen {
  exe: string;
  why: string;
  count: number;
}

export interface FailedCalls {
  file: string;
  what: string;
  count: number;
}

export interface Mount {
  path: string;
  type: string;
}

// One of Lustre's storage targets.
export interface Target {
  id: number;
  files: number;
  bytes_read: number;
  bytes_written: number;
}

// All records of a module together.
export interface Counters {
  module: string;
  values: { [name: string]: number };
}

export interface Data extends Head {
  schema: string;
  version: string;
  files: FileRow[]; // slowest first, not all of a large log
  files_total: number;
  files_internal: number; // of them
  file_kinds: FileKind[]; // of all files
  directories: Directory[]; // slowest first
  datasets: Dataset[]; // slowest first
  datasets_total: number;
  messages?: MessageTime; // where the log has APMPI
  ranks: Rank[];
  heat: Heat[];
  trace: TraceLane[]; // by rank and file; of a large one the rows that took most time
  trace_total: number; // rows the log has
  trace_calls: number; // in all of them
  processes: Process[];
  processes_total: number; // rows
  process_count: number; // one that replaced its program counts once
  programs: Program[]; // those that ran longest first
  phases: Phase[];
  unseen: Unseen[];
  errors: FailedCalls[];
  mounts: Mount[];
  targets: Target[];
  targets_total: number;
  counters: Counters[];
}
