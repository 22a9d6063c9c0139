#pragma once
// The comment block that opens every text listing of a log, line for line as Darshan's tools print it.

#include "log/read/reader.hpp"
#include "report/sink.hpp"

namespace trikal::report {

void write_log_header(Sink& out, const log::Reader& reader);
[[nodiscard]] std::string_view codec_name(log::Codec codec);
// "POSIX", or "<UNKNOWN>" for an id nobody knows.
[[nodiscard]] std::string_view module_name(std::size_t id);

}  // namespace trikal::report
