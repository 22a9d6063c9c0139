#pragma once
// What only our own logs know: processes, phases, errors, calls without a counter. All of it is in the trailer.

#include <unordered_map>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

using FileIndexes = std::unordered_map<std::uint64_t, std::size_t, KeyedHash>;  // record id to Run::files

// Adds files that only the trailer names. A log without a trailer is as good as ever.
void read_trailer_facts(log::Reader& reader, FileIndexes& indexes, Run& run);

// What the processes of the job know that they did not see, each once.
[[nodiscard]] std::vector<UnseenProgram> read_unseen(log::Reader& reader);

// Of a predicted log, as far as it says how each number is known.
[[nodiscard]] std::optional<Sureness> sureness_of(log::Reader& predicted);

}  // namespace trikal::analyze
