// Word of what is new, from the server. A connection that breaks is made again, for as long as the page is open.

export type Listening = "connecting" | "live" | "lost" | "ended";

export class Stream {
  constructor(private readonly changed: () => void, private readonly told: (state: Listening) => void) {
    this.open();
  }

  private open(): void {
    const source = new EventSource("api/live");
    source.addEventListener("open", () => this.told("live"));
    source.addEventListener("change", () => this.changed());
    source.addEventListener("end", () => {
      source.close();
      this.told("ended");
    });
    source.addEventListener("error", () => {
      this.told("lost");
      // Browsers give up on an answer that is no stream, such as that of a server which starts again.
      if (source.readyState !== EventSource.CLOSED) return;
      source.close();
      setTimeout(() => this.open(), 1000);
    });
  }
}
