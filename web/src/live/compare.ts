// Runs of the same program beside each other, and what deviates.
import { make } from "../dom";
import { bars, barRow, section, table as makeTable } from "../parts";
import * as words from "../words";
import { Cell, table } from "./api";
import { Context, Run } from "./context";
import { go } from "./state";

const kBars = 30;

export function programOf(command: string): string {
  return (command.split(" ")[0] ?? "").replace(/^.*\//, "");
}

function what(dimension: string, name: string, run: string): string {
  const subject = dimension === "run" ? `run ${run}` : dimension === "hour" ? `runs that began at ${name}` : `${dimension} ${name}`;
  if (dimension === "run" || dimension === "hour") return subject;
  return run === "0" ? `${subject}, in every run` : `${subject}, in run ${run}`;
}

export async function compare(context: Context): Promise<HTMLElement[]> {
  const data = await table("compare", { run: context.run.number });
  const program = programOf(context.run.command);
  const runs = context.runs.filter((run) => programOf(run.command) === program);
  const first = data.rows[0];
  let said = `${words.several(runs.length, "run")} of ${words.name(program)}; nothing deviates by more than the others do.`;
  if (runs.length < 3) said = `There ${runs.length === 1 ? "is one run" : "are two runs"} of ${words.name(program)} in this store; from three on it can be said what is usual.`;
  else if (first) {
    const excess = data.number(first, "seconds") - data.number(first, "typical");
    said = `The largest deviation: ${words.name(what(data.text(first, "dimension"), data.text(first, "name"), data.text(first, "run")))}, ${words.seconds(excess)} more I/O than usual.`;
    const own = data.rows.find((row) => data.number(row, "run") === context.run.number && data.text(row, "dimension") !== "run");
    if (own) said += ` In this run: ${words.name(`${data.text(own, "dimension")} ${data.text(own, "name")}`)}, ${words.seconds(data.number(own, "seconds"))} instead of ${words.seconds(data.number(own, "typical"))}.`;
  }
  const deviations = makeTable("Deviations", [
    { title: "What", text: (row: Cell[]) => words.name(what(data.text(row, "dimension"), data.text(row, "name"), data.text(row, "run"))) },
    { title: "I/O time", number: true, text: (row) => words.seconds(data.number(row, "seconds")) },
    { title: "Usual", number: true, text: (row) => words.seconds(data.number(row, "typical")) },
    { title: "Times", number: true, text: (row) => (data.number(row, "typical") > 0 ? (data.number(row, "seconds") / data.number(row, "typical")).toFixed(1) : "") },
    { title: "Compared with", number: true, text: (row) => words.several(data.number(row, "compared"), "run") },
  ], data.rows);
  const list = makeTable("Runs", [
    { title: "Run", number: true, text: (run: Run) => {
      const link = make("a", { href: "#" }, String(run.number));
      link.addEventListener("click", (event) => { event.preventDefault(); go({ run: run.number, from: 0, to: 0, view: "now" }); });
      return link;
    } },
    { title: "Started", text: (run) => words.date(run.start) },
    { title: "Took", number: true, text: (run) => words.seconds(Math.max(0, run.end - run.start)) },
    { title: "I/O time", number: true, text: (run) => words.seconds(run.seconds) },
    { title: "Read", number: true, text: (run) => words.bytes(run.read) },
    { title: "Written", number: true, text: (run) => words.bytes(run.written) },
    { title: "Command", text: (run) => make("code", {}, words.name(run.command)) },
  ], runs);
  const longest = words.largest(runs.map((run) => run.seconds));
  const shownRuns = runs.slice(0, kBars);
  const picture = runs.length < 2 ? null : bars("I/O time by run", ...shownRuns.map((run) => barRow(`${run.number === context.run.number ? "▸ " : ""}run ${run.number}`,
    [{ kind: "plain", value: run.seconds }], longest, `${words.seconds(run.seconds)} of I/O, ${words.date(run.start)}`)));
  return [section("deviations", "What deviates", said, data.rows.length ? deviations : null),
    section("runs", "Runs", runs.length > kBars ? `I/O time of the newest ${kBars} of ${runs.length} runs.` : "I/O time of each, all processes together.", picture, list)];
}
