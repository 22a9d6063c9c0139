#pragma once
// Records of files that all ranks used, folded on their way up the tree: one a file and module, whatever the number of
// ranks.

#include <array>
#include <cstdint>
#include <optional>

#include "capture/reduce/buffer.hpp"
#include "capture/reduce/rank_survey.hpp"
#include "capture/reduce/shared_values.hpp"
#include "schema/fold.hpp"

namespace trikal::capture {

// The variance of `ranks` times without the bits that say nothing: times in logs have steps of 2^-20 s, so that of times
// which differ by s it is known to about s * 2^-21 / sqrt(ranks), and bits below are noise, which does not compress. What
// is dropped is less than that, and never changes more than the last of the six digits that are printed.
[[nodiscard]] double settled_variance(double variance, double ranks) noexcept;

class SharedRecords {
 public:
  // `ids`: of the job's shared files; must stay, as must `schemas`.
  [[nodiscard]] bool begin(const IdLists& ids, log::crash::Schemas schemas) noexcept;

  // Who has nobody below it sends its own records and holds none: appends the message. False: no memory.
  [[nodiscard]] bool write_own(const log::crash::Process& process, Buffer& into) const noexcept;

  // Everybody else holds them: first its own. False: no memory.
  [[nodiscard]] bool add(const log::crash::Process& process) noexcept;
  // A message of another rank. False: it is none, and what is held is worth nothing any more.
  [[nodiscard]] bool combine(Bytes message) noexcept;
  [[nodiscard]] bool write(Buffer& into) const noexcept;

  // Once all ranks are in it: the records of one module, one behind the other, in the order in which files were
  // first used: neighbours resemble each other, and pack better.
  [[nodiscard]] bool finish(std::size_t module, Buffer& records) noexcept;

 private:
  // In front of each record.
  struct State {
    std::uint64_t begun = 0;  // ranks are in it
    Spread time, bytes;
  };
  static constexpr std::size_t kLargest = 4096;  // bytes of a record
  struct Module {
    std::size_t at = 0, stride = 0;  // in states_
    std::size_t count = 0;
    std::optional<FoldPlan> plan;
  };

  template <class Use>
  void for_each_own(const log::crash::Process& process, std::size_t module, const Use& use) const noexcept;
  static void make_state(const FoldPlan& plan, Bytes record, std::byte* state) noexcept;
  [[nodiscard]] bool combine_one(std::size_t module, std::size_t index, const std::byte* from) noexcept;
  [[nodiscard]] std::byte* state_of(const Module& module, std::size_t index) noexcept {
    return states_.all().data() + module.at + index * module.stride;
  }

  const IdLists* ids_ = nullptr;
  log::crash::Schemas schemas_;
  std::array<Module, kMostModules> modules_{};
  Buffer states_;
  SharedValues values_;
};

}  // namespace trikal::capture
