// The processes of the job as a tree, and the phases the program named.
import { Data, Phase, Process, Program } from "./data";
import { make } from "./dom";
import { bar, folded, path, section, table } from "./parts";
import * as words from "./words";

const kMost = 300;
const kFew = 20; // processes that are listed beside their programs without being asked for
const kDeepest = 8; // levels of indentation

interface Node_ {
  process: Process;
  depth: number;
}

// Parents before children. A process id may come twice (exec, reuse) and a damaged table may hold a circle: every row
// is shown exactly once.
export function inTreeOrder(processes: Process[]): Node_[] {
  const children = new Map<number, Process[]>();
  const known = new Set(processes.map((process) => process.pid));
  const roots: Process[] = [];
  for (const process of [...processes].sort((a, b) => a.start - b.start)) {
    const parent = process.parent;
    if (!known.has(parent) || parent === process.pid) roots.push(process);
    else if (children.has(parent)) children.get(parent)?.push(process);
    else children.set(parent, [process]);
  }
  const order: Node_[] = [];
  const placed = new Set<Process>();
  const walk = (first: Process) => {
    const waiting: Node_[] = [{ process: first, depth: 0 }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (placed.has(next.process)) continue;
      placed.add(next.process);
      order.push(next);
      const depth = next.depth + 1;
      const below = children.get(next.process.pid) ?? [];
      children.delete(next.process.pid);
      for (const child of [...below].reverse()) waiting.push({ process: child, depth });
    }
  };
  roots.forEach(walk);
  processes.forEach((process) => placed.has(process) || walk(process));
  return order;
}

function ending(process: Process): string {
  const ended = words.name(String(process.ended ?? ""));
  return process.status ? `${ended} ${process.status}`.trim() : ended;
}

function sentence(data: Data): string {
  const rows = data.processes;
  const longest = rows.reduce((most, one) => (one.end - one.start > most.end - most.start ? one : most));
  const life = `${words.splitPath(words.name(longest.exe))[1]} ran longest, ${words.seconds(longest.end - longest.start)}`;
  const failed = data.programs.reduce((sum, program) => sum + program.failed, 0);
  const bad = failed ? `${words.count(failed)} ended with a status other than 0` : "all ended with status 0";
  return `${words.several(data.process_count, "process", "processes")} took part: ${life}; ${bad}.`;
}

// What a script starts a thousand times is a row here.
function programs(data: Data, end: number): HTMLElement | null {
  if (!data.programs.length || data.programs.length === data.processes_total) return null;
  return table<Program>("Programs", [
    { title: "Program", text: (row) => path(row.exe) },
    { title: "Processes", number: true, text: (row) => words.count(row.processes) },
    { title: "Failed", number: true, text: (row) => words.count(row.failed) },
    { title: "From first to last", text: (row) => bar([{ kind: "plain", value: Math.max(row.last - row.first, end / 200) }], end, row.first) },
    { title: "Each on average", number: true, text: (row) => words.seconds(row.seconds / row.processes) },
    { title: "Longest", number: true, text: (row) => words.seconds(row.longest) },
    { title: "Together", number: true, text: (row) => words.seconds(row.seconds) },
  ], data.programs.slice(0, kMost));
}

export function processes(data: Data): HTMLElement | null {
  if (!data.processes.length) return null;
  const order = inTreeOrder(data.processes);
  const start = data.processes.reduce((least, process) => Math.min(least, process.start), Infinity);
  const length = words.largest(data.processes.map((process) => process.end)) - start;
  const list = table<Node_>("Processes", [
    { title: "Process", text: ({ process, depth }) => {
      const cell = make("span", { class: "path", title: words.name(process.command) },
        make("b", {}, words.splitPath(words.name(process.exe))[1] || "?"), ` ${words.name(process.command)}`);
      cell.style.paddingInlineStart = `${Math.min(depth, kDeepest) * 1.2}em`;
      return make("span", { class: "tree" }, make("span", { class: "sr-only" }, `level ${depth + 1}: `), cell);
    } },
    { title: "Id", number: true, text: ({ process }) => String(process.pid) },
    ...(data.job.mpi ? [{ title: "Rank", number: true, text: ({ process }: Node_) => (process.rank < 0 ? "–" : String(process.rank)) }] : []),
    { title: "When", text: ({ process }) => bar([{ kind: "plain", value: Math.max(process.end - process.start, length / 200) }], length, process.start - start) },
    { title: "Time", number: true, text: ({ process }) => words.seconds(process.end - process.start) },
    { title: "End", text: ({ process }) => ending(process) },
  ], order.slice(0, kMost));
  const rest = data.processes_total - Math.min(order.length, kMost);
  const grouped = programs(data, start + length);
  const tree = grouped && order.length > kFew ? folded("Every process", list) : list;
  return section("processes", "Processes", sentence(data), grouped, tree,
    rest > 0 ? make("p", { class: "muted" }, `${words.several(rest, "more process", "more processes")}: trikal export -t processes.`) : null);
}

export function phases(data: Data): HTMLElement | null {
  if (!data.phases.length) return null;
  const longest = data.phases.reduce((most, one) => (one.end - one.begin > most.end - most.begin ? one : most));
  const end = Math.max(data.job.seconds, words.largest(data.phases.map((phase) => phase.end)));
  const said = `The program names ${words.several(data.phases.length, "phase")}; the longest, ${words.name(longest.name)}, takes ${words.seconds(longest.end - longest.begin)} (${words.percent(words.share(longest.end - longest.begin, end))} of the run).`;
  return section("phases", "Phases", said, table<Phase>("Phases", [
    { title: "Phase", text: (phase) => words.name(phase.name) },
    { title: "Rank", number: true, text: (phase) => (phase.rank < 0 ? "all" : String(phase.rank)) },
    { title: "When", text: (phase) => bar([{ kind: "plain", value: Math.max(phase.end - phase.begin, end / 200) }], end, phase.begin) },
    { title: "From", number: true, text: (phase) => words.seconds(phase.begin) },
    { title: "Time", number: true, text: (phase) => words.seconds(phase.end - phase.begin) },
  ], data.phases.slice(0, kMost)));
}
