#pragma once
// A crash map on its way to another rank: the same layout, without what nobody needs there. The receiver reads it as
// the hostile input that every map is.

#include <cstdint>

#include "capture/reduce/rank_survey.hpp"
#include "log/crash/self_cost.hpp"
#include "log/crash/to_log.hpp"

namespace trikal::capture {

enum class Contents : std::uint8_t {
  kRecords,  // names and records: the regions of the log
  kRest,     // what the trailer says of the process
};

// What need not be sent: records of shared files, and their names.
struct LeftOut {
  const IdLists& shared;
  log::crash::Schemas schemas;
  bool names = true;
};

// Appends one map; its length is a multiple of 64. `cost` goes with it: it follows from records that may not.
[[nodiscard]] bool pack_map(const log::crash::Process& process, Contents contents, const log::crash::SelfCost& cost,
                            Buffer& into, const LeftOut* left_out = nullptr) noexcept;

// Maps one behind the other, unpacked: views stay valid for as long as this does.
class UnpackedMaps {
 public:
  // False: no memory, or these are no packed maps.
  [[nodiscard]] bool open(Bytes packed) noexcept;
  // In the order of `packed`; `shift` of each follows from when the job began.
  [[nodiscard]] std::span<log::crash::Process> processes(double job_start) noexcept;
  [[nodiscard]] log::crash::SelfCost cost(std::size_t process) const noexcept;

 private:
  [[nodiscard]] bool unpack(Bytes& packed) noexcept;
  [[nodiscard]] bool make_views() noexcept;

  struct Entry {
    std::uint64_t at = 0, bytes = 0;
    std::int64_t rank = 0;
    log::crash::SelfCost cost;
  };
  [[nodiscard]] Entry entry(std::size_t process) const noexcept;

  Buffer maps_, entries_, views_, processes_;
};

}  // namespace trikal::capture
