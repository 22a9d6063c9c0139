// The page: findings first, then what they rest on.
import "./style.css";
import { dataText, readData } from "./data";
import { make } from "./dom";

function draw(root: HTMLElement): void {
  const data = readData(dataText());
  root.append(make("h1", {}, data.job.exe));
  for (const finding of data.findings) {
    root.append(make("article", {}, make("h2", {}, finding.title), make("p", {}, finding.fix)));
  }
}

const root = document.getElementById("trikal");
if (root) {
  try {
    draw(root);
  } catch (error) {
    root.append(make("p", { role: "alert" }, `This page cannot be shown: ${String(error)}`));
  }
}
