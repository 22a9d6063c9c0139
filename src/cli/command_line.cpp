#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace trikal::cli {
namespace {

// CLI11 appends what its checks say of themselves.
std::string plain_type_name(const CLI::Option& option) {
  const std::string all = option.get_type_name();
  return all.substr(0, all.find(':'));
}

DeclaredOption described(const CLI::Option& option) {
  DeclaredOption row{.operand = !option.nonpositional(),
                     .names = {},
                     .type_name = plain_type_name(option),
                     .help = option.get_description(),
                     .standard = option.get_default_str(),
                     .group = option.get_group(),
                     .required = option.get_required(),
                     .takes_value = option.get_items_expected_max() > 0,
                     .repeats = option.get_items_expected_max() > 1};
  if (row.operand) row.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  return row;
}

// `run --report -- ls` is no page called "--".
std::string given(const std::string& value) { return value == "--" ? "a value is missing" : ""; }

Check as_check(const CLI::Validator& validator) {
  return [validator](const std::string& text) { return validator(text); };
}

}  // namespace

Check one_of(std::vector<std::string> values) { return as_check(CLI::IsMember(std::move(values))); }
Check between(double least, double most) { return as_check(CLI::Range(least, most)); }
Check not_negative() { return as_check(CLI::NonNegativeNumber); }

Option Option::required(bool yes) { return option_->required(yes), *this; }
Option Option::type_name(const std::string& name) { return option_->type_name(name), *this; }
Option Option::group(const std::string& title) { return option_->group(title), *this; }
Option Option::check(Check check) { return option_->check(std::move(check)), *this; }
Option Option::needs(const Option& other) { return option_->needs(other.option_), *this; }
Option Option::excludes(const Option& other) { return option_->excludes(other.option_), *this; }
Option Option::expected(int least, int most) { return option_->expected(least, most), *this; }
Option Option::delimiter(char separator) { return option_->delimiter(separator), *this; }
Option Option::allow_extra_args(bool yes) { return option_->allow_extra_args(yes), *this; }
Option Option::default_str(const std::string& text) { return option_->default_str(text), *this; }
Option Option::capture_default_str() { return option_->capture_default_str(), *this; }

CommandLine::CommandLine(const std::string& name) : app_(std::make_unique<CLI::App>()) { app_->name(name); }
CommandLine::~CommandLine() = default;

Option CommandLine::add_flag(const std::string& names, bool& value, const std::string& help) {
  return Option(*app_->add_flag(names, value, help));
}
Option CommandLine::add_flag(const std::string& names, std::string& value, const std::string& help) {
  return Option(*app_->add_flag(names, value, help));
}
Option CommandLine::add_option(const std::string& names, std::string& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help)->check(CLI::Validator(given, "")));
}
Option CommandLine::add_option(const std::string& names, std::vector<std::string>& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}
Option CommandLine::add_option(const std::string& names, bool& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}
Option CommandLine::add_option(const std::string& names, int& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}
Option CommandLine::add_option(const std::string& names, unsigned& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}
Option CommandLine::add_option(const std::string& names, long& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}
Option CommandLine::add_option(const std::string& names, unsigned long& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}
Option CommandLine::add_option(const std::string& names, double& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}
Option CommandLine::add_option(const std::string& names, std::optional<long>& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}
Option CommandLine::add_option(const std::string& names, std::optional<unsigned long>& value, const std::string& help) {
  return Option(*app_->add_option(names, value, help));
}
Option CommandLine::add_help(const std::string& names, const std::string& help) {
  return Option(*app_->set_help_flag(names, help));
}

Option CommandLine::get_option(const std::string& name) { return Option(*app_->get_option(name)); }
void CommandLine::positionals_at_end() { app_->positionals_at_end(); }
void CommandLine::prefix_command(bool yes) { app_->prefix_command(yes); }

Parsed CommandLine::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Parsed::kHelp;
  } catch (const CLI::ParseError& error) {
    error_ = error.what();
    return Parsed::kWrong;
  }
  return Parsed::kRun;
}

std::vector<std::string> CommandLine::remaining() const { return app_->remaining(); }

std::vector<DeclaredOption> CommandLine::declared() const {
  std::vector<DeclaredOption> all;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) all.push_back(described(*option));
  return all;
}

}  // namespace trikal::cli
