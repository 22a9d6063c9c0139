// trikal info: what a log says of its job, and what is in it. Reads no records.

#include "cli/print_log.hpp"
#include "cli/verbs.hpp"
#include "report/text/log_header.hpp"

namespace trikal::cli {
namespace {

Status print(report::Sink& out, log::Reader& reader, report::Notices& /*notices*/) {
  report::write_log_header(out, reader);
  report::write_job_facts(out, reader);
  report::write_trailer_sections(out, reader);
  return {};
}

void attach_info(CommandLine& app, Action& action) {
  auto input = std::make_shared<LogInput>();
  input->declare(app);
  action = [input] { return print_log(*input, print, report::Audience::kPerson); };
}

constexpr Example kInfoExamples[] = {
    {"trikal info job.darshan", "job, times, command, modules and file systems of a log"},
    {"trikal info - < job.darshan", "the same from standard input"},
};

}  // namespace

const Verb kInfo = {
    "info",
    "show a log's header: job, modules, file systems",
    "Prints the job a log belongs to, its run time, the size and version of every module's data, and the mounted "
    "file systems, the nodes, hints for MPI and related logs of an MPI job, what was not seen, and what tables the "
    "trailer holds (trikal "
    "export shows them). Takes a few milliseconds whatever the "
    "size of the log.",
    kInfoExamples,
    attach_info,
    kReadingSection};

}  // namespace trikal::cli
