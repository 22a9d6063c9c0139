// Above every view: what is not exact, what is to be said first, which run and which part of it is shown.
import { make } from "../dom";
import * as words from "../words";
import { About } from "./api";
import { Context, Run } from "./context";
import { accounting } from "./event_query";
import { worst } from "./findings_list";
import { address, go, kFilters, State, ViewName } from "./state";

export function title(server: About, run: Run | null, status: HTMLElement): HTMLElement {
  const snapshot = server.snapshot ? make("a", { href: "api/snapshot", download: "snapshot.darshan" }, "log of the run so far") : null;
  return make("div", { class: "title" }, make("p", { class: "brand" }, `trikal ${server.version}`),
    make("h1", {}, run ? words.name(run.command) : "trikal"),
    make("p", { class: "muted" }, status, " · ", words.name(server.store), snapshot ? " · " : "", snapshot));
}

const kCauses: { [cause: string]: string } = {
  kept: "numbers changed while they were read; the values before were kept",
  without_file: "events had no file of rings to go to",
};

// First of all: what the numbers below are not.
export function notice(context: Context): HTMLElement | null {
  const { drops, events } = context.facts;
  const said = drops.rows.map((row) => {
    const cause = drops.text(row, "cause");
    return `${words.exact(drops.number(row, "count"))} ${kCauses[cause] ?? words.name(cause)}`;
  });
  if (events.dropped) said.push(`${words.exact(events.dropped)} of ${words.exact(events.emitted)} events were dropped: views of single events lack them, sums and charts by the second do not`);
  return said.length ? make("p", { class: "notice" }, make("strong", {}, "Not exact: "), `${said.join("; ")}.`) : null;
}

export function verdict(context: Context): HTMLElement {
  const { run } = context;
  const found = worst(context);
  const moved = run.read + run.written > 0 ? `${words.bytes(run.written)} written, ${words.bytes(run.read)} read, ${words.seconds(run.seconds)} of I/O time of ${words.several(run.processes, "process", "processes")} in ${words.seconds(Math.max(1, (context.running ? Math.ceil(context.facts.now) : run.end) - run.start))}` : "no byte was moved";
  const what = context.running ? "So far" : "In all";
  const cost = found && found.seconds > 0 ? ` (${words.seconds(found.seconds)} lost)` : "";
  const judged = found ? ` Largest finding: ${words.name(found.code)}${cost}.` : context.running ? " No finding so far." : " No finding.";
  return make("p", { class: "verdict", id: "verdict" }, `${what} ${moved}.${judged}`);
}

export function exactness(context: Context): HTMLElement {
  const { events } = context.facts;
  const counters = "Counters: calls and bytes are exact, times are those of samples.";
  const said = events.emitted || events.left ? `Events: ${accounting(events)}` : "No events were asked for (--events).";
  return make("p", { class: "muted", id: "accounting" }, `${counters} ${said}`);
}

export function controls(context: Context): HTMLElement {
  const { state, run } = context;
  const pick = make("select", { "aria-label": "Run" });
  for (const one of context.runs) {
    pick.append(make("option", { value: one.number, selected: one.number === run.number },
      `run ${one.number}, ${words.date(one.start)}: ${words.name(one.command).slice(0, 60)}`));
  }
  pick.addEventListener("change", () => go({ run: Number(pick.value), from: 0, to: 0, begin: 0, end: 0, rank: "", process: "", thread: "", file: "", call: "" }));
  const chips = kFilters.filter((name) => state[name] !== "").map((name) => chip(`${name} ${words.name(state[name])}`, { [name]: "" }));
  if (state.from || state.to) {
    const since = (time: number) => words.seconds(Math.max(0, time - run.start));
    chips.push(chip(`${since(context.from)} to ${since(context.to)}`, { from: 0, to: 0, begin: 0, end: 0 }));
  }
  if (state.begin || state.end) {
    const nano = (value: number) => words.seconds(value / 1e9);
    chips.push(chip(`calls ${nano(state.begin)} to ${state.end ? nano(state.end) : "the end"}`, { begin: 0, end: 0 }));
  }
  return make("div", { class: "controls" }, pick, ...chips);
}

function chip(text: string, without: Partial<State>): HTMLElement {
  const button = make("button", { type: "button", class: "chip", "aria-label": `Remove the filter ${text}` }, `${text} ×`);
  button.addEventListener("click", () => go(without));
  return button;
}

export function tabs(state: State, views: [ViewName, string][]): HTMLElement {
  const list = make("ul");
  for (const [name, text] of views) {
    const current = name === state.view ? "page" : undefined;
    list.append(make("li", {}, make("a", { href: address({ ...state, view: name }), "aria-current": current }, text)));
  }
  return make("nav", { "aria-label": "Views" }, list);
}
