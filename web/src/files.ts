// The table of files: sorted by any column, searched by name, each row opens what is known about the file.
import { Data, Directory, FileKind, FileRow } from "./data";
import { make } from "./dom";
import { fileDetail } from "./file_detail";
import { folded, path, scrolling, section, table } from "./parts";
import * as words from "./words";

const kStep = 50; // rows shown at once, and with every "more"

interface FileColumn {
  title: string;
  key: (file: FileRow) => number | string;
  show: (file: FileRow) => string | Node;
  wide?: boolean; // left out on narrow screens; the row's detail has it
}

const kColumns: FileColumn[] = [
  { title: "File", key: (file) => file.name, show: (file) => path(file.name) },
  { title: "Time", key: (file) => file.seconds, show: (file) => words.seconds(file.seconds) },
  { title: "Read", key: (file) => file.bytes_read, show: (file) => words.bytes(file.bytes_read) },
  { title: "Written", key: (file) => file.bytes_written, show: (file) => words.bytes(file.bytes_written) },
  { title: "Opens", key: (file) => file.opens, show: (file) => words.count(file.opens), wide: true },
  { title: "Used by", key: (file) => file.ranks, show: (file) => words.count(file.ranks), wide: true },
  { title: "File system", key: (file) => file.fs, show: (file) => words.name(file.fs), wide: true },
];

function columnClass(index: number): string | undefined {
  const column = kColumns[index];
  const numeric = index > 0 && index < kColumns.length - 1 ? "number" : "";
  return [numeric, column?.wide ? "wide" : ""].filter(Boolean).join(" ") || undefined;
}

function sentence(data: Data): string {
  const first = data.files.find((file) => !file.internal) ?? data.files[0];
  if (!first) return "No file was touched.";
  const all = data.file_kinds.reduce((sum, kind) => sum + kind.files, 0);
  const time = data.file_kinds.reduce((sum, kind) => sum + kind.seconds, 0);
  const of = (what: "bytes_read" | "bytes_written") =>
    data.file_kinds.reduce((sum, kind) => sum + (kind[what] > 0 ? kind.files : 0), 0);
  const most = `${words.splitPath(words.name(first.name))[1]} takes ${words.percent(words.share(first.seconds, time))} of the time`;
  const own = data.files_internal ? ` ${words.several(data.files_internal, "more file")} ${data.files_internal === 1 ? "is" : "are"} MPI's own or trikal's and left out.` : "";
  const cut = data.files_total > data.files.length
    ? ` The ${words.count(data.files.length)} slowest of ${words.several(data.files_total, "file")} are listed.` : "";
  return `Of ${words.several(all, "file")}, ${words.count(of("bytes_read"))} ${of("bytes_read") === 1 ? "was" : "were"} read and ${words.count(of("bytes_written"))} written; ${most}.${cut}${own}`;
}

// By what was done to them: what is only read can be cached or copied, what is only opened need not be.
function kinds(data: Data): HTMLElement {
  return table<FileKind>("Files by use", [
    { title: "Use", text: (row) => row.use },
    { title: "Files", number: true, text: (row) => words.count(row.files) },
    { title: "Average size", number: true, text: (row) => words.bytes(Math.round(row.mean_size)) },
    { title: "Largest", number: true, text: (row) => words.bytes(row.largest_size) },
    { title: "Time", number: true, text: (row) => words.seconds(row.seconds) },
    { title: "Read", number: true, text: (row) => words.bytes(row.bytes_read) },
    { title: "Written", number: true, text: (row) => words.bytes(row.bytes_written) },
  ], data.file_kinds);
}

function directories(data: Data): HTMLElement | null {
  if (data.directories.length < 2) return null;
  const list = table<Directory>("Files by directory", [
    { title: "Directory", text: (row) => make("span", { class: "path" }, words.name(row.path) || "no directory") },
    { title: "Files", number: true, text: (row) => words.count(row.files) },
    { title: "Opens", number: true, text: (row) => words.count(row.opens) },
    { title: "Time", number: true, text: (row) => words.seconds(row.seconds) },
    { title: "Read", number: true, text: (row) => words.bytes(row.bytes_read) },
    { title: "Written", number: true, text: (row) => words.bytes(row.bytes_written) },
  ], data.directories);
  return folded(`By directory: ${words.several(data.directories.length, "row")}`, list);
}

class FileTable {
  private readonly body = make("tbody");
  private readonly heads: HTMLTableCellElement[] = [];
  private readonly status = make("p", { class: "muted", role: "status" });
  private readonly more = make("button", { type: "button" }, "Show more");
  private readonly open = new Set<FileRow>();
  private column = 1;
  private down = true;
  private search = "";
  private limit = kStep;
  private all = false; // MPI's own as well
  private readonly searchField = make("input", { type: "search", id: "file-search", autocomplete: "off" });

  private readonly ownBox = make("input", { type: "checkbox" });

  constructor(private readonly data: Data) {}

  build(): HTMLElement[] {
    const head = make("tr");
    kColumns.forEach((column, index) => {
      const button = make("button", { type: "button", class: "sort" }, column.title);
      button.addEventListener("click", () => this.sortBy(index));
      const cell = make("th", { scope: "col", class: columnClass(index) }, button);
      this.heads.push(cell);
      head.append(cell);
    });
    const search = this.searchField;
    search.addEventListener("input", () => {
      this.search = search.value.toLowerCase();
      this.limit = kStep;
      this.draw();
    });
    this.more.addEventListener("click", () => {
      this.limit += kStep;
      this.draw();
    });
    this.draw();
    const table = make("table", { class: "files" }, make("thead", {}, head), this.body);
    return [
      make("div", { class: "controls" }, make("label", {}, "Search names ", search), this.own()),
      scrolling("Files", table),
      make("div", { class: "controls" }, this.status, this.more),
    ];
  }

  private own(): HTMLElement | null {
    if (!this.data.files.some((file) => file.internal)) return null;
    this.ownBox.addEventListener("change", () => {
      this.all = this.ownBox.checked;
      this.draw();
    });
    return make("label", {}, this.ownBox, " MPI's own files, too");
  }

  // Opens the row of a file that is spoken of elsewhere, and goes there.
  reveal(name: string): void {
    const file = this.data.files.find((one) => one.name === name);
    if (!file) return;
    this.searchField.value = words.name(name);
    this.search = this.searchField.value.toLowerCase();
    this.limit = kStep;
    this.all = this.ownBox.checked = this.all || file.internal === true;
    this.open.add(file);
    this.draw();
    this.body.scrollIntoView({ block: "center" });
    this.body.querySelector<HTMLElement>(".opener")?.focus({ preventScroll: true });
  }

  private sortBy(index: number): void {
    // Numbers are first asked for from the top, names from A.
    this.down = this.column === index ? !this.down : typeof kColumns[index]?.key(this.data.files[0] as FileRow) === "number";
    this.column = index;
    this.draw();
  }

  private found(): FileRow[] {
    const { key } = kColumns[this.column] as FileColumn;
    const sign = this.down ? -1 : 1;
    return this.data.files
      .filter((file) => (this.all || !file.internal) && ( !this.search || words.name(file.name).toLowerCase().includes(this.search)))
      .sort((a, b) => {
        const [left, right] = [key(a), key(b)];
        return left < right ? -sign : left > right ? sign : 0;
      });
  }

  private draw(): void {
    this.heads.forEach((head, index) => {
      head.setAttribute("aria-sort", index !== this.column ? "none" : this.down ? "descending" : "ascending");
    });
    const found = this.found();
    this.body.replaceChildren();
    for (const file of found.slice(0, this.limit)) this.addRow(file);
    const shown = Math.min(found.length, this.limit);
    this.status.textContent = `${words.count(shown)} of ${words.several(found.length, "file")} shown`;
    this.more.hidden = shown >= found.length;
  }

  private addRow(file: FileRow): void {
    const button = make("button", { type: "button", class: "opener", "aria-expanded": "false" }, path(file.name));
    const row = make("tr", { class: "file" });
    kColumns.forEach((column, index) => {
      row.append(make("td", { class: columnClass(index) }, index === 0 ? button : column.show(file)));
    });
    let detail: HTMLElement | null = null;
    const show = (open: boolean) => {
      button.setAttribute("aria-expanded", String(open));
      detail?.remove();
      detail = null;
      if (!open) {
        this.open.delete(file);
        return;
      }
      this.open.add(file);
      detail = make("tr", { class: "detail-row" }, make("td", { colspan: kColumns.length }, fileDetail(this.data, file)));
      row.after(detail);
    };
    // The button's click arrives here as well; a selection of text is no click.
    row.addEventListener("click", () => {
      if (!getSelection()?.toString()) show(!this.open.has(file));
    });
    this.body.append(row);
    if (this.open.has(file)) show(true);
  }
}

let shown: FileTable | null = null;

export function revealFile(name: string): void {
  shown?.reveal(name);
}

export function files(data: Data): HTMLElement {
  shown = new FileTable(data);
  const parts = data.files.length ? [kinds(data), directories(data), ...shown.build()] : [];
  return section("files", "Files", sentence(data), ...parts);
}
