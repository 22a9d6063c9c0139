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
    ? ` Files that all ranks use are counted once for all of them: ${words.seconds(time(shared))}, ${words.several(shared.files, "file")}.` : "";
  if (!own.length) return `No rank has files of its own.${together}`;
  const sorted = own.map(time).sort((a, b) => b - a);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const slowest = own.reduce((most, rank) => (time(rank) > time(most) ? rank : most));
  if (own.length === 1) return `There is one: ${words.seconds(time(slowest))} of I/O in ${words.several(slowest.calls, "call")}.${together}`;
  return `The slowest is rank ${slowest.rank} with ${words.seconds(time(slowest))} of I/O; the middle one has ${words.seconds(middle)}.${together}`;
}

function row(rank: Rank, longest: number): HTMLElement {
  const moved = `read ${words.bytes(rank.bytes_read)}, wrote ${words.bytes(rank.bytes_written)}`;
  const text = `${words.seconds(time(rank))} · ${moved} · ${words.several(rank.calls, "call")}`;
  return barRow(words.rankName(rank.rank), flowPieces(rank.read_seconds, rank.write_seconds, rank.meta_seconds), longest, text);
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
  return section("ranks", "Ranks", sentence(own, shared), legend("read", "write", "meta"),
    bars("I/O time by rank", ...rows),
    rest > 0 ? make("p", { class: "muted" }, `${words.several(rest, "faster rank")} not drawn.`) : null);
}
