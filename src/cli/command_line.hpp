#pragma once
// The options and operands of one verb. CLI11 parses them, behind this header: its own takes longer to compile than
// any verb, so command_line.cpp alone includes it.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace trikal::cli {

// What is wrong with a value; empty if nothing is.
using Check = std::function<std::string(const std::string&)>;
[[nodiscard]] Check one_of(std::vector<std::string> values);
[[nodiscard]] Check between(double least, double most);
[[nodiscard]] Check not_negative();

// A declared option or operand. Each call returns it again, so that calls can be chained with ->.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}
  Option* operator->() { return this; }

  Option required(bool yes = true);
  Option type_name(const std::string& name);
  Option group(const std::string& title);
  Option check(Check check);
  Option needs(const Option& other);
  Option excludes(const Option& other);
  Option expected(int least, int most);
  Option delimiter(char separator);
  Option allow_extra_args(bool yes);
  Option default_str(const std::string& text);
  Option capture_default_str();

 private:
  CLI::Option* option_;
};

// An option or operand as help, man pages and completion show it.
struct DeclaredOption {
  bool operand = false;
  std::vector<std::string> names;  // with their dashes, short ones first; of an operand its name
  std::string type_name;
  std::string help;
  std::string standard;  // the default value
  std::string group;
  bool required = false;
  bool takes_value = false;
  bool repeats = false;
};

enum class Parsed : std::uint8_t { kRun, kHelp, kWrong };

class CommandLine {
 public:
  explicit CommandLine(const std::string& name);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Option add_flag(const std::string& names, bool& value, const std::string& help);
  // "--name{value}": a flag that stands for that value, unless --name=OTHER gives another.
  Option add_flag(const std::string& names, std::string& value, const std::string& help);
  // `names` that start with a dash are an option's, others an operand's.
  Option add_option(const std::string& names, std::string& value, const std::string& help);
  Option add_option(const std::string& names, std::vector<std::string>& value, const std::string& help);
  Option add_option(const std::string& names, bool& value, const std::string& help);
  Option add_option(const std::string& names, int& value, const std::string& help);
  Option add_option(const std::string& names, unsigned& value, const std::string& help);
  Option add_option(const std::string& names, long& value, const std::string& help);
  Option add_option(const std::string& names, unsigned long& value, const std::string& help);
  Option add_option(const std::string& names, double& value, const std::string& help);
  Option add_option(const std::string& names, std::optional<long>& value, const std::string& help);
  Option add_option(const std::string& names, std::optional<unsigned long>& value, const std::string& help);
  Option add_help(const std::string& names, const std::string& help);

  [[nodiscard]] Option get_option(const std::string& name);
  void positionals_at_end();
  void prefix_command(bool yes = true);

  // kWrong: error() says why.
  [[nodiscard]] Parsed parse(int argc, char** argv);
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] std::vector<std::string> remaining() const;
  [[nodiscard]] std::vector<DeclaredOption> declared() const;

 private:
  std::unique_ptr<CLI::App> app_;
  std::string error_;
};

}  // namespace trikal::cli
