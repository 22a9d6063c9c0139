#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "base/utf8.hpp"

namespace trikal::cli {
namespace {

constexpr auto kFirst = std::chrono::milliseconds(500);  // what is done sooner needs no line
constexpr auto kEvery = std::chrono::milliseconds(100);
constexpr std::size_t kNarrow = 80;  // where a terminal does not say how wide it is

// There is one stderr, so there is one lock and one line at most.
std::mutex& lock_of_stderr() {
  static std::mutex mutex;
  return mutex;
}
TerminalProgress* g_shown = nullptr;

bool has_terminal(TerminalProgress::Output output) {
  if (::isatty(STDERR_FILENO) != 1 || std::getenv("TRIKAL_NO_PROGRESS") != nullptr) return false;
  return output == TerminalProgress::Output::kNone || ::isatty(STDOUT_FILENO) != 1;
}

std::size_t terminal_columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kNarrow;
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return !continues_character(c); }));
}

// The last part of a path.
std::string file_name(const std::string& path) {
  if (path == "-") return "standard input";
  return printable(path.substr(path.rfind('/') + 1));
}

void put(std::string_view text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

}  // namespace

std::string clipped(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  for (std::size_t used = 0; end < text.size(); ++end) {
    if (continues_character(text[end])) continue;
    if (used == columns) break;
    ++used;
  }
  return std::string(text.substr(0, end));
}

class WatchedSource final : public log::Source {
 public:
  WatchedSource(std::unique_ptr<log::Source> source, TerminalProgress& progress)
      : source_(std::move(source)), progress_(progress) {}

  // Called by whatever thread decompresses.
  Result<std::size_t> read_at(std::uint64_t offset, MutableBytes out) const override {
    auto got = source_->read_at(offset, out);
    if (got) progress_.note(offset + *got, size(), *got);
    return got;
  }
  [[nodiscard]] std::uint64_t size() const override { return source_->size(); }

 private:
  std::unique_ptr<log::Source> source_;
  TerminalProgress& progress_;
};

TerminalProgress::TerminalProgress(bool wanted, Output output) {
  if (!wanted || !has_terminal(output)) return;
  const std::lock_guard lock(lock_of_stderr());  // the thread waits for it
  g_shown = this;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    g_shown = nullptr;  // no thread, no line
  }
}

TerminalProgress::~TerminalProgress() {
  end();
  const std::lock_guard lock(lock_of_stderr());
  if (g_shown == this) g_shown = nullptr;
}

void TerminalProgress::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(lock_of_stderr());
    stop_ = true;
  }
  stopped_.notify_one();
  thread_.join();
}

void TerminalProgress::begin(const std::string& path) {
  const std::lock_guard lock(lock_of_stderr());
  name_ = file_name(path);
  position_ = size_ = 0;
}

std::unique_ptr<log::Source> TerminalProgress::watch(std::unique_ptr<log::Source> source, const std::string& path) {
  if (!thread_.joinable()) return source;
  begin(path);
  return std::make_unique<WatchedSource>(std::move(source), *this);
}

void TerminalProgress::note(std::uint64_t position, std::uint64_t size, std::uint64_t bytes) {
  position_.store(position, std::memory_order_relaxed);
  size_.store(size, std::memory_order_relaxed);
  bytes_.fetch_add(bytes, std::memory_order_relaxed);
}

void TerminalProgress::at(std::string_view table, std::uint64_t rows) {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(lock_of_stderr());
  table_ = table;
  rows_ = rows;
}

void TerminalProgress::run() {
  std::unique_lock lock(lock_of_stderr());
  auto wait = kFirst;
  while (!stopped_.wait_for(lock, wait, [this] { return stop_; })) {
    draw();
    wait = kEvery;
  }
  wipe();
}

std::string TerminalProgress::line() const {
  const std::uint64_t size = size_, position = std::min<std::uint64_t>(position_, size);
  std::string text = "trikal: " + name_;
  if (size > 0)
    text += fmt::format(": {} %, {:.1f} MiB read", position * 100 / size, static_cast<double>(bytes_) / (1U << 20U));
  else text += ": reading";
  if (!table_.empty()) text += fmt::format(", {}: {} rows", table_, rows_);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start_);
  return text + fmt::format(", {} s", seconds.count());
}

void TerminalProgress::draw() {
  // In the last column some terminals begin a new line.
  const std::string text = clipped(line(), terminal_columns() - 1);
  const std::size_t columns = columns_of(text);
  const std::string rest(shown_ > columns ? shown_ - columns : 0, ' ');
  shown_ = columns;
  put("\r" + text + rest);
}

void TerminalProgress::wipe() {
  if (shown_ > 0) put("\r" + std::string(shown_, ' ') + "\r");
  shown_ = 0;
}

TerminalProgress::Pause::Pause() {
  lock_of_stderr().lock();
  if (g_shown != nullptr) g_shown->wipe();
}

TerminalProgress::Pause::~Pause() {
  std::fflush(stderr);
  lock_of_stderr().unlock();
}

}  // namespace trikal::cli
