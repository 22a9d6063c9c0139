#pragma once
// A compilation database: what a build compiles, but not what it links.

#include <string>
#include <vector>

#include "predict/source/compile.hpp"

namespace trikal::predict {

// Its sources with their options, all as needed but those of `program`: a target of CMake, or the name of the source that has
// its main. A problem where there is none.
[[nodiscard]] std::vector<SourceFile> read_database(const std::string& folder, const std::string& program,
                                                    std::string& problem);

}  // namespace trikal::predict
