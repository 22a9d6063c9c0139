#include "cli/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/complain.hpp"

namespace trikal::cli {
namespace {

using namespace std::chrono_literals;

// A terminal instead of stderr for as long as it lives.
class Terminal {
 public:
  Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)), saved_(::dup(STDERR_FILENO)) {
    if (::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    const int terminal = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
    ::dup2(terminal, STDERR_FILENO);
    ::close(terminal);
  }
  ~Terminal() {
    ::dup2(saved_, STDERR_FILENO);
    ::close(saved_);
    ::close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // However long a busy machine takes to write something: a wait of fixed length would be a test of its load.
  [[nodiscard]] bool shows_something() const {
    pollfd ready{master_, POLLIN, 0};
    return ::poll(&ready, 1, 30'000) == 1;
  }

  std::string seen() {
    std::string all;
    char buffer[4096];
    pollfd ready{master_, POLLIN, 0};
    while (::poll(&ready, 1, 50) == 1) {
      const ssize_t got = ::read(master_, buffer, sizeof buffer);
      if (got <= 0) break;
      all.append(buffer, static_cast<std::size_t>(got));
    }
    return all;
  }

 private:
  int master_, saved_;
};

std::unique_ptr<log::Source> zeros(std::size_t count) { return log::from_memory(std::vector<std::byte>(count)); }

TEST(Progress, IsALineThatGoesAway) {
  Terminal terminal;
  {
    TerminalProgress progress(true, TerminalProgress::Output::kNone);
    const auto source = progress.watch(zeros(1 << 20), "/some/folder/job.darshan");
    std::vector<std::byte> half(1 << 19);
    std::thread reader([&] { EXPECT_TRUE(source->read_at(0, half)); });
    reader.join();
    progress.at("posix", 77);
    EXPECT_TRUE(terminal.shows_something());
  }
  const std::string seen = terminal.seen();
  EXPECT_EQ(seen.find("\rtrikal: job.darshan: 50 %, 0.5 MiB read, posix: 77 rows, "), 0U) << seen;
  const std::size_t wiping = seen.rfind('\r', seen.size() - 2);
  const std::size_t drawing = seen.rfind('\r', wiping - 1);
  ASSERT_TRUE(drawing != std::string::npos && wiping > drawing) << seen;
  EXPECT_EQ(seen.substr(wiping), "\r" + std::string(wiping - drawing - 1, ' ') + "\r");  // as long as what it wipes
}

TEST(Progress, SaysNothingOfShortWork) {
  Terminal terminal;
  {
    TerminalProgress progress(true, TerminalProgress::Output::kNone);
  }
  EXPECT_EQ(terminal.seen(), "");
}

TEST(Progress, CanBeSwitchedOff) {
  Terminal terminal;
  const auto silent = [&terminal](bool wanted) {
    TerminalProgress progress(wanted, TerminalProgress::Output::kNone);
    progress.begin("job.darshan");
    std::this_thread::sleep_for(600ms);
    return terminal.seen().empty();
  };
  EXPECT_TRUE(silent(false));
  ::setenv("TRIKAL_NO_PROGRESS", "1", 1);
  EXPECT_TRUE(silent(true));
  ::unsetenv("TRIKAL_NO_PROGRESS");
}

TEST(Progress, MakesSpaceForMessages) {
  Terminal terminal;
  {
    TerminalProgress progress(true, TerminalProgress::Output::kNone);
    progress.begin("-");
    EXPECT_TRUE(terminal.shows_something());
    warn("job.darshan", "something is odd");
    progress.end();
  }
  const std::string seen = terminal.seen();
  const std::size_t message = seen.find("\rtrikal: job.darshan: something is odd\r\n");
  ASSERT_NE(message, std::string::npos) << seen;
  EXPECT_EQ(seen[message - 1], ' ');  // the line was wiped first
  EXPECT_EQ(seen.find("\rtrikal: standard input: reading, "), 0U) << seen;
}

TEST(Progress, ALineIsCutByCharacters) {
  EXPECT_EQ(clipped("abc", 5), "abc");
  EXPECT_EQ(clipped("abc", 2), "ab");
  EXPECT_EQ(clipped("\u00e4\u00f6\u00fc", 2), "\u00e4\u00f6");
  EXPECT_EQ(clipped("abc", 0), "");
}

}  // namespace
}  // namespace trikal::cli
