#include "compat/tools/arguments.hpp"

#include <fmt/format.h>
#include <getopt.h>

#include <charconv>

namespace trikal::compat {
namespace {

constexpr int kHelp = 1000, kVersion = 1001, kFirstSetting = 100;

std::string usage(const CommandLine& line) {
  std::string text = fmt::format("Usage: {} [options] {}\n{}\n\n", line.name, line.operands, line.summary);
  const auto row = [&text](std::string_view name, std::string_view help) {
    text += fmt::format("  --{:<21} {}\n", name, help);
  };
  for (const Flag& flag : line.flags) row(flag.name, flag.help);
  for (const Setting& setting : line.settings)
    row(fmt::format("{} {}", setting.name, setting.value_name), setting.help);
  row("help", "this text");
  row("version", "whose program this is");
  return text;
}

std::vector<option> long_options(const CommandLine& line) {
  std::vector<option> options;
  int number = 0;
  for (const Flag& flag : line.flags) options.push_back({flag.name, no_argument, nullptr, number++});
  number = kFirstSetting;
  for (const Setting& setting : line.settings) options.push_back({setting.name, required_argument, nullptr, number++});
  options.push_back({"help", no_argument, nullptr, kHelp});
  options.push_back({"version", no_argument, nullptr, kVersion});
  options.push_back({});
  return options;
}

template <class Number>
bool whole_number(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && at == end && !text.empty();
}

}  // namespace

int misuse(const CommandLine& line, std::string_view what) {
  fmt::print(stderr, "{}: {}\n{}", line.name, what, usage(line));
  return line.misused;
}

bool read_command_line(const CommandLine& line, int argc, char** argv, std::vector<std::string>& operands,
                       int& exit_code) {
  const std::vector<option> options = long_options(line);
  exit_code = 0;
  optind = 0;  // start over: tests call this more than once
  for (int chosen = 0; (chosen = getopt_long(argc, argv, "", options.data(), nullptr)) != -1;) {
    if (chosen == kHelp) return fmt::print("{}", usage(line)), false;
    if (chosen == kVersion) {
      fmt::print("{} of trikal {}, reads logs of Darshan 3.0.0 to 3.5.0\n", line.name, TRIKAL_VERSION);
      return false;
    }
    if (chosen == '?') {  // getopt_long said what it did not like
      fmt::print(stderr, "{}", usage(line));
      exit_code = line.misused;
      return false;
    }
    const auto index = static_cast<std::size_t>(chosen);
    if (chosen >= kFirstSetting) *line.settings[index - kFirstSetting].value = optarg;
    else *line.flags[index].given = true;
  }
  operands.assign(argv + optind, argv + argc);
  if (operands.size() >= line.fewest && operands.size() <= line.most) return true;
  exit_code = misuse(line, fmt::format("{} expected, {} given", line.operands, operands.size()));
  return false;
}

bool parse_number(const std::string& text, std::uint64_t& number) { return whole_number(text, number); }
bool parse_number(const std::string& text, std::int64_t& number) { return whole_number(text, number); }

}  // namespace trikal::compat
