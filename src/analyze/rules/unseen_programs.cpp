#include <fmt/format.h>

#include "analyze/rules/judge.hpp"
#include "base/program_kind.hpp"

namespace trikal::analyze {
namespace {

void look_for_unseen_programs(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  std::int64_t starts = 0, programs = 0;
  Finding finding;
  for (const UnseenProgram& program : run.unseen) {
    if (!is_unseen_program(program.why)) continue;
    programs += 1;
    starts += program.count;
    finding.evidence.push_back(fmt::format("{} ({}), started {} times", program.exe, program.why, program.count));
  }
  if (programs == 0) return;
  finding.title = fmt::format("{} program{} ran unseen, {} time{}", programs, programs == 1 ? "" : "s", starts,
                              starts == 1 ? "" : "s");
  finding.formula = "not estimated";
  mention(std::move(finding), out);
}

}  // namespace

const Rule kUnseenPrograms = {
    "unseen-programs",
    "programs that ran without being observed",
    "Static, Go, musl, 32-bit and privileged programs do not load the observing library: their I/O is not in this log.",
    "Run a dynamically linked build of the program; trikal doctor tells why a program cannot be seen.",
    "none: what they did is not known",
    look_for_unseen_programs};

}  // namespace trikal::analyze
