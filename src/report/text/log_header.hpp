#pragma once
// The comment block that opens every text listing of a log, line for line as Darshan's tools print it.

#include "log/read/reader.hpp"
#include "report/sink.hpp"

namespace trikal::report {

// For logs of a version ("3.20") that is known to hold wrong values; else nothing.
void write_release_warning(Sink& out, std::string_view log_version);
void write_log_header(Sink& out, const log::Reader& reader);
// The nodes the job ran on, the hints it gave MPI, what was not seen, and logs of other jobs it belongs together with, where the log says.
void write_job_facts(Sink& out, log::Reader& reader);
// The tables behind the log's last region, where it has any.
void write_trailer_sections(Sink& out, log::Reader& reader);
[[nodiscard]] std::string_view codec_name(log::Codec codec);
// "POSIX", or "<UNKNOWN>" for an id nobody knows.
[[nodiscard]] std::string_view module_name(std::size_t id);

}  // namespace trikal::report
