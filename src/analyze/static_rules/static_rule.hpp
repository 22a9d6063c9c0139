#pragma once
// A rule that looks at code which has not run: one call site, what it does to one file, and whether that need be.
// A rule is a file and a line in list.cpp.

#include <optional>
#include <span>
#include <string_view>

#include "analyze/dataset/prediction.hpp"

namespace trikal::analyze {

// What one rule is asked about.
struct StaticSubject {
  const PredictedAccess& access;
  const PredictedFile& file;
  const Costs& costs;

  [[nodiscard]] const PredictedUse& use() const { return access.use; }
  [[nodiscard]] bool is(UseFlag flag) const { return (access.use.flags & flag) != 0; }
  [[nodiscard]] double mean() const { return use().count > 0 ? use().bytes / use().count : 0; }
  [[nodiscard]] bool moves() const { return reads(access.operation) || writes(access.operation); }
  [[nodiscard]] bool standard() const { return file.name.starts_with("<STD"); }
};

enum class StaticLevel : std::uint8_t { kNote, kWarning };

struct StaticRule {
  std::string_view code;  // stable
  std::string_view title, why, fix;
  StaticLevel level = StaticLevel::kWarning;
  // Seconds lost by the costs; none: nothing is wrong here.
  std::optional<double> (*judge)(const StaticSubject& subject) = nullptr;
};

[[nodiscard]] std::span<const StaticRule* const> static_rules();

// Limits that several rules share.
inline constexpr double kStaticOften = 10;  // repeated: more than a start and an end
inline constexpr double kStaticMany = 1000;  // so many that each one's price matters
inline constexpr double kStaticTiny = 4096;  // bytes of an access that is hardly worth a call
inline constexpr double kStaticLarge = 1 << 20;  // bytes of an access that is

}  // namespace trikal::analyze
