// What is shown, kept in the address behind #, so that a view can be shared and the browser's Back works.

const kViews = ["now", "heat", "timelines", "top", "events", "distribution", "machine", "stragglers", "compare", "panels"] as const;
export type ViewName = (typeof kViews)[number];
export type Measure = "bytes" | "calls" | "seconds";

export interface State {
  view: ViewName;
  run: number; // 0: the newest
  from: number; // seconds since 1970; 0: from the start
  to: number; // 0: until now
  begin: number; // of events: nanoseconds since the start of the run; 0: not set
  end: number;
  rank: string;
  process: string;
  thread: string;
  file: string;
  operation: string;
  interface: string;
  call: string; // of events
  order: string; // of events: by time, or by duration
  group: string; // what timelines are of
  measure: string; // what is drawn: bytes, calls or seconds
}

const kEmpty: State = {
  view: "now", run: 0, from: 0, to: 0, begin: 0, end: 0, rank: "", process: "", thread: "", file: "", operation: "", interface: "",
  call: "", order: "time", group: "rank", measure: "bytes",
};
const kNumbers = ["run", "from", "to", "begin", "end"] as const;
const kFilters = ["rank", "process", "thread", "file", "operation", "interface", "call"] as const;
const kWords = [...kFilters, "order", "group", "measure"] as const;
export { kFilters };

export function read(): State {
  const words = new URLSearchParams(location.hash.slice(1));
  const state = { ...kEmpty };
  const view = words.get("view") as ViewName | null;
  if (view && kViews.includes(view)) state.view = view;
  for (const name of kNumbers) {
    const value = Number(words.get(name) ?? 0);
    if (Number.isSafeInteger(value) && value >= 0) state[name] = value;
  }
  for (const name of kWords) state[name] = words.get(name) ?? kEmpty[name];
  return state;
}

export function measureOf(state: State): Measure {
  return state.measure === "calls" || state.measure === "seconds" ? state.measure : "bytes";
}

export function address(state: State): string {
  const words = new URLSearchParams();
  for (const name of ["view", ...kNumbers, ...kWords] as const) {
    if (state[name] !== kEmpty[name]) words.set(name, String(state[name]));
  }
  return `#${words.toString()}`;
}

export function go(change: Partial<State>): void {
  location.hash = address({ ...read(), ...change });
}

// The filters as the server understands them: those of sums over seconds, which know no threads and no single calls.
export function filters(state: State, run: number): { [name: string]: string | number } {
  const query: { [name: string]: string | number } = { run };
  for (const name of ["rank", "process", "file", "operation", "interface"] as const) {
    if (state[name] !== "") query[name] = state[name];
  }
  if (state.from) query["from"] = state.from;
  if (state.to) query["to"] = state.to;
  return query;
}
