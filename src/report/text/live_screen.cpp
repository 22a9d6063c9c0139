#include "report/text/live_screen.hpp"

#include <fmt/format.h>

#include "analyze/rules/judge.hpp"
#include "base/utf8.hpp"

namespace trikal::report {
namespace {

using analyze::sized;
using analyze::timed;
using analyze::whole;

constexpr const char* kColumns = "  {:>13}{:>12}{:>10}  {}";

std::string rate(double bytes) { return sized(bytes) + "/s"; }

// The end of a path says more than its beginning.
std::string shortened(const std::string& text, std::size_t width) {
  const std::string clean = printable(text);
  return clean.size() <= width ? clean : "..." + clean.substr(clean.size() - (width - 3));
}

// So many characters of it.
std::string fitted(const std::string& line, std::size_t width) {
  std::size_t characters = 0, at = 0;
  const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; };
  for (; at < line.size(); ++at) {
    if (begins(line[at]) && characters++ == width) break;
  }
  return line.substr(0, at);
}

std::string operation_line(const LiveScreen& screen, std::size_t i) {
  const LiveAmount &now = screen.now[i], &total = screen.total[i];
  return fmt::format("  {:<9}{:>15}{:>15} calls/s   {:>11}{:>15} calls{:>10}",
                     operation_name(static_cast<Operation>(i)), i == 2 ? "" : rate(now.bytes),
                     analyze::grouped(whole(now.calls)), i == 2 ? "" : sized(total.bytes),
                     analyze::grouped(whole(total.calls)), timed(total.seconds));
}

std::string machine_line(const LiveMachine& machine) {
  std::string line = "machine";
  const auto add = [&](const char* name, const std::optional<double>& value, const auto& words) {
    if (value) line += fmt::format("  {} {}", name, words(*value));
  };
  const auto cores = [](double value) { return fmt::format("{:.2f}", value); };
  const auto share = [](double value) { return fmt::format("{:.0f} %", 100 * value); };
  add("cores busy", machine.cpu_busy, cores);
  add("waiting for I/O", machine.cpu_waits, cores);
  add("memory available", machine.memory_available, sized);
  add("disk read", machine.disk_read, rate);
  add("written", machine.disk_written, rate);
  add("I/O pressure", machine.io_pressure, share);
  return line;
}

std::string so_many(std::uint64_t count, const char* one, const char* several) {
  return fmt::format("{} {}", analyze::grouped(static_cast<std::int64_t>(count)), count == 1 ? one : several);
}
std::string processes_of(const LiveScreen& screen) { return so_many(screen.processes, "process", "processes"); }
std::string files_of(const LiveScreen& screen) { return so_many(screen.files, "file", "files"); }

std::string who(const LiveProcess& process) {
  return process.rank >= 0 ? fmt::format("rank {}", process.rank) : fmt::format("pid {}", process.pid);
}

std::string events_text(const LiveEvents& events) {
  const auto number = [](std::uint64_t count) { return analyze::grouped(static_cast<std::int64_t>(count)); };
  return fmt::format("{} emitted = {} stored + {} dropped", number(events.emitted), number(events.stored),
                     number(events.dropped));
}

}  // namespace

std::vector<std::string> live_lines(const LiveScreen& screen, std::size_t width) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("trikal   {} · {} · {} · {}", shortened(screen.command, 60), timed(screen.elapsed),
                              processes_of(screen), files_of(screen)));
  for (std::size_t i = 0; i < kOperations; ++i) lines.push_back(operation_line(screen, i));
  const std::size_t name = width > 60 ? width - 46 : 20;
  if (!screen.busiest_files.empty()) lines.push_back(fmt::format(kColumns, "now", "moved", "I/O time", "files"));
  for (const LiveFile& file : screen.busiest_files)
    lines.push_back(fmt::format(kColumns, rate(file.bytes_now), sized(file.total.bytes), timed(file.total.seconds),
                                shortened(file.name, name)));
  if (!screen.busiest_processes.empty())
    lines.push_back(fmt::format(kColumns, "now", "moved", "I/O time", "processes"));
  for (const LiveProcess& process : screen.busiest_processes)
    lines.push_back(fmt::format(kColumns, rate(process.bytes_now), sized(process.total.bytes),
                                timed(process.total.seconds),
                                who(process) + " " + shortened(process.command, name > 20 ? name - 14 : name)));
  lines.push_back(machine_line(screen.machine));
  if (screen.events) lines.push_back("events   " + events_text(*screen.events));
  for (const std::string& finding : screen.findings) lines.push_back("  " + printable(finding));
  if (screen.kept > 0)
    lines.push_back(fmt::format("  {} numbers were read while they changed and are late", screen.kept));
  if (screen.store.empty()) lines.emplace_back("  nothing is stored");
  for (std::string& line : lines) line = fitted(line, width);
  return lines;
}

std::string live_line(const LiveScreen& screen) {
  const auto& now = screen.now;
  return fmt::format("trikal   {:>8}  read {}  write {}  {} calls/s  {}  {}{}", timed(screen.elapsed),
                     rate(now[0].bytes), rate(now[1].bytes),
                     analyze::grouped(whole(now[0].calls + now[1].calls + now[2].calls)), processes_of(screen),
                     files_of(screen), screen.events ? "  events " + events_text(*screen.events) : "");
}

}  // namespace trikal::report
