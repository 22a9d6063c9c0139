// Where the time of each interface goes, and how large its calls are.
import { CommonSize, Data, Flow, Layer, LayerTime, Library } from "./data";
import { make } from "./dom";
import { barRow, bars, flowPieces, legend, section, table } from "./parts";
import * as words from "./words";

const kSmall = 3; // classes of calls under 10 KiB

function total(layer: Layer): number {
  return layer.read.seconds + layer.write.seconds + layer.meta_seconds;
}

function splitSentence(data: Data): string {
  const { layers } = data;
  const busiest = layers.reduce((most, layer) => (total(layer) > total(most) ? layer : most));
  const time = total(busiest);
  if (time <= 0) return "No interface measured any time.";
  const kinds: [string, number][] = [
    ["reading", busiest.read.seconds],
    ["writing", busiest.write.seconds],
    ["metadata", busiest.meta_seconds],
  ];
  kinds.sort((a, b) => b[1] - a[1]);
  const [kind, most] = kinds[0] as [string, number];
  const stacked = layers.length > 1 ? " An interface that calls another includes the other's time." : "";
  const each = data.job.nprocs > 1 && data.job.seconds > 0
    ? `${words.seconds(time / data.job.nprocs)} of ${words.seconds(data.job.seconds)} in each ${words.rankWord()} on average (${words.seconds(time)} in all ${words.count(data.job.nprocs)})`
    : words.seconds(time);
  return `${busiest.name} takes ${each}; ${words.percent(most / time)} of it is ${kind}.${stacked}`;
}

export function timeSplit(data: Data): HTMLElement | null {
  if (!data.layers.length) return null;
  const longest = words.largest(data.layers.map(total));
  const rows = data.layers.map((layer) =>
    barRow(
      layer.name,
      flowPieces(layer.read.seconds, layer.write.seconds, layer.meta_seconds),
      longest,
      `read ${words.seconds(layer.read.seconds)} · write ${words.seconds(layer.write.seconds)} · metadata ${words.seconds(layer.meta_seconds)}`,
    ),
  );
  const numbers = table<Layer>("Interfaces compared", [
    { title: "Interface", text: (layer) => layer.name },
    { title: "Files", number: true, text: (layer) => words.count(layer.files) },
    { title: "Opens", number: true, text: (layer) => words.count(layer.opens) },
    { title: "Reads", number: true, text: (layer) => words.count(layer.read.calls) },
    { title: "Writes", number: true, text: (layer) => words.count(layer.write.calls) },
    { title: "Stats", number: true, text: (layer) => words.count(layer.stats) },
    { title: "Seeks", number: true, text: (layer) => words.count(layer.seeks) },
    { title: "Syncs", number: true, text: (layer) => words.count(layer.syncs) },
    { title: "Bytes read", number: true, text: (layer) => words.bytes(layer.read.bytes) },
    { title: "Bytes written", number: true, text: (layer) => words.bytes(layer.write.bytes) },
    { title: `Slowest ${words.rankWord()}`, number: true, text: (layer) => words.seconds(layer.seconds_by_slowest) },
    { title: "MiB/s", number: true, text: (layer) => layer.mib_per_s_by_slowest.toFixed(1) },
  ], data.layers);
  return section("split", "Where I/O time goes", splitSentence(data),
    legend("read", "write", "meta"), bars("I/O time by interface", ...rows), numbers);
}

// Time in each layer without what it calls below, and what libraries above POSIX say of themselves.
export function layerTimes(data: Data): HTMLElement | null {
  if (data.time_by_layer.length < 2 && !data.libraries.length) return null;
  const all = data.time_by_layer.reduce((sum, layer) => sum + layer.seconds, 0);
  const most = data.time_by_layer.reduce<LayerTime | null>((best, layer) => (best && best.seconds >= layer.seconds ? best : layer), null);
  const sentence = most && all > 0
    ? `${most.name} itself takes ${words.percent(most.seconds / all)} of the time in I/O, without what it calls below.`
    : "No layer measured any time.";
  const times = table<LayerTime>("Time by layer", [
    { title: "Layer", text: (layer) => layer.name },
    { title: `Itself, all ${words.ranksWord()}`, number: true, text: (layer) => words.seconds(layer.seconds) },
    { title: `Slowest ${words.rankWord()}, with what is below`, number: true, text: (layer) => words.seconds(layer.slowest) },
  ], data.time_by_layer);
  const libraries = table<Library>("Libraries", [
    { title: "Module", text: (library) => library.name },
    { title: "Records", number: true, text: (library) => words.count(library.records) },
    { title: "Read", number: true, text: (library) => words.bytes(library.bytes_read) },
    { title: "Written", number: true, text: (library) => words.bytes(library.bytes_written) },
    { title: "Reading", number: true, text: (library) => words.seconds(library.read_seconds) },
    { title: "Writing", number: true, text: (library) => words.seconds(library.write_seconds) },
    { title: "Metadata", number: true, text: (library) => words.seconds(library.meta_seconds) },
    { title: `Slowest ${words.rankWord()}`, number: true, text: (library) => words.seconds(library.slowest_seconds) },
  ], data.libraries);
  return section("layer-times", "Layers", sentence, times, ...(data.libraries.length ? [libraries] : []));
}

// Not every interface counts calls by size, or notes where a call begins; where it did not, nothing is claimed.
export function hasSizes(flow: Flow): boolean {
  return flow.sizes.some((calls) => calls > 0);
}

export function hasOrder(flow: Flow): boolean {
  return flow.sequential + flow.consecutive > 0;
}

// "96 % of 1.2 million writes are under 10 KiB, 99 % begin where the one before ended."
export function flowSentence(flow: Flow, verb: string): string {
  if (!flow.calls) return "";
  const calls = words.several(flow.calls, verb);
  const small = flow.sizes.slice(0, kSmall).reduce((sum, part) => sum + part, 0);
  const size = hasSizes(flow)
    ? `${words.percent(words.share(small, flow.calls))} of ${calls} are under 10 KiB`
    : `${calls} of ${words.bytes(flow.bytes / flow.calls)} on average`;
  if (!hasOrder(flow)) return `${size}.`;
  return `${size}, ${words.percent(words.share(flow.consecutive, flow.calls))} begin where the one before ended.`;
}

export function histogram(label: string, read: Flow, write: Flow): HTMLElement | null {
  if (!hasSizes(read) && !hasSizes(write)) return null;
  const most = Math.max(1, ...read.sizes, ...write.sizes);
  const rows: HTMLElement[] = [];
  words.kSizeClasses.forEach((title, index) => {
    const reads = read.sizes[index] ?? 0;
    const writes = write.sizes[index] ?? 0;
    if (!reads && !writes) return;
    const said = [reads ? words.several(reads, "read") : "", writes ? words.several(writes, "write") : ""];
    const row = barRow(title, [], most, said.filter(Boolean).join(", "));
    const pair = make("div", { class: "pair", "aria-hidden": "true" });
    for (const [kind, value] of [["read", reads], ["write", writes]] as const) {
      if (!value) continue;
      const fill = make("span", { class: `fill ${kind}` });
      fill.style.width = `${((value / most) * 100).toFixed(3)}%`;
      pair.append(fill);
    }
    row.querySelector(".track")?.replaceWith(pair);
    rows.push(row);
  });
  return bars(label, ...rows);
}

export function commonSizes(sizes: CommonSize[]): HTMLElement | null {
  if (!sizes.length) return null;
  const list = sizes.map(([size, times]) => `${words.bytes(size)} (${words.count(times)} times)`);
  return make("p", { class: "muted" }, `Most common sizes: ${list.join(", ")}.`);
}

export function sizes(data: Data): HTMLElement | null {
  const moving = data.layers.filter((layer) => layer.read.calls + layer.write.calls > 0);
  if (!moving.length) return null;
  const charts = moving.map((layer) => {
    const said = [flowSentence(layer.write, "write"), flowSentence(layer.read, "read")].filter(Boolean).join(" ");
    return make("div", { class: "card" }, make("h3", {}, words.name(layer.name)), make("p", { class: "sentence" }, said),
      histogram(`${layer.name}: calls by size`, layer.read, layer.write), commonSizes(layer.common_sizes));
  });
  const calls = moving.reduce((sum, layer) => sum + layer.read.calls + layer.write.calls, 0);
  return section("sizes", "Sizes of reads and writes",
    `${words.several(calls, "call")} moved data. Small calls pay the price of a call for few bytes.`,
    legend("read", "write"), make("div", { class: "cards" }, ...charts));
}
