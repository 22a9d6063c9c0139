#pragma once
// The command lines of Darshan's tools: long options as getopt_long takes them, then operands.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trikal::compat {

struct Flag {
  const char* name;  // without the dashes; an abbreviation that fits no other will do, as with getopt_long
  bool* given;
  std::string_view help;
};

// An option with a value; the last one given counts, as there.
struct Setting {
  const char* name;
  std::string_view value_name;
  std::string* value;
  std::string_view help;
};

struct CommandLine {
  std::string_view name;      // of the program
  std::string_view operands;  // "LOG"
  std::string_view summary;
  std::span<const Flag> flags;
  std::span<const Setting> settings;
  std::size_t fewest = 1, most = 1;  // operands
  int misused;                       // what the program exits with when the command line makes no sense
};

// False: nothing more to do, end with `exit_code`. Says itself what is wrong, and answers --help and --version.
[[nodiscard]] bool read_command_line(const CommandLine& line, int argc, char** argv, std::vector<std::string>& operands,
                                     int& exit_code);

// What is wrong with one value, then how to call the program; the exit code.
int misuse(const CommandLine& line, std::string_view what);

// The whole of `text` as a decimal number.
[[nodiscard]] bool parse_number(const std::string& text, std::uint64_t& number);
[[nodiscard]] bool parse_number(const std::string& text, std::int64_t& number);

}  // namespace trikal::compat
