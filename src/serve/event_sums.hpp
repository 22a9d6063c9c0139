#pragma once
// Sums over single events: in slices of nanoseconds, where seconds are too coarse, and by thread, which rollups do not know.

#include "store/store.hpp"

namespace trikal::serve {

// begin (nanoseconds since 1970; only with slices), the group, operation ("read", "write", "metadata"), calls, bytes, seconds. An event
// belongs to the slice in which it began. `by`: rank, process, thread, file, interface or call. `slices` needs both ends of the query's time; `width` is then that of a slice.
[[nodiscard]] Result<storage::Table> event_sums(storage::Store& store, const storage::EventQuery& query,
                                                std::string_view by, std::size_t slices, std::int64_t* width);

// What kind of call it is, by its word: "pread", "fread" are reads.
[[nodiscard]] Operation kind_of_call(std::string_view call);

}  // namespace trikal::serve
