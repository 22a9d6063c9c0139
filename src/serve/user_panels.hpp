#pragma once
// Panels that a user wrote in Python: rows of the store in, a table out (docs/live.md). Each question is a process of its own,
// which ends with its answer; nothing it does can hurt the page or the store.

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace trikal::serve {

struct UserPanelOptions {
  std::vector<std::string> files;
  std::string store_url;
  std::string python = "python3";
  std::string tool;  // the program trikal, for the package
  std::chrono::milliseconds limit = std::chrono::seconds(30);
};

struct PanelQuestion {
  std::string name;
  std::int64_t run = 0, from = 0, to = 0;  // seconds since 1970; 0: no bound
};

class UserPanels {
 public:
  explicit UserPanels(UserPanelOptions options) : options_(std::move(options)) {}

  [[nodiscard]] bool empty() const { return options_.files.empty(); }
  // Answers are JSON objects; one with "error" says what went wrong. Called by any thread; one question at a time.
  [[nodiscard]] std::string list() { return ask({}); }
  [[nodiscard]] std::string draw(const PanelQuestion& question);

 private:
  [[nodiscard]] std::string ask(std::vector<std::string> question);

  UserPanelOptions options_;
  std::timed_mutex mutex_;
};

}  // namespace trikal::serve
