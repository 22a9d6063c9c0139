#include "cli/log_input.hpp"

#include <unistd.h>

#include <charconv>

#include "cli/complain.hpp"
#include "cli/verb.hpp"

namespace trikal::cli {

bool parse_size(std::string_view text, std::uint64_t& bytes) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (error != std::errc{}) return false;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.empty()) return true;
  const std::size_t power =
      std::string_view("KMGT").find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
  if (power == std::string_view::npos || unit.size() > 1 || bytes > (~std::uint64_t{0} >> (10 * (power + 1))))
    return false;
  bytes <<= 10 * (power + 1);
  return true;
}

void LogInput::declare_reading(CommandLine& app) {
  app.add_flag("--salvage", salvage, "read what comes before damage instead of refusing, and say what was lost")
      ->group(kInputGroup);
  app.add_option("--limit", limit, "memory that any one record or the names may take")
      ->type_name("SIZE")
      ->group(kInputGroup)
      ->capture_default_str()
      ->check([](const std::string& text) {
        std::uint64_t bytes = 0;
        return parse_size(text, bytes) ? std::string() : "not a size: " + text;
      });
  app.add_flag("--no-progress", no_progress, "show no progress line on the terminal")->group(kOtherGroup);
}

void LogInput::declare(CommandLine& app, const std::string& what) {
  app.add_option("LOG", path, what)->required()->type_name("");
  declare_reading(app);
}

std::unique_ptr<log::Reader> LogInput::open(int& exit_code, TerminalProgress& progress) const {
  return open(path, exit_code, progress);
}

std::unique_ptr<log::Reader> LogInput::open(const std::string& file, int& exit_code, TerminalProgress& progress) const {
  log::ReadOptions options{.salvage = salvage};
  if (!parse_size(limit, options.limits.memory)) {
    warn(file, "not a size: " + limit);
    exit_code = kUsage;
    return nullptr;
  }
  progress.begin(file);
  auto source =
      file == "-" ? log::read_all(STDIN_FILENO, options.limits.memory) : log::open_file(file, options.limits.memory);
  if (!source) {
    exit_code = complain(file, source.error());
    return nullptr;
  }
  auto reader = log::Reader::open(progress.watch(std::move(*source), file), options);
  if (!reader) {
    exit_code = complain(file, reader.error());
    return nullptr;
  }
  return std::move(*reader);
}

}  // namespace trikal::cli
