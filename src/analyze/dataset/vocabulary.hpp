#pragma once
// Every name a listing can show, and what the tables say of it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/form.hpp"

namespace trikal::analyze {

inline constexpr std::size_t kWholeRun = ~std::size_t{0};

struct Term {
  const ModuleFormat* module = nullptr;
  Counter counter;                  // fields of a record are told as counters too
  std::size_t slot = kNoSlot;       // in the module's table; kNoSlot: named by a listing only
  std::size_t bucket = kWholeRun;   // which of a run of alike counters was asked for
  std::uint32_t since = 1;          // the first record version that has it

  // POSIX_SIZE_READ_0_100, or POSIX_SIZE_READ_* for the run.
  [[nodiscard]] std::string name() const;
};

// All terms of a module in the order of a listing; runs are one term.
[[nodiscard]] std::vector<Term> terms_of(const ModuleFormat& module);

// Any case. One counter of a run, or the whole run with '#' or '*' for what differs.
[[nodiscard]] std::optional<Term> find_term(std::string_view name);

// Every counter by its full name, and every module.
[[nodiscard]] std::vector<std::string> all_names();

}  // namespace trikal::analyze
