// Whether the page is live, and how far what it shows lies behind.
import { make } from "../dom";
import * as words from "../words";
import { About } from "./api";
import { Context } from "./context";
import { Listening } from "./stream";

const kListening: { [state in Listening]: string } = {
  connecting: "connecting …", live: "live", lost: "the server does not answer; trying again …",
  refused: "the server was started anew with another token: open the address that it printed",
  ended: "the run has ended; trikal serve shows this page again",
};
const kBehind = 3; // seconds after which it is said in colour

export class Status {
  readonly element = make("span", { class: "status", role: "status" }, kListening.connecting);
  private listening: Listening = "connecting";
  private watched = false; // somebody writes to the store
  private lastChange = 0; // milliseconds
  private lastDrawn = 0;

  constructor() {
    setInterval(() => this.show(), 500);
  }

  listen(state: Listening): void {
    this.listening = state;
    this.show();
  }

  changed(): void {
    this.lastChange = Date.now();
  }

  drawn(): void {
    this.lastDrawn = Date.now();
    this.show();
  }

  know(server: About, context: Context | null): void {
    this.watched = server.live && (context === null || context.run.running > 0);
    this.show();
  }

  // Of a store that nobody writes to, nothing is live.
  private show(): void {
    let text = kListening[this.listening];
    let kind: string = this.listening;
    if (this.listening === "live" && !this.watched) text = "connected";
    else if (this.listening === "live" && this.lastChange && this.lastDrawn) {
      // What was stored before the last drawing is on the page.
      const behind = (Date.now() - Math.min(this.lastChange, this.lastDrawn)) / 1000;
      text = `live, ${words.seconds(Math.max(0.1, Math.round(behind * 10) / 10))} behind`;
      if (behind > kBehind) kind = "lost";
    }
    if (this.element.textContent !== text) this.element.textContent = text;
    if (this.element.className !== `status ${kind}`) this.element.className = `status ${kind}`;
  }
}
