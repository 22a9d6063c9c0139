#pragma once
// LUSTRE records: what the file has in all, then component by component its numbers, the words for its pattern
// and flags, and its targets.

#include <array>

#include "modules/lustre/components.hpp"
#include "schema/record_view.hpp"

namespace trikal::modules::lustre {

inline constexpr std::array<std::string_view, kFlagBits> kFlagWords = {"stale",    "prefrd",  "prefwr",    "offline",
                                                                       "init",     "nosync",  "extension", "parity",
                                                                       "compress", "partial", "nocompr",   "neg"};

inline std::string_view pattern_word(std::int64_t pattern) {
  switch (pattern) {
    case kPatternRaid0: return "raid0";
    case kPatternMdt: return "mdt";
    case kPatternOverstriped: return "raid0,overstriped";
    case kPatternForeign: return "foreign";
    default: return "N/A";
  }
}

inline std::string flag_words(std::int64_t flags) {
  if (flags == -1) return "N/A";
  std::string words;
  for (std::size_t bit = 0; bit < kFlagBits; ++bit) {
    if (((flags >> bit) & 1) == 0) continue;
    if (!words.empty()) words += ',';
    words += kFlagWords[bit];
  }
  return words.empty() ? "0" : words;
}

inline void component_values(const std::byte* comp, std::string stem, Bytes targets, ValueSink& sink) {
  const std::size_t length = stem.size();
  const auto name = [&](std::string_view what) -> std::string_view {
    stem.resize(length);
    return stem.append(what);
  };
  const auto number = [&](std::size_t at) { return load<std::int64_t>(comp + at); };
  sink.integer(name("STRIPE_SIZE"), number(kStripeSizeAt));
  sink.integer(name("STRIPE_COUNT"), number(kStripeCountAt));
  sink.text(name("STRIPE_PATTERN"), pattern_word(number(kPatternAt)));
  sink.text(name("FLAGS"), flag_words(number(kFlagsAt)));
  sink.integer(name("EXT_START"), number(kExtStartAt));
  sink.integer(name("EXT_END"), number(kExtEndAt));
  sink.integer(name("MIRROR_ID"), number(kMirrorIdAt));
  const std::string_view pool = field_text(comp + kPoolNameAt, kPoolNameBytes);
  sink.text(name("POOL_NAME"), pool.empty() ? "N/A" : pool);
  NumberedName target(name("OST_ID_"));
  for (std::size_t i = 0; i < targets.size() / 8; ++i)
    sink.integer(target(i), load<std::int64_t>(targets.data() + 8 * i));
}

inline void values(Bytes record, RecordViewState& /*state*/, ValueSink& sink) {
  sink.integer("LUSTRE_NUM_COMPONENTS", load<std::int64_t>(record.data() + kNumCompsAt));
  sink.integer("LUSTRE_NUM_STRIPES", load<std::int64_t>(record.data() + kNumStripesAt));
  NumberedName stem("LUSTRE_COMP");
  std::uint64_t k = 0;
  for_each_component(record, [&](const std::byte* comp, Bytes targets) {
    component_values(comp, std::string(stem(++k)) + "_", targets, sink);
  });
}

// The number is the component's, counted from 1.
inline constexpr Counter component_line(std::string_view name, std::string_view field) {
  for (Counter counter : kComponentCounters) {
    if (counter.name.substr(counter.name.size() - field.size()) != field) continue;
    counter.name = name;
    return counter;
  }
  throw "no such counter of a component";
}
inline constexpr Counter kAlso[] = {
    {"LUSTRE_NUM_COMPONENTS", Unit::kNone, Fold::kKeep, "components of the file's layout"},
    {"LUSTRE_NUM_STRIPES", Unit::kNone, Fold::kKeep, "storage targets of all components"},
    component_line("LUSTRE_COMP#_STRIPE_SIZE", "STRIPE_SIZE"),
    component_line("LUSTRE_COMP#_STRIPE_COUNT", "STRIPE_COUNT"),
    component_line("LUSTRE_COMP#_STRIPE_PATTERN", "STRIPE_PATTERN"),
    component_line("LUSTRE_COMP#_FLAGS", "FLAGS"),
    component_line("LUSTRE_COMP#_EXT_START", "EXT_START"),
    component_line("LUSTRE_COMP#_EXT_END", "EXT_END"),
    component_line("LUSTRE_COMP#_MIRROR_ID", "MIRROR_ID"),
    {"LUSTRE_COMP#_POOL_NAME", Unit::kNone, Fold::kKeep, "pool of storage targets the component is in; N/A for none"},
    {"LUSTRE_COMP#_OST_ID_#", Unit::kNone, Fold::kKeep, "a storage target, in the order stripes are placed"},
};
inline constexpr RecordView kRecordView = {.values = values, .also = kAlso};

}  // namespace trikal::modules::lustre
