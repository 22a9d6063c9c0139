// Beside the verdict: when the run moved bytes, all ranks together.
import { Data, Heat } from "./data";
import { make, svg } from "./dom";
import * as words from "./words";

const kWidth = 400; // of the drawing; the page stretches it
const kHeight = 64;

interface Sums {
  width: number; // seconds of a slice
  read: number[];
  written: number[];
}

function addTo(sums: number[], slices: number[]): void {
  slices.forEach((bytes, at) => (sums[at] = (sums[at] ?? 0) + bytes));
}

// MPI-IO's bytes are POSIX's, so they count only where nothing else was seen.
function sumsOf(data: Data): Sums | null {
  const maps = data.heat.filter((heat) => heat.rows.length > 0);
  const below = maps.filter((heat) => heat.interface !== "MPIIO");
  const used: Heat[] = below.length ? below : maps;
  const first = used[0];
  if (!first) return null;
  const sums: Sums = { width: first.width, read: [], written: [] };
  for (const heat of used) {
    if (Math.abs(heat.width - first.width) > 1e-9 * first.width) continue;
    for (const row of heat.rows) {
      addTo(sums.read, row.read);
      addTo(sums.written, row.written);
    }
  }
  return sums;
}

function sentence(sums: Sums, end: number): string {
  const bytes = sums.read.map((read, at) => read + (sums.written[at] ?? 0));
  const all = bytes.reduce((sum, one) => sum + one, 0);
  const most = words.largest(bytes);
  const at = bytes.indexOf(most);
  const busy = bytes.filter((one) => one > 0).length;
  return `Bytes moved in ${words.several(busy, "slice")} of ${words.seconds(sums.width)}; most, ${words.percent(words.share(most, all))}, ` +
    `from ${words.seconds(at * sums.width)} to ${words.seconds(Math.min(end, (at + 1) * sums.width))}.`;
}

export function timeLine(data: Data): HTMLElement | null {
  const sums = sumsOf(data);
  if (!sums || !sums.read.some((read, at) => read + (sums.written[at] ?? 0) > 0)) return null;
  const end = data.job.seconds || sums.read.length * sums.width;
  const most = words.largest(sums.read.map((read, at) => read + (sums.written[at] ?? 0)));
  const drawing = svg("svg", { viewBox: `0 0 ${kWidth} ${kHeight}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const across = (seconds: number) => (Math.min(seconds, end) / end) * kWidth;
  sums.read.forEach((read, at) => {
    const [x, wide] = [across(at * sums.width), Math.max(1, across((at + 1) * sums.width) - across(at * sums.width))];
    let y = kHeight;
    for (const [kind, bytes] of [["read", read], ["write", sums.written[at] ?? 0]] as const) {
      const tall = bytes > 0 ? Math.max(1, (bytes / most) * kHeight) : 0;
      y -= tall;
      if (tall) drawing.append(svg("rect", { class: kind, x: x.toFixed(2), y: y.toFixed(2), width: wide.toFixed(2), height: tall.toFixed(2) }));
    }
  });
  return make("figure", { class: "time-line" }, drawing,
    make("div", { class: "ends", "aria-hidden": "true" }, make("span", {}, "0"), make("span", {}, words.seconds(end))),
    make("figcaption", {}, sentence(sums, end)));
}
