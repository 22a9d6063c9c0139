#pragma once
// A copy of a program with timers: at the entry and exit of functions and loops, and around calls that do I/O.

#include <set>
#include <string>
#include <vector>

#include "predict/source/compile.hpp"

namespace trikal::predict {

struct InstrumentRequest {
  std::vector<SourceFile> sources;
  std::set<std::string> timed;  // paths of the blocks (analyze::path_of) that get timers
  std::string cache;
  std::string bitcode;          // the file to write
};

// What went wrong; empty: nothing.
using InstrumentFunction = void (*)(const InstrumentRequest& request, std::string& problem);
inline constexpr const char* kInstrumentEntry = "trikal_instrument";

}  // namespace trikal::predict
