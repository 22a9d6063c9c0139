#include "cli/watch_screen.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "analyze/rules/judge.hpp"
#include "base/utf8.hpp"
#include "cli/complain.hpp"
#include "report/json/writer.hpp"
#include "report/screen.hpp"

namespace trikal::cli {
namespace {

// At once, so that what the program prints does not come between two lines of it.
void write_all(const std::string& text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

void WatchScreen::tell_problems() {
  if (webhook_ == nullptr) return;
  const std::string problem = webhook_->take_problem();
  if (!problem.empty()) wipe(), warn(webhook_->server(), "an alert could not be posted: " + problem);
}

void WatchScreen::finish() {
  if (webhook_ != nullptr) webhook_->finish();
  tell_problems();
}

void WatchScreen::wipe() {
  if (lines_ > 0) write_all(fmt::format("\x1b[{}A\r\x1b[J", lines_));
  lines_ = 0;
}

void WatchScreen::show(const report::LiveScreen& screen) {
  tell_problems();
  if (show_ == Show::kNothing) return;
  const report::Screen where = report::screen_of(STDERR_FILENO);
  if (!where.is_terminal) return write_all(report::live_line(screen) + "\n");
  std::string text = lines_ > 0 ? fmt::format("\x1b[{}A\r", lines_) : "";
  const std::vector<std::string> lines = report::live_lines(screen, where.width - 1);
  for (const std::string& line : lines) text += line + "\x1b[K\n";
  write_all(text + "\x1b[J");
  lines_ = lines.size();
}

void WatchScreen::alert(const watch::SnapshotFinding& finding, double elapsed) {
  wipe();
  write_all(
      fmt::format("trikal: alert after {}: {}: {}\n", analyze::timed(elapsed), finding.code, printable(finding.title)));
  if (webhook_ == nullptr) return;
  report::StringSink out;
  report::JsonWriter json(out);
  json.open_object();
  json.field("code", std::string_view(finding.code));
  json.field("severity", std::string_view(finding.severity));
  json.field("title", std::string_view(finding.title));
  json.field("seconds", finding.seconds);
  json.field("elapsed", elapsed);
  json.field("host", std::string_view(host_name()));
  json.field("command", std::string_view(command_));
  json.field("store", std::string_view(store_));
  json.close();
  webhook_->post(std::string(out.text()));
}

void WatchScreen::store_failed(const Error& error, const std::string& message) {
  wipe();
  Error told = error;
  told.what = "nothing more is stored; the program goes on";
  complain(store_, told);
  if (error.sys_errno == 0 && !message.empty()) warn(store_, message);
}

void WatchScreen::refused(const std::string& map, const Error& error) {
  wipe();
  complain(map, error);
}

}  // namespace trikal::cli
