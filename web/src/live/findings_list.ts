// Findings while the run goes on, with the codes of trikal insights.
import { make } from "../dom";
import { section } from "../parts";
import * as words from "../words";
import { Cell } from "./api";
import { Context } from "./context";

export function worst(context: Context): { code: string; title: string; seconds: number } | null {
  const { findings } = context.facts;
  const row = findings.rows.find((one) => findings.text(one, "severity") !== "info") ?? findings.rows[0];
  return row ? { code: findings.text(row, "code"), title: findings.text(row, "title"), seconds: findings.number(row, "seconds") } : null;
}

function item(context: Context, row: Cell[]): HTMLElement {
  const { findings } = context.facts;
  const seconds = findings.number(row, "seconds");
  const known = findings.text(row, "severity");
  const severity = ["high", "medium", "low"].includes(known) ? known : "info";
  const so = context.running ? " lost so far" : " lost";
  return make("li", { class: `finding ${severity}` },
    make("div", { class: "finding-head" }, make("span", { class: "severity" }, severity),
      make("h3", {}, words.name(findings.text(row, "title"))), make("code", { class: "code" }, words.name(findings.text(row, "code"))),
      make("p", { class: "cost" }, seconds > 0 ? make("b", {}, words.seconds(seconds)) : "", seconds > 0 ? so : "no time estimated")));
}

export function findings(context: Context): HTMLElement {
  const rows = context.facts.findings.rows;
  const title = context.running ? "Findings so far" : "Findings";
  if (!rows.length) {
    return section("findings", title, context.running ? "None yet. The run is judged every few seconds." : "None: no rule found time lost in the I/O of this run.");
  }
  return section("findings", title, "", make("ul", { class: "findings" }, ...rows.map((row) => item(context, row))),
    make("p", { class: "muted" }, "trikal explain CODE says why, and what to do."));
}
