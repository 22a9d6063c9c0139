#include "cli/verbs.hpp"

#include <array>

namespace trikal::cli {

std::span<const Verb* const> all_verbs() {
  static constexpr std::array kVerbs = {
      &kInfo, &kParse, &kDxt, &kDiff, &kConvert, &kMerge, &kExport, &kExplain,
  };
  return kVerbs;
}

}  // namespace trikal::cli
