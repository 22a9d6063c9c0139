// What is known about one file: opened below its row in the table.
import { Data, FileRow, Flow, Use } from "./data";
import { make } from "./dom";
import { commonSizes, flowSentence, hasOrder, histogram } from "./layers";
import { facts } from "./parts";
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

export function fileDetail(data: Data, file: FileRow): HTMLElement {
  const place = file.mount ? `${words.name(file.mount)}${file.fs ? ` (${words.name(file.fs)})` : ""}` : "unknown";
  const named = data.findings.filter((finding) => finding.files.some((concerned) => concerned.name === file.name));
  const block = make("div", { class: "detail" }, make("p", {}, `File system: ${place}. Used by ${words.several(file.ranks, "rank")}.`));
  if (named.length) {
    const codes = named.map((finding) => `${words.name(finding.code)}: ${words.name(finding.title)}`);
    block.append(make("p", {}, make("strong", {}, "Findings: "), codes.join("; ")));
  }
  const cards = make("div", { class: "cards" });
  for (const [layer, use] of Object.entries(file.uses)) cards.append(useCard(layer, use));
  block.append(cards);
  return block;
}
