// The page of `trikal serve` and `trikal watch`: views of a store, drawn again whenever something new is stored.
import "./style.css";
import "./live.css";
import { make } from "./dom";
import { About, about, table } from "./live/api";
import { compare } from "./live/compare";
import { Context, Facts, Run, runOf, View } from "./live/context";
import { distribution } from "./live/distribution";
import { countsOf } from "./live/event_query";
import { events } from "./live/events_view";
import { controls, exactness, notice, tabs, title, verdict } from "./live/head";
import { heat } from "./live/heat_view";
import { machine } from "./live/machine";
import { now } from "./live/now";
import { panels } from "./live/panels";
import { hoverAgain, patch } from "./live/patch";
import { read, ViewName } from "./live/state";
import { stragglers } from "./live/stragglers";
import { Status } from "./live/status";
import { Stream } from "./live/stream";
import { timelines } from "./live/timelines";
import { top } from "./live/top";
import * as words from "./words";

const kViews: { [name in ViewName]: [title: string, view: View] } = {
  now: ["Now", now], heat: ["Ranks over time", heat], timelines: ["Timelines", timelines], top: ["Top", top],
  events: ["Events", events], distribution: ["Distribution", distribution], machine: ["Machine", machine],
  stragglers: ["Stragglers", stragglers], compare: ["Compare runs", compare], panels: ["Panels", panels],
};
const kPause = 400; // milliseconds between two drawings

class Page {
  private readonly status = new Status();
  private readonly head = make("header");
  private readonly body = make("div", { id: "view" });
  private held = false; // the pointer is down
  private pointer: { x: number; y: number } | null = null;
  private drawing: Promise<void> | null = null;
  private again = false;

  constructor(root: HTMLElement) {
    root.append(this.head, this.body);
    for (const [name, held] of [["pointerdown", true], ["pointerup", false], ["pointercancel", false]] as const) {
      addEventListener(name, () => (this.held = held), true);
    }
    addEventListener("pointermove", (event) => (this.pointer = { x: event.clientX, y: event.clientY }), true);
    addEventListener("hashchange", () => void this.draw());
    addEventListener("resize", () => void this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => void this.draw());
    new Stream(() => {
      this.status.changed();
      void this.draw();
    }, (state) => this.status.listen(state), () => this.draw());
  }

  // Never twice at a time; what comes meanwhile is drawn afterwards.
  draw(): Promise<void> {
    this.again = true;
    this.drawing ??= this.drawAll().finally(() => (this.drawing = null));
    return this.drawing;
  }

  private async drawAll(): Promise<void> {
    while (this.again) {
      this.again = false;
      const begun = Date.now();
      // A server that does not answer is told by the status; what was drawn last stays.
      await this.drawOnce().then(() => this.status.drawn(), (error: unknown) => {
        if (error instanceof TypeError) return;
        patch(this.body, [make("p", { role: "alert" }, `This cannot be shown: ${error instanceof Error ? error.message : String(error)}`)]);
      });
      if (this.again) await new Promise((done) => setTimeout(done, Math.max(50, kPause - (Date.now() - begun))));
    }
  }

  private async drawOnce(): Promise<void> {
    const [server, list] = await Promise.all([about(), table("runs")]);
    const runs = list.rows.map((row) => runOf(list, row));
    const state = read();
    const run = runs.find((one) => one.number === state.run) ?? (state.run ? undefined : runs[0]);
    if (!run) return this.empty(server, runs);
    const context = new Context(state, run, runs, server.live, await this.facts(server, run));
    const [, view] = kViews[state.view];
    const parts = await view(context);
    // What is drawn anew under a person's hand would end the selection that is being made.
    while (this.held) await new Promise((done) => setTimeout(done, 50));
    this.status.know(server, context);
    const shown = Object.entries(kViews).filter(([name]) => name !== "panels" || server.panels);
    patch(this.head, [title(server, run, this.status.element), notice(context), verdict(context), exactness(context),
      controls(context), tabs(state, shown.map(([name, [text]]): [ViewName, string] => [name as ViewName, text]))]);
    patch(this.body, parts);
    hoverAgain(this.pointer);
    document.title = `trikal: ${words.name(run.command)}`;
  }

  private async facts(server: About, run: Run): Promise<Facts> {
    const query = { run: run.number };
    const [findings, drops, counts] = await Promise.all([table("findings", query), table("drops", query), table("event_counts", query)]);
    return { now: server.time, lag: server.lag, findings, drops, events: countsOf(counts) };
  }

  private empty(server: About, runs: Run[]): void {
    this.status.know(server, null);
    patch(this.head, [title(server, null, this.status.element)]);
    patch(this.body, [make("p", {}, runs.length ? "There is no such run in this store." : "Nothing is stored yet: numbers appear with the program's first call.")]);
  }
}

// The token is in a cookie by now; the address need not show it.
if (location.search) history.replaceState(null, "", location.pathname + location.hash);
const root = document.getElementById("trikal");
if (root) void new Page(root).draw();
