// The page of `trikal serve` and `trikal watch`: views of a store, drawn again whenever something new is stored.
import "./style.css";
import "./live.css";
import { make } from "./dom";
import * as words from "./words";
import { About, about, table } from "./live/api";
import { compare } from "./live/compare";
import { Context, Run, runOf, View } from "./live/context";
import { distribution } from "./live/distribution";
import { events } from "./live/events_view";
import { heat } from "./live/heat_view";
import { machine } from "./live/machine";
import { now } from "./live/now";
import { address, go, read, State, ViewName } from "./live/state";
import { stragglers } from "./live/stragglers";
import { Listening, Stream } from "./live/stream";
import { timelines } from "./live/timelines";
import { top } from "./live/top";

const kViews: [ViewName, string, View][] = [
  ["now", "Now", now], ["heat", "Ranks over time", heat], ["timelines", "Timelines", timelines], ["top", "Top", top],
  ["events", "Events", events], ["distribution", "Distribution", distribution], ["machine", "Machine", machine], ["stragglers", "Stragglers", stragglers], ["compare", "Compare runs", compare],
];
const kPause = 400; // milliseconds between two drawings

const kListening: { [state in Listening]: string } = {
  connecting: "connecting …", live: "live", lost: "the server does not answer; trying again …",
  ended: "the run has ended; trikal serve shows this page again",
};

class Page {
  private readonly status = make("span", { class: "status", role: "status" }, kListening.connecting);
  private readonly head = make("header");
  private readonly body = make("div", { id: "view" });
  private known: About | null = null;
  private listening: Listening = "connecting";
  private held = false; // the pointer is down
  private drawing = false;
  private again = false;

  constructor(root: HTMLElement) {
    root.append(this.head, this.body);
    for (const [name, held] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]] as const) {
      addEventListener(name, () => (this.held = held), true);
    }
    addEventListener("hashchange", () => void this.draw());
    new Stream(() => void this.draw(), (state) => {
      this.listening = state;
      this.showStatus();
    });
  }

  // Never twice at a time; what comes meanwhile is drawn afterwards.
  async draw(): Promise<void> {
    this.again = true;
    if (this.drawing) return;
    this.drawing = true;
    while (this.again) {
      this.again = false;
      await this.drawOnce().catch((error: unknown) => {
        this.body.replaceChildren(make("p", { role: "alert" }, `This cannot be shown: ${String(error)}`));
      });
      await new Promise((done) => setTimeout(done, kPause));
    }
    this.drawing = false;
  }

  private async drawOnce(): Promise<void> {
    this.known ??= await about();
    const list = await table("runs");
    const runs = list.rows.map((row) => runOf(list, row));
    const state = read();
    const run = runs.find((one) => one.number === state.run) ?? (state.run ? undefined : runs[0]);
    if (!run) {
      this.head.replaceChildren(this.title(null));
      this.body.replaceChildren(make("p", {}, runs.length ? "There is no such run in this store." : "Nothing is stored yet."));
      return;
    }
    const context = new Context(state, run, runs, this.known.live);
    const view = kViews.find(([name]) => name === state.view) ?? kViews[0];
    const drops = await table("drops", { run: run.number });
    const parts = await view![2](context);
    // What is drawn anew under a person's hand would end the selection that is being made.
    while (this.held) await new Promise((done) => setTimeout(done, 50));
    this.head.replaceChildren(this.title(run), ...this.controls(context), this.tabs(state));
    this.showStatus();
    const dropped = drops.rows.map((row) => `${drops.text(row, "cause")} ${words.count(drops.number(row, "count"))}`);
    const notice = dropped.length ? [make("p", { class: "notice" }, `Not exact: ${dropped.join(", ")}.`)] : [];
    this.body.replaceChildren(...notice, ...parts);
    document.title = `trikal: ${words.name(run.command)}`;
  }

  // Of a store that nobody writes to, nothing is live.
  private showStatus(): void {
    const quiet = this.listening === "live" && this.known !== null && !this.known.live;
    this.status.textContent = quiet ? "connected" : kListening[this.listening];
    this.status.className = `status ${this.listening}`;
  }

  private title(run: Run | null): HTMLElement {
    const snapshot = this.known?.snapshot ? make("a", { href: "api/snapshot", download: "snapshot.darshan" }, "log of the run so far") : null;
    return make("div", { class: "title" }, make("p", { class: "brand" }, `trikal ${this.known?.version ?? ""}`),
      make("h1", {}, run ? words.name(run.command) : "trikal"),
      make("p", { class: "muted" }, this.status, " · ", words.name(this.known?.store ?? ""), snapshot ? " · " : "", snapshot));
  }

  private controls(context: Context): HTMLElement[] {
    const pick = make("select", { "aria-label": "Run" });
    for (const run of context.runs) {
      pick.append(make("option", { value: run.number, selected: run.number === context.run.number },
        `run ${run.number}, ${words.date(run.start)}: ${words.name(run.command).slice(0, 80)}`));
    }
    pick.addEventListener("change", () => go({ run: Number(pick.value), from: 0, to: 0, rank: "", process: "", file: "" }));
    const chips = (["rank", "process", "file", "operation", "interface"] as const)
      .filter((name) => context.state[name] !== "")
      .map((name) => this.chip(`${name} ${words.name(context.state[name])}`, { [name]: "" }));
    if (context.state.from || context.state.to) {
      const since = (time: number) => words.seconds(Math.max(0, time - context.run.start));
      chips.push(this.chip(`${since(context.from)} to ${since(context.to)}`, { from: 0, to: 0 }));
    }
    if (context.state.begin || context.state.end) {
      const nano = (value: number) => words.seconds(value / 1e9);
      chips.push(this.chip(`events ${nano(context.state.begin)} to ${nano(context.state.end)}`, { begin: 0, end: 0 }));
    }
    return [make("div", { class: "controls" }, pick, ...chips)];
  }

  private chip(text: string, without: Partial<State>): HTMLElement {
    const button = make("button", { type: "button", class: "chip", "aria-label": `Remove the filter ${text}` }, `${text} ×`);
    button.addEventListener("click", () => go(without));
    return button;
  }

  private tabs(state: State): HTMLElement {
    const list = make("ul");
    for (const [name, title] of kViews) {
      const current = name === state.view ? "page" : undefined;
      list.append(make("li", {}, make("a", { href: address({ ...state, view: name }), "aria-current": current }, title)));
    }
    return make("nav", { "aria-label": "Views" }, list);
  }
}

// The token is in a cookie by now; the address need not show it.
if (location.search) history.replaceState(null, "", location.pathname + location.hash);
const root = document.getElementById("trikal");
if (root) void new Page(root).draw();
