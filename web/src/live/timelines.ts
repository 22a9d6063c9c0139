// One line over time for each rank, file, process, interface or host.
import { make } from "../dom";
import { section } from "../parts";
import * as words from "../words";
import { draw, Line } from "./chart";
import { Context } from "./context";
import { lines, sums } from "./series";
import { go } from "./state";

const kGroups = ["rank", "file", "process", "interface", "operation", "host"];
const kMost = 12; // lines; more are no longer told apart

export async function timelines(context: Context): Promise<HTMLElement[]> {
  const group = kGroups.includes(context.state.group) ? context.state.group : "rank";
  const [data, all] = await Promise.all([
    sums(context, `time,${group}`, { slices: 150, most: 200000 }),
    sums(context, group, { most: kMost }),
  ]);
  const order = all.rows.map((row) => all.text(row, group));
  const found = new Map(lines(data, group, "bytes", () => "plain").map((line) => [line.name, line]));
  const pick = make("select", { "aria-label": "Lines of" });
  for (const name of kGroups) pick.append(make("option", { value: name, selected: name === group }, name));
  pick.addEventListener("change", () => go({ group: pick.value }));
  const parts: HTMLElement[] = [];
  for (const name of order) {
    const line: Line | undefined = found.get(name);
    if (!line) continue;
    parts.push(make("h3", {}, words.name(group === "rank" && name === "-1" ? "no rank" : `${group === "file" ? "" : `${group} `}${name}`)),
      draw({
        label: `Bytes a second of ${group} ${words.name(name)}`, lines: [line], from: context.from, to: context.to, width: data.width,
        say: (value) => `${words.bytes(value)}/s`, zoom: (from, to) => go({ from, to }),
      }));
  }
  const hidden = found.size - order.length;
  const rest = hidden > 0 ? ` ${words.several(hidden, "more is", "more are")} not shown: the ${kMost} with the most time are.` : "";
  return [section("timelines", "Timelines", `Bytes a second by ${group}.${rest}`, make("div", { class: "controls" }, make("label", {}, "Lines of ", pick)), ...parts)];
}
