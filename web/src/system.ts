// Around the I/O: file systems, calls that failed, what was not observed, the job itself.
import { Data } from "./data";
import { make } from "./dom";
import { facts, path, section, table } from "./parts";
import * as words from "./words";

const kMost = 200; // rows of a table

interface MountRow {
  path: string;
  type: string;
  files: number;
  seconds: number;
  read: number;
  written: number;
}

// Mounts nobody touched say nothing about the run and are only counted.
function usedMounts(data: Data): MountRow[] {
  const rows = new Map<string, MountRow>();
  const types = new Map(data.mounts.map((mount) => [mount.path, mount.type]));
  for (const file of data.files) {
    const type = file.fs || types.get(file.mount) || "";
    const row = rows.get(file.mount) ?? { path: file.mount, type, files: 0, seconds: 0, read: 0, written: 0 };
    row.files++;
    row.seconds += file.seconds;
    row.read += file.bytes_read;
    row.written += file.bytes_written;
    rows.set(file.mount, row);
  }
  return [...rows.values()].sort((a, b) => b.seconds - a.seconds);
}

export function mounts(data: Data): HTMLElement | null {
  const rows = usedMounts(data);
  const first = rows[0];
  if (!first) return null;
  const time = rows.reduce((sum, row) => sum + row.seconds, 0);
  const where = words.name(first.path || "an unknown mount point");
  const idle = data.mounts.filter((mount) => !rows.some((row) => row.path === mount.path)).length;
  const said = `${words.percent(words.share(first.seconds, time))} of the files' time is on ${where}${first.type ? ` (${words.name(first.type)})` : ""}; ${words.several(idle, "other mount")} had no file listed here.`;
  return section("mounts", "File systems", said, table<MountRow>("File systems", [
    { title: "Mounted at", text: (row) => words.name(row.path || "unknown") },
    { title: "Type", text: (row) => words.name(row.type || "unknown") },
    { title: "Files", number: true, text: (row) => words.count(row.files) },
    { title: "Time", number: true, text: (row) => words.seconds(row.seconds) },
    { title: "Read", number: true, text: (row) => words.bytes(row.read) },
    { title: "Written", number: true, text: (row) => words.bytes(row.written) },
  ], rows));
}

export function errors(data: Data): HTMLElement | null {
  if (!data.errors.length) return null;
  const sum = data.errors.reduce((total, error) => total + error.count, 0);
  const most = data.errors.reduce((a, b) => (b.count > a.count ? b : a));
  const said = `${words.several(sum, "call")} failed, most often with ${words.name(most.what)} (${words.count(most.count)} times on one file).`;
  return section("errors", "Calls that failed", said, table("Calls that failed", [
    { title: "File", text: (error: Data["errors"][number]) => path(error.file) },
    { title: "Error", text: (error) => words.name(error.what) },
    { title: "Times", number: true, text: (error) => words.count(error.count) },
  ], data.errors.slice(0, kMost)));
}

// One value in its unit.
function measured(value: number, unit: string): string {
  if (unit === "bytes") return words.bytes(value);
  if (unit === "bytes/s") return `${words.bytes(value)}/s`;
  if (unit === "seconds/s") return words.percent(value);
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}

export function machine(data: Data): HTMLElement | null {
  const rows = data.machine ?? [];
  if (!rows.length) return null;
  const busy = rows.filter((row) => /^cpu\.(user|nice|system|irq|softirq)$/.test(row.metric)).reduce((sum, row) => sum + row.mean, 0);
  const pressure = rows.find((row) => row.metric === "pressure.io.some");
  const waited = pressure ? `, and some task waited for I/O ${words.percent(pressure.mean)} of the time` : "";
  const said = `On average ${busy.toLocaleString("en-US", { maximumFractionDigits: 2 })} processors were busy${waited}. All programs on the machine count.`;
  const kinds: Record<string, string> = { processors: " (processors)", "seconds/s": " (share of the time)", "1/s": " (per second)" };
  return section("machine", "Machine", said, table("Machine", [
    { title: "Metric", text: (row: NonNullable<Data["machine"]>[number]) => row.metric + (kinds[row.unit] ?? "") },
    { title: "Device", text: (row) => words.name(row.device) },
    { title: "Host", text: (row) => words.name(row.host) },
    { title: "Least", number: true, text: (row) => measured(row.least, row.unit) },
    { title: "Mean", number: true, text: (row) => measured(row.mean, row.unit) },
    { title: "Most", number: true, text: (row) => measured(row.most, row.unit) },
  ], rows.slice(0, kMost)));
}

export function coverage(data: Data): HTMLElement | null {
  if (!data.unseen.length) return null;
  const sum = data.unseen.reduce((total, row) => total + row.count, 0);
  const said = `${words.several(sum, "program")} ran without being observed; I/O they did is in none of the numbers here.`;
  return section("coverage", "Coverage", said, table("Programs not observed", [
    { title: "Program", text: (row: Data["unseen"][number]) => path(row.exe) },
    { title: "Why", text: (row) => words.name(row.why) },
    { title: "Times", number: true, text: (row) => words.count(row.count) },
  ], data.unseen.slice(0, kMost)));
}

export function job(data: Data): HTMLElement {
  const { job: run, log } = data;
  const rows: [string, string | Node][] = [
    ["Command", make("code", {}, words.name(run.command || run.exe))],
    ["Started", words.date(run.start)],
    ["Ran", words.seconds(run.seconds)],
    ["Processes", words.count(run.nprocs)],
    ["Job", `${run.job_id}, user ${run.uid}`],
    ["Log", make("span", {}, path(log.path), ` (${words.bytes(log.bytes)})`)],
    ["Modules", log.modules.map(words.name).join(", ") || "none"],
  ];
  for (const [key, value] of Object.entries(run.metadata ?? {})) rows.push([words.name(key), words.name(String(value))]);
  return section("job", "Job", "", facts(rows));
}
