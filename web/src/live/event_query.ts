// What is asked of single events, and how many there are.
import { section } from "../parts";
import * as words from "../words";
import { Query, Table } from "./api";
import { Context, EventCounts } from "./context";

export const kNano = 1e9;

// Without --events there is nothing to show, which is said instead of an empty picture.
export function none(title: string, id = "events"): HTMLElement {
  return section(id, title, "This run has no events. trikal watch --events stores every call with its time, duration, offset and length.");
}

// The time in view, in nanoseconds since the start of the run.
export function eventSpan(context: Context): [begin: number, end: number] {
  const { state, run } = context;
  const begin = state.begin || Math.max(0, context.from - run.start) * kNano;
  const end = state.end || Math.max(1, context.to + (context.state.to ? 0 : 1) - run.start) * kNano;
  return [begin, Math.max(begin + 1, end)];
}

export function eventQuery(context: Context): Query {
  const { state, run } = context;
  const [begin, end] = eventSpan(context);
  const query: Query = { run: run.number, since: run.start, begin };
  for (const name of ["rank", "process", "thread", "file", "interface", "call"] as const) if (state[name] !== "") query[name] = state[name];
  if (state.end || state.to) query["end"] = end;
  return query;
}

export function countsOf(data: Table): EventCounts {
  return { emitted: data.sum("emitted"), stored: data.sum("stored"), dropped: data.sum("dropped"), left: data.sum("sampled_out") + data.sum("filtered") };
}

export function accounting(counts: EventCounts): string {
  const left = counts.left ? ` (${words.exact(counts.left)} others were left out by sampling or a filter, as asked for)` : "";
  return `${words.exact(counts.emitted)} emitted = ${words.exact(counts.stored)} stored + ${words.exact(counts.dropped)} dropped${left}.`;
}

export function kindOfCall(call: string): "read" | "write" | "meta" {
  return /read/.test(call) ? "read" : /write/.test(call) ? "write" : "meta";
}
