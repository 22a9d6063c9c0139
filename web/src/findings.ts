// The first screen: is I/O the problem, what would fixing it save, and what to do.
import { Data, Finding, Job } from "./data";
import { make } from "./dom";
import { revealFile } from "./files";
import { folded, path } from "./parts";
import { revealRank } from "./ranks";
import { timeLine } from "./time_line";
import * as words from "./words";

const kMostSites = 3; // named in one finding
const kLittle = 0.05; // of the run time: below it, faster I/O cannot be noticed

// Of a run that was killed only the last thing it did was seen.
function runTime(job: Job): string {
  return `${job.seconds_at_least ? "at least " : ""}${words.seconds(job.seconds)}`;
}

export function verdict(data: Data): string {
  const { io, job } = data;
  if (!data.layers.length) return "The log holds no I/O that this page can judge.";
  const most = job.seconds_at_least ? "at most " : "";
  const time = `${words.seconds(io.seconds)} of ${runTime(job)} (${most}${words.percent(io.share)})`;
  const worst = data.findings.find((finding) => finding.severity !== "info" && finding.seconds > 0);
  if (io.share < kLittle) {
    const rest = worst ? ` The largest finding below costs about ${words.seconds(worst.seconds)}.` : "";
    return `I/O is not what this run waits for: it takes ${time}.${rest}`;
  }
  if (!worst) return `I/O takes ${time}; no rule found time lost in it.`;
  return `I/O takes ${time}. The largest finding, ${worst.code}, costs about ${words.seconds(worst.seconds)} of the run.`;
}

export function header(data: Data): HTMLElement {
  const { io, job } = data;
  const program = words.name(job.program) || words.splitPath(words.name(data.log.path))[1] || "a run";
  const moved = `wrote ${words.bytes(io.bytes_written)}, read ${words.bytes(io.bytes_read)}`;
  const line = [
    words.several(job.nprocs, "process", "processes"),
    runTime(job),
    moved,
    words.several(io.files, "file"),
    words.date(job.start),
  ].join(" · ");
  return make(
    "header",
    {},
    make("p", { class: "brand" }, `trikal ${data.version ?? ""}`),
    make("h1", {}, program),
    job.command && job.command !== program ? make("p", { class: "command" }, make("code", {}, words.name(job.command))) : null,
    make("p", { class: "muted" }, line),
    make("div", { class: "head" }, make("p", { class: "verdict", id: "verdict" }, verdict(data)), timeLine(data)),
  );
}

// What makes the numbers below incomplete is said before they are read.
export function notices(data: Data): HTMLElement | null {
  const lines = data.warnings.map((warning) => words.name(warning));
  const hidden = data.unseen.reduce((sum, row) => sum + row.count, 0);
  if (hidden) lines.push(`${words.several(hidden, "program")} ran unobserved; the reasons are below under Coverage.`);
  if (!lines.length) return null;
  const list = make("ul");
  for (const line of lines) list.append(make("li", {}, line));
  return make("aside", { class: "notice", "aria-label": "Warnings" }, make("strong", {}, "Read with care"), list);
}

function costOf(finding: Finding): HTMLElement {
  const cost = make("p", { class: "cost" });
  if (finding.seconds > 0) {
    const range = finding.most > 1.1 * finding.least ? ` (${words.seconds(finding.least)} to ${words.seconds(finding.most)})` : "";
    cost.append(make("b", {}, words.seconds(finding.seconds)), `${range} · ${words.percent(finding.share)} of the run`);
  } else {
    cost.append("no time estimated");
  }
  return cost;
}

// What a colleague is sent: the finding as text.
function asText(finding: Finding): string {
  const cost = finding.seconds > 0 ? `, about ${words.seconds(finding.seconds)} (${words.percent(finding.share)} of the run)` : "";
  const sites = finding.files.flatMap((file) => (file.sites ?? []).map((site) => `at ${words.name(site.location)}`)).slice(0, 3);
  const files = finding.files.map((file) => `- ${words.name(file.name)}: ${words.name(file.text)}`);
  const fix = finding.fix ? [`Do this: ${finding.fix}`] : [];
  return [`${finding.code} [${finding.severity}]${cost}`, words.name(finding.title), ...finding.evidence.map(words.name), ...files, ...sites, ...fix].join("\n");
}

function copyButton(finding: Finding): HTMLElement | null {
  if (!navigator.clipboard) return null; // some browsers have none for pages that are files
  const button = make("button", { type: "button", class: "copy screen-only" }, "Copy");
  button.addEventListener("click", () => {
    void navigator.clipboard.writeText(asText(finding)).then(() => {
      button.textContent = "Copied";
    });
  });
  return button;
}

// A name leads to the file's row, where the page has one.
function nameOf(name: string, listed: Set<string>): Node {
  if (!listed.has(name)) return path(name);
  return link(path(name), () => revealFile(name));
}

function filesOf(finding: Finding, listed: Set<string>): HTMLElement | null {
  if (!finding.files.length) return null;
  const list = make("ul", { class: "bare" });
  for (const file of finding.files) {
    const time = file.seconds > 0 ? `${words.seconds(file.seconds)}` : "";
    const first = file.sites?.[0];
    const site = first ? `at ${words.name(first.location)}` : "";
    const said = [time, words.name(file.text), site].filter(Boolean).join(" · ");
    list.append(make("li", {}, nameOf(file.name, listed), make("span", { class: "muted" }, said ? ` ${said}` : "")));
  }
  const total = Math.max(finding.files_total, finding.files.length);
  const shown = total > finding.files.length ? `, the worst ${finding.files.length} of them` : "";
  return folded(`${words.several(total, "file")} concerned${shown}`, list);
}

function link(text: Node | string, follow: () => void): HTMLElement {
  const button = make("button", { type: "button", class: "link" }, text);
  button.addEventListener("click", follow);
  return button;
}

// The lines to change, worst first: of several files they are often the same. Each leads to a file that it concerns.
function sitesOf(finding: Finding, listed: Set<string>): HTMLElement | null {
  const sites = new Map<string, string>();
  for (const file of finding.files) {
    for (const site of file.sites ?? []) {
      const location = words.name(site.location);
      if (!sites.has(location)) sites.set(location, file.name);
    }
  }
  if (!sites.size) return null;
  const shown = make("p", { class: "sites" }, make("strong", {}, "Where: "));
  [...sites].slice(0, kMostSites).forEach(([location, file], at) => {
    const text = make("code", {}, location);
    shown.append(at ? ", " : "", listed.has(file) ? link(text, () => revealFile(file)) : text);
  });
  if (sites.size > kMostSites) shown.append(` and ${sites.size - kMostSites} more`);
  return shown;
}

// A rank that is spoken of leads to its row, where the page has one.
function withRanks(text: string, ranks: Set<number>): (Node | string)[] {
  return words.name(text).split(/\b(rank \d+)\b/).map((part, at) => {
    const rank = Number(part.slice(5));
    return at % 2 && ranks.has(rank) ? link(part, () => revealRank(rank)) : part;
  });
}

// What findings may lead to.
interface Known {
  files: Set<string>;
  ranks: Set<number>;
}

function card(finding: Finding, known: Known): HTMLElement {
  const evidence = make("ul", { class: "evidence" });
  for (const line of finding.evidence) evidence.append(make("li", {}, ...withRanks(line, known.ranks)));
  const more: Node[] = [];
  if (finding.why) more.push(make("p", {}, words.name(finding.why)));
  if (finding.formula) more.push(make("p", {}, "Estimate: ", make("code", {}, words.name(finding.formula))));
  if (finding.overlaps.length) more.push(make("p", {}, `Much of this time is counted in ${finding.overlaps.map(words.name).join(", ")} as well.`));
  more.push(make("p", {}, "More: ", make("code", {}, `trikal explain ${words.name(finding.code)}`)));
  return make(
    "li",
    { class: `finding ${finding.severity}` },
    make(
      "div",
      { class: "finding-head" },
      make("span", { class: "severity" }, finding.severity),
      make("code", { class: "code" }, words.name(finding.code)),
      costOf(finding),
      copyButton(finding),
    ),
    make("h3", {}, ...withRanks(finding.title, known.ranks)),
    finding.evidence.length ? evidence : null,
    finding.fix ? make("p", { class: "fix" }, make("strong", {}, "Do this: "), finding.fix) : null,
    sitesOf(finding, known.files),
    filesOf(finding, known.files),
    folded("Why, and how the seconds are estimated", ...more),
  );
}

export function findings(data: Data): HTMLElement {
  const heading = make("h2", { id: "findings-title" }, "Findings");
  const block = make("section", { id: "findings", "aria-labelledby": "findings-title" }, heading);
  if (!data.findings.length) {
    block.append(make("p", { class: "sentence" }, "No rule fired: nothing in this log looks like time lost."));
    return block;
  }
  const high = data.findings.filter((finding) => finding.severity === "high").length;
  const said = `${words.several(data.findings.length, "finding")}, ${high || "none"} of high severity, ordered by the time they cost. Costs overlap where findings concern the same calls, so they do not add up.`;
  block.append(make("p", { class: "sentence" }, said));
  const list = make("ol", { class: "findings" });
  const known = { files: new Set(data.files.map((file) => file.name)), ranks: new Set(data.ranks.map((rank) => rank.rank)) };
  data.findings.forEach((finding) => list.append(card(finding, known)));
  block.append(list);
  return block;
}
