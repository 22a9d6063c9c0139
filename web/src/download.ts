// The numbers behind the page, to take along.
import { Data } from "./data";
import { make } from "./dom";
import { section } from "./parts";
import * as words from "./words";

function offer(text: string, type: string, file: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { download: file });
  link.href = address;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Spreadsheets run a cell that begins like a formula; a file's name must not get that far.
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const tame = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(tame) ? `"${tame.replace(/"/g, '""')}"` : tame;
}

export function csvOfFiles(data: Data): string {
  const lines = ["name,mount,file_system,seconds,bytes_read,bytes_written,opens,ranks"];
  for (const file of data.files) {
    const row = [words.name(file.name), words.name(file.mount), words.name(file.fs), file.seconds, file.bytes_read,
      file.bytes_written, file.opens, file.ranks];
    lines.push(row.map(cell).join(","));
  }
  return lines.join("\r\n") + "\r\n";
}

export function downloads(data: Data, text: string): HTMLElement {
  const json = make("button", { type: "button" }, "Data of this page (JSON)");
  json.addEventListener("click", () => offer(text, "application/json", "trikal-report.json"));
  const csv = make("button", { type: "button" }, "Table of files (CSV)");
  csv.addEventListener("click", () => offer(csvOfFiles(data), "text/csv", "trikal-files.csv"));
  const log = words.splitPath(words.name(data.log.path))[1] || "LOG";
  return section("raw", "Numbers to take along", "This page holds sums; the log holds every counter of every record.",
    make("div", { class: "controls screen-only" }, json, csv),
    make("p", {}, "Every counter: ", make("code", {}, `trikal parse ${log}`), " or, as tables, ",
      make("code", {}, `trikal export --format csv|json|sqlite|arrow ${log}`)));
}
