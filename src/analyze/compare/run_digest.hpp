#pragma once
// A run as a list of numbers that can be held against those of another run.

#include <compare>
#include <map>
#include <string_view>

#include "analyze/rules/rule.hpp"

namespace trikal::analyze {

enum class Aspect : std::uint8_t { kRun, kLayer, kFinding, kPhase, kFile };

struct DigestKey {
  Aspect aspect = Aspect::kRun;
  std::string_view subject;  // a layer, a code, a phase, a file; empty for the run
  std::string_view metric;  // "seconds", "bytes_read"
  friend auto operator<=>(const DigestKey&, const DigestKey&) = default;
};

enum class Metric : std::uint8_t { kSeconds, kBytes, kCount, kRate };  // what its unit is

struct DigestValue {
  double value = 0;
  Metric unit = Metric::kCount;
};

struct RunDigest {
  std::map<DigestKey, DigestValue> numbers;
};

enum class FileNames : std::uint8_t { kWhole, kLastPart };

// Names are those of the run, which must outlive the digest. With kLastPart files of the same name in different directories are one.
[[nodiscard]] RunDigest digest_of(const Run& run, std::span<const Finding> findings, FileNames names);

}  // namespace trikal::analyze
