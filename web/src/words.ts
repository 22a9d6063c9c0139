// Numbers and names as people read them.

export const kSizeClasses = [
  "up to 100 B",
  "100 B – 1 KiB",
  "1 – 10 KiB",
  "10 – 100 KiB",
  "100 KiB – 1 MiB",
  "1 – 4 MiB",
  "4 – 10 MiB",
  "10 – 100 MiB",
  "100 MiB – 1 GiB",
  "over 1 GiB",
];

const kGlue = "\u00a0"; // a number stays on the line of its unit
const kUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

// Three figures are what a person compares.
function figures(value: number): string {
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString("en");
  return value.toFixed(value >= 10 ? 1 : 2);
}

export function bytes(value: number): string {
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < kUnits.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${figures(value)}${kGlue}${kUnits[unit]}`;
}

export function seconds(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return `0${kGlue}s`;
  if (size < 1e-6) return `under 1${kGlue}µs`;
  if (size < 1e-3) return `${figures(value * 1e6)}${kGlue}µs`;
  if (size < 1) return `${figures(value * 1e3)}${kGlue}ms`;
  if (size < 600) return `${figures(value)}${kGlue}s`;
  if (size < 7200) return `${figures(value / 60)}${kGlue}min`;
  return `${figures(value / 3600)}${kGlue}h`;
}

// A time among others that are `step` apart: as many digits as tell them apart.
export function moment(value: number, step: number): string {
  if (step >= 0.1 || value === 0) return seconds(Number(value.toPrecision(9)));
  const digits = Math.min(9, Math.max(2, Math.ceil(-Math.log10(step))));
  return `${value.toFixed(digits)}${kGlue}s`;
}

export function count(value: number): string {
  if (Math.abs(value) >= 1e9) return `${figures(value / 1e9)}${kGlue}billion`;
  if (Math.abs(value) >= 1e6) return `${figures(value / 1e6)}${kGlue}million`;
  return Math.round(value).toLocaleString("en");
}

// All digits: of what must add up.
export function exact(value: number): string {
  return Math.round(value).toLocaleString("en");
}

// Rates: a fraction of a call a second is no call at all in a long run.
export function number(value: number): string {
  return value !== 0 && Math.abs(value) < 100 && !Number.isInteger(value) ? figures(value) : count(value);
}

export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return `under 0.1${kGlue}%`;
  if (value < 10 && !Number.isInteger(value)) return `${value.toFixed(1)}${kGlue}%`;
  if (value > 99 && value < 100) return `over 99${kGlue}%`;
  return `${Math.round(value)}${kGlue}%`;
}

export function several(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

// Math.max takes its values as arguments, and engines refuse more than some ten thousand.
export function largest(values: number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

export function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

// Names are bytes. What was no UTF-8 arrives as a lone surrogate (the JSON writer says so), and characters that would
// break a line or change the direction of writing could make one name look like another: all are shown as escapes.
export function name(text: string): string {
  return text
    .replace(/[\uDC80-\uDCFF]/g, (character, at: number) =>
      at > 0 && /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") ? character : hex(character.charCodeAt(0) - 0xdc00, 2, "\\x"),
    )
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => hex(character.charCodeAt(0), 2, "\\x"))
    .replace(/[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (character) => hex(character.charCodeAt(0), 4, "\\u"));
}

// The same of a text of several lines.
export function lines(text: string): string {
  return text.split("\n").map(name).join("\n");
}

function hex(code: number, digits: number, before: string): string {
  return before + code.toString(16).padStart(digits, "0");
}

// What the numbers of those who do I/O are called: ranks are MPI's, everything else has processes.
let kind: "rank" | "process" = "rank";

export function callRanks(name: "rank" | "process"): void {
  kind = name;
}

export function rankWord(): string {
  return kind;
}

export function ranksWord(): string {
  return kind === "rank" ? "ranks" : "processes";
}

export function rankName(rank: number): string {
  return rank < 0 ? `all ${ranksWord()}` : `${kind} ${rank}`;
}

export function date(unix: number): string {
  if (!unix) return "unknown";
  const moment = new Date(unix * 1000);
  return Number.isNaN(moment.getTime()) ? "unknown" : moment.toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

// The part of a path people look for, and what stands before it.
export function splitPath(path: string): [folder: string, last: string] {
  const at = path.replace(/\/+$/, "").lastIndexOf("/") + 1;
  return [path.slice(0, at), path.slice(at)];
}
