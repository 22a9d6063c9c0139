// The pages of `trikal report` and `trikal predict`: findings first, then what they rest on. Runs once, when the document has been read.
import "./style.css";
import { Data } from "./data";
import { make } from "./dom";
import { downloads } from "./download";
import { files } from "./files";
import { findings, header, notices } from "./findings";
import { heatMap } from "./heat";
import { layerTimes, sizes, timeSplit } from "./layers";
import { drawPrediction } from "./prediction";
import { PredictionPage, kPredictionSchema } from "./prediction_data";
import { phases, processes } from "./processes";
import { ranks } from "./ranks";
import { dataText, readData } from "./read_data";
import { counters, targets } from "./storage";
import { libraries } from "./libraries";
import { coverage, errors, job, machine, mounts } from "./system";
import { traceLines } from "./trace";
import { callRanks } from "./words";

function contents(sections: HTMLElement[]): HTMLElement {
  const list = make("ul");
  for (const part of sections) {
    const title = part.querySelector("h2")?.textContent ?? "";
    list.append(make("li", {}, make("a", { href: `#${part.id}` }, title)));
  }
  return make("nav", { "aria-label": "Contents" }, list);
}

function draw(root: HTMLElement): void {
  const text = dataText();
  if (text.slice(0, 200).includes(`"${kPredictionSchema}"`)) {
    drawPrediction(root, JSON.parse(text) as PredictionPage);
    return;
  }
  const data: Data = readData(text);
  callRanks(data.job.mpi ? "rank" : "process");
  const sections = [heatMap(data), traceLines(data), timeSplit(data), layerTimes(data), ...libraries(data), sizes(data), files(data), ranks(data), phases(data),
    processes(data), mounts(data), targets(data), machine(data), errors(data), coverage(data), job(data), counters(data),
    downloads(data, text)]
    .filter((part): part is HTMLElement => part !== null);
  const notice = notices(data);
  root.append(header(data), ...(notice ? [notice] : []), findings(data), contents(sections), ...sections);
}

const root = document.getElementById("trikal");
if (root) {
  try {
    draw(root);
  } catch (error) {
    root.append(make("p", { role: "alert" }, `This page cannot be shown: ${String(error)}`));
  }
}
