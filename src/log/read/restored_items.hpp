#pragma once
// Puts back into a trace's segments what their written form cannot hold, from the trailer.

#include <functional>
#include <memory>

#include "log/read/records.hpp"
#include "log/trailer/reader.hpp"

namespace trikal::log {

// `stream` as it is where the trailer says nothing about this module. Damage of the section is told to `note` and
// ends the restoring, not the reading. The trailer must outlive the result.
[[nodiscard]] std::unique_ptr<RecordStream> restore_items(std::unique_ptr<RecordStream> stream,
                                                          const RecordOrigin& origin, const Trailer& trailer,
                                                          std::function<void(Error)> note);

}  // namespace trikal::log
