#include "report/text/complaint.hpp"

#include <fmt/format.h>

#include <cstring>

namespace trikal::report {

std::string describe(const Error& error) {
  std::string text = error.offset == Error::kNoOffset ? "" : fmt::format("offset {}: ", error.offset);
  text += error.what;
  if (error.sys_errno != 0) text += fmt::format(": {}", std::strerror(error.sys_errno));
  return text;
}

}  // namespace trikal::report
