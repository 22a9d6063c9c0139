#pragma once
// Formats of printf and scanf.

#include <string>
#include <string_view>

namespace trikal::predict {

struct Field {  // %-08.3ld
  std::string flags;
  std::string size;  // hh, h, l, ll, z, j, t, L
  bool allocates = false;  // %ms of scanf
  char kind = 0;
  std::string set;  // of %[...]
  std::size_t end = 0;
};
// The field whose '%' is before `at`.
[[nodiscard]] Field field_at(std::string_view format, std::size_t at);

}  // namespace trikal::predict
