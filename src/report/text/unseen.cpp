#include "report/text/unseen.hpp"

#include <fmt/format.h>

#include "base/program_kind.hpp"
#include "base/utf8.hpp"

namespace trikal::report {
namespace {

using analyze::UnseenProgram;

std::string times(std::int64_t count) { return count == 1 ? "once" : fmt::format("{} times", count); }

bool is(const UnseenProgram& one, Unseen why) { return one.why == unseen_word(why); }

std::string directory_of(const UnseenProgram& one) {
  return printable(one.exe.ends_with('/') ? one.exe.substr(0, one.exe.size() - 1) : one.exe);
}

// What of an observed program was not seen, and why.
std::string part_line(const UnseenProgram& one) {
  if (is(one, Unseen::kNoSpace))
    return fmt::format("not seen: {}, no space was left for what they did (/dev/shm, /tmp)",
                       one.count == 1 ? "1 process" : fmt::format("{} processes", one.count));
  if (is(one, Unseen::kIoUring))
    return fmt::format("not seen: what {} reads and writes through io_uring, which passes by libc", printable(one.exe));
  if (is(one, Unseen::kDeepBind))
    return fmt::format("not seen: calls of {}, which was loaded with RTLD_DEEPBIND, past preloaded libraries",
                       printable(one.exe));
  if (is(one, Unseen::kNamespace))
    return fmt::format("not seen: calls of {}, which was loaded by dlmopen, with a libc of its own",
                       printable(one.exe));
  if (is(one, Unseen::kExcluded))
    return fmt::format("not watched: files in {}, used {} (--include {} watches them)", directory_of(one),
                       times(one.count), directory_of(one));
  return fmt::format("not seen: HDF5 calls of {}, HDF5 is linked into it; its POSIX calls are seen",
                     printable(one.exe));
}

}  // namespace

std::vector<std::string> unseen_part_lines(std::span<const UnseenProgram> unseen) {
  constexpr std::size_t kMostShown = 6;
  std::vector<std::string> lines;
  for (const UnseenProgram& one : unseen) {
    if (!is_unseen_program(one.why) && lines.size() < kMostShown) lines.push_back(part_line(one));
  }
  return lines;
}

std::vector<std::string> unseen_lines(std::span<const UnseenProgram> unseen) {
  constexpr std::size_t kMostShown = 3;
  std::vector<std::string> lines;
  std::size_t programs = 0;
  for (const UnseenProgram& program : unseen) {
    if (!is_unseen_program(program.why) || ++programs > kMostShown) continue;
    lines.push_back(fmt::format("not seen: {} ({}), started {}", printable(program.exe), printable(program.why),
                                times(program.count)));
  }
  if (programs > kMostShown)
    lines.push_back(fmt::format("and {} more programs (trikal export -t unseen)", programs - kMostShown));
  for (std::string& line : unseen_part_lines(unseen)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace trikal::report
