#pragma once
// Logs taken apart and put together again, so that a mutator can change what is inside a compressed region.

#include "log/read/header.hpp"
#include "support/log_builder.hpp"

namespace trikal::fuzz {

using testing::Buffer;

// A region as the file numbers it: "job" and "names" come first.
struct OpenLog {
  testing::LogParts parts;
  std::vector<Buffer*> regions;  // into parts; the job, the names, then the modules
  Buffer behind;                 // what follows the last region: a trailer, or anything
};

// Null for what is no log. Regions that do not lie inside the file are left out.
[[nodiscard]] std::unique_ptr<OpenLog> take_apart(Bytes file);
[[nodiscard]] Buffer put_together(const OpenLog& log);

// As much of a region as can be decompressed, at most `most` bytes.
[[nodiscard]] Buffer expand(Bytes packed, log::Codec codec, std::size_t most);

}  // namespace trikal::fuzz
