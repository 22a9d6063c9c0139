// Word of what is new, from the server. A connection that breaks is made again, for as long as the page is open.

export type Listening = "connecting" | "live" | "lost" | "refused" | "ended";

const kAgain = 1000; // milliseconds

export class Stream {
  // `last` draws what there is in the end: the server waits for it before it goes.
  constructor(private readonly changed: () => void, private readonly told: (state: Listening) => void, private readonly last: () => Promise<void>) {
    this.open();
  }

  private open(): void {
    const source = new EventSource("api/live");
    source.addEventListener("open", () => this.told("live"));
    source.addEventListener("change", () => this.changed());
    source.addEventListener("end", () => void this.last().finally(() => {
      source.close();
      this.told("ended");
    }));
    source.addEventListener("error", () => {
      this.told("lost");
      // Browsers give up on an answer that is no stream, such as that of a server which starts again.
      if (source.readyState !== EventSource.CLOSED) return;
      source.close();
      setTimeout(() => void this.look(), kAgain);
    });
  }

  // Another server may be there by now, to which this page means nothing.
  private async look(): Promise<void> {
    const answer = await fetch("api/about", { credentials: "same-origin" }).catch(() => null);
    if (answer?.status === 401) return this.told("refused");
    this.open();
  }
}
