#pragma once
// Records of files that all ranks used, folded on their way up the tree: one a file and module, whatever the number of
// ranks.

#include <cstdint>

#include "capture/reduce/buffer.hpp"
#include "capture/reduce/census.hpp"
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
  // A process's own records of them.
  void add(const log::crash::Process& process) noexcept;
  // What another rank's write() gave. False: it has another length than ours, and nothing was changed.
  [[nodiscard]] bool combine(Bytes message) noexcept;
  [[nodiscard]] Bytes message() const noexcept { return states_.bytes(); }

  // Once all ranks are in it: the records of one module, one behind the other, in the order in which files were
  // first used: neighbours resemble each other, and pack better.
  [[nodiscard]] bool finish(std::size_t module, Buffer& records) const noexcept;

 private:
  // In front of each record.
  struct State {
    std::uint64_t begun = 0;  // ranks are in it
    Spread time, bytes;
  };
  struct Module {
    std::size_t at = 0, stride = 0;  // in states_
    std::size_t count = 0;
  };

  void add_record(const FoldPlan& plan, std::size_t module, Bytes record) noexcept;
  void combine_one(const FoldPlan& plan, std::byte* into, const std::byte* from) noexcept;

  const IdLists* ids_ = nullptr;
  log::crash::Schemas schemas_;
  std::array<Module, kMostModules> modules_{};
  Buffer states_;
};

}  // namespace trikal::capture
