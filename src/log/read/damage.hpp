#pragma once
// What is wrong with a log, as data: collected while reading, shown by every tool.

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace trikal::log {

struct Damage {
  enum class Severity : std::uint8_t {
    kNote,  // odd, but nothing is lost
    kLoss,  // something could not be read
  };
  Severity severity = Severity::kLoss;
  std::string where;            // "header", "job", "names", "POSIX", "trailer" ...
  Error error;                  // what, and at which byte
  std::uint64_t salvaged = 0;   // records of that region read before it
};

// What a reader may use. The user can raise each; what a file claims never does.
struct Limits {
  std::uint64_t memory = std::uint64_t{1} << 30;    // any one thing held whole: a record, the names
  std::uint64_t expanded = std::uint64_t{1} << 36;  // plain bytes of any one region
};

}  // namespace trikal::log
