#pragma once
// libtrikal.so: where it is, and how LD_PRELOAD can name it.

#include <string>

#include "base/result.hpp"

namespace trikal::gather {

// libtrikal.so beside this program's own binary, or what TRIKAL_RUNTIME names. Empty: not found.
[[nodiscard]] std::string find_runtime();

// A path to the library that LD_PRELOAD can hold, which ends names at spaces and colons: its own, else that of a link
// to it, which stays for programs that outlive the run.
[[nodiscard]] Result<std::string> preloadable(const std::string& library);

}  // namespace trikal::gather
