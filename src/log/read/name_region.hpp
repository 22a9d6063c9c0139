#pragma once
// The name region, in the two forms it has had.

#include "log/read/byte_reader.hpp"
#include "log/read/damage.hpp"
#include "log/read/names.hpp"

namespace trikal::log {

// Adds every name to `table`; on an error, those before it are there.
[[nodiscard]] Status read_names(ByteReader& bytes, const Header& header, const Limits& limits, NameTable& table);

}  // namespace trikal::log
