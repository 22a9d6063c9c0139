#pragma once
// Schemas and arrays of the Arrow C Data Interface. Each owns (a share of) its memory, so that a consumer may take
// children out of their parent and release them in any order.

#include <memory>

#include "log/read/columns.hpp"
#include "trikal/trikal.h"

namespace trikal::capi {

// A struct with one child a column. May throw bad_alloc; then `out` is released.
void export_schema(const log::TableInfo& table, ArrowSchema* out);
void export_chunk(const std::shared_ptr<const Chunk>& chunk, ArrowArray* out);

}  // namespace trikal::capi
