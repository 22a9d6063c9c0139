// A section each for what stands above POSIX: HDF5 with its datasets, PnetCDF, MPI.
import { Data, Dataset, Library } from "./data";
import { make } from "./dom";
import { facts, path, section, table } from "./parts";
import * as words from "./words";

function shareOfRun(data: Data, seconds: number): string {
  return data.job.seconds > 0 ? ` (${words.percent(Math.min(1, seconds / data.job.seconds))} of the run)` : "";
}

function slowest(libraries: Library[]): Library {
  return libraries.reduce((most, one) => (one.slowest_seconds > most.slowest_seconds ? one : most));
}

function hdf5(data: Data): HTMLElement | null {
  const own = data.libraries.filter((library) => library.name.startsWith("H5"));
  if (!own.length) return null;
  const time = slowest(own).slowest_seconds;
  const chunked = data.datasets.filter((dataset) => dataset.chunk_bytes > 0).length;
  const together = data.datasets.filter((dataset) => dataset.collective).length;
  const said = `The slowest ${words.rankWord()} spends ${words.seconds(time)}${shareOfRun(data, time)} in HDF5. ` +
    `${words.several(data.datasets_total, "dataset")}: of those listed ${words.count(chunked)} ${chunked === 1 ? "has" : "have"} chunks, ${words.count(together)} ${together === 1 ? "was" : "were"} accessed collectively.`;
  const list = table<Dataset>("Datasets", [
    { title: "Dataset", text: (row) => path(row.name) },
    { title: "Size", number: true, text: (row) => words.bytes(row.elements * row.element_bytes) },
    { title: "Chunks", number: true, text: (row) => (row.chunk_bytes > 0 ? words.bytes(row.chunk_bytes) : "none") },
    { title: "Reads", number: true, text: (row) => words.count(row.reads) },
    { title: "Writes", number: true, text: (row) => words.count(row.writes) },
    { title: "Read", number: true, text: (row) => words.bytes(row.bytes_read) },
    { title: "Written", number: true, text: (row) => words.bytes(row.bytes_written) },
    { title: "Time", number: true, text: (row) => words.seconds(row.seconds) },
  ], data.datasets);
  return section("hdf5", "HDF5", said, data.datasets.length ? list : null,
    data.datasets_total > data.datasets.length ? make("p", { class: "muted" }, `The slowest ${words.count(data.datasets.length)} are listed.`) : null);
}

function pnetcdf(data: Data): HTMLElement | null {
  const own = data.libraries.filter((library) => library.name.startsWith("PNETCDF"));
  if (!own.length) return null;
  const time = slowest(own).slowest_seconds;
  const rows: [string, string][] = own.map((library) => [
    library.name === "PNETCDF_VAR" ? "Variables" : "Files",
    `${words.count(library.records)}: read ${words.bytes(library.bytes_read)} in ${words.seconds(library.read_seconds)}, wrote ${words.bytes(library.bytes_written)} in ${words.seconds(library.write_seconds)}, metadata ${words.seconds(library.meta_seconds)}`,
  ]);
  const variables = own.find((library) => library.name === "PNETCDF_VAR");
  const kinds = variables ? [{ title: "independent", ...variables.independent }, { title: "collective", ...variables.collective },
    { title: "nonblocking", ...variables.nonblocking }].filter((kind) => kind.reads + kind.writes > 0) : [];
  return section("pnetcdf", "PnetCDF", `The slowest rank spends ${words.seconds(time)}${shareOfRun(data, time)} in PnetCDF.`, facts(rows),
    kinds.length ? callsByKind("Calls of PnetCDF", kinds) : null);
}

interface Kind {
  title: string;
  reads: number;
  writes: number;
}

function callsByKind(caption: string, kinds: Kind[]): HTMLElement {
  return table<Kind>(caption, [
    { title: "Kind", text: (kind) => kind.title },
    { title: "Reads", number: true, text: (kind) => words.count(kind.reads) },
    { title: "Writes", number: true, text: (kind) => words.count(kind.writes) },
  ], kinds);
}

function mpi(data: Data): HTMLElement | null {
  const layer = data.layers.find((one) => one.name === "MPI-IO");
  const values = data.counters.find((one) => one.module === "MPI-IO")?.values ?? {};
  if (!layer && !data.messages) return null;
  const of = (name: string) => values[`MPIIO_${name}`] ?? 0;
  const kinds: Kind[] = [["independent", "INDEP"], ["collective", "COLL"], ["split collective", "SPLIT"], ["nonblocking", "NB"]]
    .map(([title, name]) => ({ title: title ?? "", reads: of(`${name}_READS`), writes: of(`${name}_WRITES`) }))
    .filter((kind) => kind.reads + kind.writes > 0);
  const calls = kinds.reduce((sum, kind) => sum + kind.reads + kind.writes, 0);
  const together = kinds.filter((kind) => kind.title.endsWith("collective")).reduce((sum, kind) => sum + kind.reads + kind.writes, 0);
  const said: string[] = [];
  if (layer) said.push(calls ? `${words.percent(words.share(together, calls))} of ${words.several(calls, "read or write", "reads and writes")} through MPI-IO are collective.`
    : "Files were opened through MPI-IO, and no data moved.");
  const { messages } = data;
  if (messages) {
    said.push(`Calls of MPI take ${words.seconds(messages.seconds / messages.ranks)} of each rank on average, ${words.seconds(messages.slowest)}${shareOfRun(data, messages.slowest)} of rank ${messages.slowest_rank}, the slowest.`);
  }
  const more: [string, string][] = layer ? [
    ["Opens", `${words.count(of("INDEP_OPENS"))} alone, ${words.count(of("COLL_OPENS"))} together`],
    ["Views and hints", `${words.several(of("VIEWS"), "view")}, ${words.several(of("HINTS"), "open or view", "opens and views")} with hints, ${words.several(of("SYNCS"), "sync")}`],
  ] : [];
  return section("mpi", "MPI", said.join(" "), kinds.length ? callsByKind("Calls of MPI-IO", kinds) : null, more.length ? facts(more) : null);
}

export function libraries(data: Data): (HTMLElement | null)[] {
  return [hdf5(data), pnetcdf(data), mpi(data)];
}
