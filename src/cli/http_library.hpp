#pragma once
// The HTTP library, which only the verbs that need it load.

#include <string>

namespace trikal::cli {

// One of its functions; null, and why, where there is none.
[[nodiscard]] void* http_function(const char* name, std::string& problem);

}  // namespace trikal::cli
