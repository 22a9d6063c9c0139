// The page of `trikal predict --html`: what to change first, then the blocks with their source, files, what is not known.
import { blockGraph } from "./block_graph";
import { make } from "./dom";
import { folded, path, section, table } from "./parts";
import { Access, Prediction, PredictionPage, StaticFinding } from "./prediction_data";
import { mark } from "./prediction_words";
import { SourceView, blocksAndSource } from "./source_view";
import * as words from "./words";

function where(finding: { source: string; line: number }): string {
  return `${words.splitPath(words.name(finding.source))[1]}:${finding.line}`;
}

function verdict(one: Prediction): string {
  const whole = one.blocks[0];
  if (!whole || !whole.io.length) return "No I/O was found on the way through the program.";
  const all = whole.seconds_io + whole.seconds_compute;
  const time = `I/O would take about ${words.seconds(whole.seconds_io)} of ${words.seconds(all)} (${words.percent(whole.score)})`;
  const worst = one.findings[0];
  if (!worst) return `${time}; no rule found time lost in it.`;
  return `${time}. The largest finding, ${worst.code} at ${where(worst)}, costs about ${words.seconds(worst.seconds)}.`;
}

function header(page: PredictionPage, one: Prediction): HTMLElement {
  const said = `predicted without running it in ${words.seconds(one.seconds)} · rank ${one.rank} of ${one.ranks} · times are estimates`;
  return make(
    "header",
    {},
    make("p", { class: "brand" }, `trikal ${page.version} predict`),
    make("h1", {}, words.splitPath(words.name(one.program))[1]),
    make("p", { class: "muted" }, said),
    make("p", { class: "verdict", id: "verdict" }, verdict(one)),
    one.complete ? null : make("aside", { class: "notice" }, "The program was not followed to its end: what is here counts up to that point."),
  );
}

function card(finding: StaticFinding, view: SourceView): HTMLElement {
  const go = make("button", { type: "button" }, `Show ${where(finding)}`);
  go.addEventListener("click", () => view.show(finding.source, finding.line));
  const more = finding.files > 1 ? ` and ${words.count(finding.files - 1)} more` : "";
  const said = `${mark(finding.certainty)}${words.count(finding.times)} times in ${words.name(finding.function)}() at ${where(finding)}: `;
  return make(
    "li",
    { class: `finding ${finding.seconds >= 1 ? "high" : finding.seconds >= 0.05 ? "medium" : "low"}` },
    make("div", { class: "finding-head" }, make("code", { class: "code" }, finding.code),
      make("p", { class: "cost" }, make("b", {}, words.seconds(finding.seconds)), " lost by estimate")),
    make("h3", {}, finding.title),
    make("p", {}, said, path(finding.file), more),
    make("p", { class: "fix" }, make("strong", {}, "Do this: "), finding.fix),
    folded("Why", make("p", {}, finding.why)),
    go,
  );
}

function findings(one: Prediction, view: SourceView): HTMLElement {
  const count = one.findings.length;
  const overlap = count > 1 ? " Costs overlap where findings concern the same calls, so they do not add up." : "";
  const said = count
    ? `${words.several(count, "finding")}, with the seconds lost by estimate.${overlap}`
    : "No rule fired: nothing in this program looks like time lost before it has run.";
  const list = make("ol", { class: "findings" });
  for (const finding of one.findings) list.append(card(finding, view));
  return section("findings", "What to change", said, count ? list : null);
}

interface FileSum {
  name: string;
  like: number;
  read: number;
  written: number;
  operations: number;
  certainty: string;
}

function files(one: Prediction): HTMLElement {
  const sums = new Map<string, FileSum>();
  const rank = ["exact", "extrapolated", "assumed"];
  for (const access of one.accesses) {
    const sum = sums.get(access.file) ?? { name: access.file, like: access.files_like_it, read: 0, written: 0, operations: 0, certainty: "exact" };
    if (/read/.test(access.operation)) sum.read += access.bytes;
    if (/write/.test(access.operation)) sum.written += access.bytes;
    sum.operations += access.count;
    if (rank.indexOf(access.certainty) > rank.indexOf(sum.certainty)) sum.certainty = access.certainty;
    sums.set(access.file, sum);
  }
  const rows = [...sums.values()].sort((a, b) => b.read + b.written - a.read - a.written);
  const first = rows[0];
  const said = first
    ? `${words.several(rows.length, "file")} would be touched; ${words.splitPath(words.name(first.name))[1]} moves the most, ${words.bytes(first.read + first.written)}.`
    : "No file would be touched.";
  return section("files", "Files", said, table<FileSum>("Files", [
    { title: "File", text: (row) => path(row.like > 0 ? `${row.name} and ${words.count(row.like)} like it` : row.name) },
    { title: "Operations", number: true, text: (row) => `${mark(row.certainty)}${words.count(row.operations)}` },
    { title: "Read", number: true, text: (row) => words.bytes(row.read) },
    { title: "Written", number: true, text: (row) => words.bytes(row.written) },
  ], rows));
}

function lines(one: Prediction): HTMLElement {
  const rows = [...one.accesses].sort((a, b) => a.source.localeCompare(b.source) || a.line - b.line);
  const sure = rows.filter((row) => row.certainty === "exact").length;
  const said = `${words.several(rows.length, "row")}, one for each line, file and operation; ${words.count(sure)} exact, the others ~ extrapolated from a pattern or ? assumed.`;
  return section("lines", "What each line does", said, folded("Show the lines", table<Access>("Lines", [
    { title: "Where", text: where },
    { title: "What", text: (row) => words.name(row.call || row.operation) },
    { title: "How often", number: true, text: (row) => `${mark(row.certainty)}${words.count(row.count)}` },
    { title: "Bytes", number: true, text: (row) => (row.bytes_known ? words.bytes(row.bytes) : `?${words.bytes(row.bytes)}`) },
    { title: "How", text: (row) => [row.pattern, ...row.flags].filter(Boolean).join(", ") },
    { title: "File", text: (row) => path(row.file) },
  ], rows)));
}

function unknowns(one: Prediction): HTMLElement {
  const list = make("ul");
  for (const unknown of one.unknowns) {
    const call = /result of (\S+)/.exec(unknown.what)?.[1];
    const advice = call ? make("code", {}, `--assume ${words.name(call)}=NUMBER`) : null;
    list.append(make("li", {}, `${words.name(unknown.what)} (${where(unknown)}) decided ${words.several(unknown.decided, "time")} which way to go. `,
      advice ? "Tell it: " : "Other arguments, or the input file itself, may tell it.", advice));
  }
  for (const note of one.notes) list.append(make("li", {}, words.name(note)));
  const count = one.unknowns.length;
  const said = count || one.notes.length
    ? `${words.several(count, "thing")} that decided the way ${count === 1 ? "was" : "were"} not known; both ways were tried, and each counts by half. Notes follow.`
    : "Everything that decided the way was known.";
  return section("unknown", "What is not known", said, list.childElementCount ? list : null);
}

export function drawPrediction(root: HTMLElement, page: PredictionPage, at = 0): void {
  root.replaceChildren();
  const one = page.predictions[at];
  if (!one) throw new Error("the document holds no prediction");
  const view = new SourceView(page, one);
  const parts: (HTMLElement | null)[] = [header(page, one)];
  if (page.predictions.length > 1) {
    const choice = make("select", { id: "rank" });
    page.predictions.forEach((other, index) => choice.append(make("option", { value: index, selected: index === at }, `rank ${other.rank}`)));
    choice.addEventListener("change", () => {
      drawPrediction(root, page, Number(choice.value));
      document.getElementById("rank")?.focus();
    });
    parts.push(make("div", { class: "controls" }, make("label", {}, "Rank ", choice)));
  }
  parts.push(findings(one, view), blocksAndSource(one, view), files(one), lines(one), unknowns(one), blockGraph(one));
  for (const part of parts) if (part) root.append(part);
  view.start();
}
