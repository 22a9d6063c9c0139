// Who did the I/O, and whether some wait for others.
import { Data, Rank } from "./data";
import { make } from "./dom";
import { barRow, bars, flowPieces, legend, section } from "./parts";
import * as words from "./words";

const kMost = 24; // bars drawn; with more ranks, the slowest

function time(rank: Rank): number {
  return rank.read_seconds + rank.write_seconds + rank.meta_seconds;
}

function sentence(own: Rank[], shared: Rank | undefined): string {
  const together = shared
    ? ` Files that all ${words.ranksWord()} use are counted once for all of them: ${words.seconds(time(shared))}, ${words.several(shared.files, "file")}.` : "";
  if (!own.length) return `No ${words.rankWord()} has files of its own.${together}`;
  const sorted = own.map(time).sort((a, b) => b - a);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const slowest = own.reduce((most, rank) => (time(rank) > time(most) ? rank : most));
  if (own.length === 1) return `There is one: ${words.seconds(time(slowest))} of I/O in ${words.several(slowest.calls, "call")}.${together}`;
  return `The slowest is ${words.rankName(slowest.rank)} with ${words.seconds(time(slowest))} of I/O; the middle one has ${words.seconds(middle)}.${together}`;
}

function row(rank: Rank, longest: number): HTMLElement {
  const moved = `read ${words.bytes(rank.bytes_read)}, wrote ${words.bytes(rank.bytes_written)}`;
  const outer = rank.library_seconds ? ` · ${words.seconds(rank.library_seconds)} in libraries above`
    : rank.mpiio_seconds ? ` · ${words.seconds(rank.mpiio_seconds)} in MPI-IO` : "";
  const text = `${words.seconds(time(rank))} · ${moved} · ${words.several(rank.calls, "call")}${outer}`;
  return barRow(words.rankName(rank.rank), flowPieces(rank.read_seconds, rank.write_seconds, rank.meta_seconds), longest, text);
}

let reveal: (rank: number) => void = () => undefined;

// Goes to a rank that is spoken of elsewhere; one that was not drawn is drawn then.
export function revealRank(rank: number): void {
  reveal(rank);
}

export function ranks(data: Data): HTMLElement | null {
  if (!data.ranks.length) return null;
  const own = data.ranks.filter((rank) => rank.rank >= 0);
  const shared = data.ranks.find((rank) => rank.rank < 0);
  const longest = words.largest(data.ranks.map(time));
  const slowest = [...own].sort((a, b) => time(b) - time(a)).slice(0, kMost);
  if (own.length <= kMost) slowest.sort((a, b) => a.rank - b.rank);
  const rows = (shared ? [shared] : []).concat(slowest).map((rank) => row(rank, longest));
  const rest = own.length - slowest.length;
  const drawn = new Map([...(shared ? [shared] : []), ...slowest].map((rank, at) => [rank.rank, rows[at]]));
  const list = bars(`I/O time by ${words.rankWord()}`, ...rows);
  reveal = (number) => {
    const asked = data.ranks.find((rank) => rank.rank === number);
    if (!asked) return;
    const line = drawn.get(number) ?? row(asked, longest);
    if (!drawn.has(number)) list.append(line);
    drawn.set(number, line);
    list.querySelectorAll(".chosen").forEach((old) => old.classList.remove("chosen"));
    line.classList.add("chosen");
    line.tabIndex = -1;
    line.focus({ preventScroll: true });
    line.scrollIntoView({ block: "center" });
  };
  return section("ranks", data.job.mpi ? "Ranks" : "I/O by process", sentence(own, shared), legend("read", "write", "meta"), list,
    rest > 0 ? make("p", { class: "muted" }, `${words.several(rest, `faster ${words.rankWord()}`, `faster ${words.ranksWord()}`)} not drawn.`) : null);
}
