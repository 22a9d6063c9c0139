#include "report/text/program_name.hpp"

#include "base/utf8.hpp"

namespace trikal::report {

std::string program_name(std::string_view command) {
  const std::string_view first = command.substr(0, command.find(' '));
  return printable(first.substr(first.rfind('/') + 1));
}

std::string program_name(const analyze::Run& run) {
  const analyze::ProcessRow* first = nullptr;
  for (const analyze::ProcessRow& process : run.processes) {
    if (!process.uses_mpi || process.rank < 0 || process.exe.empty()) continue;  // what ranks start has their numbers
    if (first == nullptr || process.rank < first->rank) first = &process;
  }
  return program_name(run.has_mpi_ranks && first != nullptr ? std::string_view(first->exe) : run.job->exe);
}

}  // namespace trikal::report
