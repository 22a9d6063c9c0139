// What is known about one file: opened below its row in the table.
import { Data, FileRow, Flow, Site, Use } from "./data";
import { make } from "./dom";
import { commonSizes, flowSentence, hasOrder, histogram } from "./layers";
import { bar, bars, facts, table } from "./parts";
import * as words from "./words";

function flowFact(flow: Flow): string {
  if (!flow.calls) return "none";
  const average = words.bytes(flow.bytes / flow.calls);
  return `${words.bytes(flow.bytes)} in ${words.several(flow.calls, "call")} (${average} each), ${words.seconds(flow.seconds)}`;
}

function pattern(use: Use): string {
  const said = [flowSentence(use.write, "write"), flowSentence(use.read, "read")].filter(Boolean);
  if (!said.length) return "No data was moved: only metadata calls.";
  return said.join(" ");
}

function useCard(layer: string, use: Use): HTMLElement {
  const calls = use.read.calls + use.write.calls;
  const rows: [string, string][] = [
    ["Read", flowFact(use.read)],
    ["Written", flowFact(use.write)],
    ["Metadata", `${words.seconds(use.meta_seconds)}: ${words.several(use.opens, "open")}, ${words.several(use.stats, "stat")}, ${words.several(use.seeks, "seek")}, ${words.several(use.syncs, "sync")}`],
  ];
  if (hasOrder(use.read) || hasOrder(use.write)) {
    const forward = use.read.sequential + use.write.sequential;
    rows.push(["Order", `${words.percent(words.share(forward, calls))} of the calls go forward`]);
  }
  if (use.switches) rows.push(["Switches", `${words.several(use.switches, "change")} between reading and writing`]);
  if (use.misaligned) rows.push(["Misaligned", `${words.count(use.misaligned)} of ${words.several(calls, "call")}`]);
  if (use.slowest_seconds > 0 || use.fastest_seconds > 0) {
    const slowest = `${words.rankName(use.slowest_rank)} ${words.seconds(use.slowest_seconds)}`;
    rows.push(["Slowest", `${slowest}, fastest ${words.seconds(use.fastest_seconds)}`]);
  }
  return make("div", { class: "card" },
    make("h3", {}, words.name(layer)),
    make("p", { class: "sentence" }, pattern(use)),
    facts(rows),
    calls ? histogram(`${layer}: calls by size`, use.read, use.write) : null,
    commonSizes(use.common_sizes));
}

interface Stretch {
  label: string;
  kind: "read" | "write";
  flow: Flow;
}

// When the file was read and written, along the whole run.
function timeline(data: Data, file: FileRow): HTMLElement | null {
  const whole = data.job.seconds;
  const stretches: Stretch[] = [];
  for (const [layer, use] of Object.entries(file.uses)) {
    if (use.read.last > 0) stretches.push({ label: `${words.name(layer)} read`, kind: "read", flow: use.read });
    if (use.write.last > 0) stretches.push({ label: `${words.name(layer)} written`, kind: "write", flow: use.write });
  }
  if (!stretches.length || whole <= 0) return null;
  const rows = stretches.map(({ label, kind, flow }) => {
    return make("div", { class: "bar-row", role: "listitem" }, make("span", { class: "bar-label" }, label),
      bar([{ kind, value: Math.max(flow.last - flow.first, whole / 500) }], whole, flow.first),
      make("span", { class: "bar-text" }, `${words.seconds(flow.first)} to ${words.seconds(flow.last)}, calls took ${words.seconds(flow.seconds)}`));
  });
  const first = Math.min(...stretches.map((one) => one.flow.first));
  const last = Math.max(...stretches.map((one) => one.flow.last));
  return make("div", { class: "card" }, make("h3", {}, "When"),
    make("p", { class: "sentence" },
      `Data moved between ${words.seconds(first)} and ${words.seconds(last)} of ${words.seconds(whole)}.`),
    bars(`When ${words.name(file.name)} was used`, ...rows));
}

function stripes(file: FileRow): HTMLElement | null {
  const { stripes: layout } = file;
  if (!layout) return null;
  const parts = layout.components > 1 ? ` in the first of ${words.count(layout.components)} components` : "";
  return make("p", {}, `Lustre: ${words.several(layout.count, "stripe")} of ${words.bytes(layout.size)}${parts}, on ` +
    `${layout.targets.length === 1 ? "OST" : "OSTs"} ${layout.targets.slice(0, 32).join(", ")}${layout.targets.length > 32 ? " …" : ""}.`);
}

// Where in the code the calls on it came from.
function callSites(file: FileRow): HTMLElement | null {
  const sites = file.sites ?? [];
  if (!sites.length) return null;
  return make("div", { class: "card sites" }, make("h3", {}, "Call sites"),
    table<Site>(`Call sites of ${words.name(file.name)}`, [
      { title: "Call site", text: (site) => make("span", { title: words.name(site.source || site.object) }, words.name(site.location)) },
      { title: "Operation", text: (site) => make("span", { title: site.through ? `through ${words.name(site.through)}` : "" }, site.operation) },
      { title: "Calls", text: (site) => words.count(site.count), number: true },
      { title: "Bytes", text: (site) => words.bytes(site.bytes), number: true },
      { title: "Time", text: (site) => words.seconds(site.seconds), number: true },
    ], sites));
}

export function fileDetail(data: Data, file: FileRow): HTMLElement {
  const mount = file.mount ? `${words.name(file.mount)}${file.fs ? ` (${words.name(file.fs)})` : ""}` : "unknown";
  const named = data.findings.filter((finding) => finding.files.some((concerned) => concerned.name === file.name));
  const block = make("div", { class: "detail" }, make("p", {}, `File system: ${mount}. Used by ${words.several(file.ranks, words.rankWord(), words.ranksWord())}.`));
  if (named.length) {
    const codes = named.map((finding) => `${words.name(finding.code)}: ${words.name(finding.title)}`);
    block.append(make("p", {}, make("strong", {}, "Findings: "), codes.join("; ")));
  }
  if (file.layers) {
    const parts = file.layers.map((layer) => `${words.seconds(layer.seconds)} in ${words.name(layer.name)}`);
    block.append(make("p", {}, `Of all ${words.ranksWord()}, each without what it calls below: ${parts.join(", ")}.`));
  }
  const layout = stripes(file);
  if (layout) block.append(layout);
  const cards = make("div", { class: "cards" });
  const when = timeline(data, file);
  if (when) cards.append(when);
  for (const [layer, use] of Object.entries(file.uses)) cards.append(useCard(layer, use));
  const sites = callSites(file);
  if (sites) cards.append(sites);
  block.append(cards);
  return block;
}
