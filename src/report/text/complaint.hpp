#pragma once
// An error in words.

#include <string>

#include "base/result.hpp"

namespace trikal::report {

// "offset 1328: the region ends inside a record", with the system's reason where there is one.
[[nodiscard]] std::string describe(const Error& error);

}  // namespace trikal::report
