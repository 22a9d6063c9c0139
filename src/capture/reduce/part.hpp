#pragma once
// The names and records of some ranks, packed into streams of a log: what one of them makes for all. Streams stand one
// behind the other in a region, so that ranks can pack side by side and nobody has to unpack.

#include <array>
#include <cstdint>

#include "base/result.hpp"
#include "capture/reduce/rank_survey.hpp"

namespace trikal::capture {

inline constexpr std::size_t kRegions = 1 + kMostModules;  // names, then the modules
inline constexpr std::uint64_t kSmallPart = 2 * 1024 * 1024;  // bytes in memory up to which ranks of a node pack as one
inline constexpr std::uint64_t kSentPart = 256 * 1024;  // packed bytes that are sent to the root, which writes them

// Whether streams are sent: only while all parts of a job, if they are like this one, are few bytes for one rank to hold.
[[nodiscard]] constexpr bool is_sent(std::uint64_t streams, std::int64_t members, std::int64_t ranks) noexcept {
  constexpr std::uint64_t kSentByAll = 64 * 1024 * 1024;
  if (streams > kSentPart || members < 1) return false;
  return streams * (static_cast<std::uint64_t>(ranks) / static_cast<std::uint64_t>(members)) <= kSentByAll;
}

struct PartHead {
  std::uint64_t bytes = 0;  // this head and the streams behind it
  std::int64_t owner = 0;  // the rank that made it
  std::uint64_t sent = 0;  // 1: streams follow; 0: the owner keeps them until it is told where they go
  struct Region {
    std::uint64_t packed = 0, plain = 0;
  };
  std::array<Region, kRegions> regions{};
};

struct PartPlan {
  const IdLists* shared = nullptr;  // what is not in parts
  const TimeGrid* grid = nullptr;
  std::int64_t names_of = 0;  // the rank that writes the names of shared files
};

// Whether other ranks of the node pack at the same time: then it has to be quick.
enum class Packers : std::uint8_t { kOne, kMany };

// Appends a zlib stream and answers with its length. `stride`: the size of a record, or 0. Not for two threads at once.
[[nodiscard]] Result<std::uint64_t> pack_stream(Bytes plain, std::size_t stride, Packers packers,
                                                Buffer& into) noexcept;

// `processes` in ascending order of their ranks. Streams are appended to `streams`, in the order of the regions.
[[nodiscard]] Status pack_part(std::span<const log::crash::Process> processes, const Observers& observers,
                               const PartPlan& plan, PartHead& head, Buffer& streams) noexcept;

// Calls use(head, streams) for every part of a message; false: it is none, and some may have been used.
template <class Use>
[[nodiscard]] bool for_each_part(Bytes message, const Use& use) noexcept {
  while (!message.empty()) {
    if (message.size() < sizeof(PartHead)) return false;
    const auto head = load<PartHead>(message.data());
    if (head.bytes < sizeof head || head.bytes > message.size() || head.sent > 1) return false;
    std::uint64_t left = head.bytes - sizeof head;
    for (const PartHead::Region& region : head.regions) {
      if (head.sent == 0) continue;
      if (region.packed > left) return false;
      left -= region.packed;
    }
    if (left != 0) return false;
    if (!use(head, message.subspan(sizeof head, static_cast<std::size_t>(head.bytes - sizeof head)))) return false;
    message = message.subspan(static_cast<std::size_t>(head.bytes));
  }
  return true;
}

}  // namespace trikal::capture
