#pragma once
// Modules that Darshan has no id for: the trailer says where their regions are (log/trailer/extension_modules.hpp).

#include <string>
#include <vector>

#include "log/read/header.hpp"
#include "log/trailer/reader.hpp"

namespace trikal::log {

// Where the log's regions end, as far as the header knows them.
[[nodiscard]] std::uint64_t end_of_regions(const Header& header);

// Puts regions and versions of those that this program knows into the header, as if they had been in its map. A trailer that
// cannot be read adds none; who asks for the trailer is told why.
void add_extension_modules(const Source& source, Header& header);

// This process speaks for Darshan, whose readers do not see them. Before the first log is opened.
void hide_extension_modules() noexcept;

// Names of those in the log that this program does not know; none where they are hidden.
[[nodiscard]] std::vector<std::string> unknown_extension_modules(const Trailer& trailer);

}  // namespace trikal::log
