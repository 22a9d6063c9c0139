#include "serve/user_panels.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "report/json/writer.hpp"
#include "serve/command_output.hpp"

namespace trikal::serve {
namespace {

std::string problem(std::string_view what, std::string_view details = {}) {
  report::StringSink out;
  report::JsonWriter json(out);
  json.open_object();
  json.field("error", what);
  if (!details.empty()) json.field("details", details);
  json.close();
  return std::string(out.text());
}

// The end of a traceback says what happened.
std::string last_line(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

std::string answer_of(const CommandOutput& output, const std::string& python, std::chrono::milliseconds limit) {
  if (output.is_late)
    return problem(fmt::format("the panel took more than {} s and was ended", limit.count() / 1000), output.err);
  if (output.is_large) return problem("the panel's answer is too large", output.err);
  const bool ended_well = WIFEXITED(output.status) && WEXITSTATUS(output.status) == 0;
  if (ended_well && output.out.starts_with('{')) return output.out;
  if (WIFSIGNALED(output.status))
    return problem(fmt::format("{} was ended by signal {}", python, WTERMSIG(output.status)), output.err);
  const std::string said = last_line(output.err);
  return problem(fmt::format("{}: {}", python, said.empty() ? "no answer" : said), output.err);
}

}  // namespace

std::string UserPanels::draw(const PanelQuestion& question) {
  std::vector<std::string> words = {"--name", question.name, "--run", std::to_string(question.run)};
  if (question.from > 0) words.insert(words.end(), {"--from", std::to_string(question.from)});
  if (question.to > 0) words.insert(words.end(), {"--to", std::to_string(question.to)});
  return ask(std::move(words));
}

std::string UserPanels::ask(std::vector<std::string> question) {
  // The program that is watched needs the processors more than a second panel does.
  std::unique_lock lock(mutex_, options_.limit);
  if (!lock.owns_lock()) return problem("other panels are still being computed");
  std::vector<std::string> command = {options_.python, "-m", "trikal.panels", "--store", options_.store_url};
  command.insert(command.end(), question.begin(), question.end());
  command.emplace_back("--");
  command.insert(command.end(), options_.files.begin(), options_.files.end());
  std::vector<std::string> environment;
  for (char** one = environ; *one != nullptr; ++one) {
    if (!std::string_view(*one).starts_with("TRIKAL_BIN=")) environment.emplace_back(*one);
  }
  if (!options_.tool.empty()) environment.push_back("TRIKAL_BIN=" + options_.tool);
  const auto output = output_of(command, environment, options_.limit);
  if (!output)
    return problem(
        fmt::format("{} {}: {}", options_.python, output.error().what, std::strerror(output.error().sys_errno)));
  return answer_of(*output, options_.python, options_.limit);
}

}  // namespace trikal::serve
