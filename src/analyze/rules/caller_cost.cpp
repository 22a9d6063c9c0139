#include "analyze/rules/caller_cost.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

// CPython 3.11, loops of bench/run-savings on an idle machine less their system calls: open makes three objects and asks for
// an encoding. A busy machine showed twice as much, and then promised twice what was saved.
constexpr CallerCost kPython = {"Python", 11e-6, 1.2e-6, 0.7e-6};

bool is_python(const ProcessRow& process) {
  const std::string_view name = std::string_view(process.exe).substr(process.exe.rfind('/') + 1);
  return name.starts_with("python");
}

}  // namespace

std::string CallerCost::words(double seconds, std::string_view call) const {
  return language.empty() ? "" : fmt::format(", and {} of {} around each {} (assumed)", timed(seconds), language, call);
}

CallerCost caller_cost(const Run& run) {
  const auto does_io = [](const ProcessRow& process) { return process.calls > 0; };
  if (std::ranges::none_of(run.processes, does_io)) return {};
  const bool all = std::ranges::all_of(
      run.processes, [&](const ProcessRow& process) { return !does_io(process) || is_python(process); });
  return all ? kPython : CallerCost{};
}

}  // namespace trikal::analyze
