// Reads many logs from standard input and does with each what the tools do, in one process built with sanitizers.
// mutations.py feeds it and reads what it prints.
//
//   mutation-driver [--limit BYTES] [--expanded BYTES] [--seconds S] [--artifacts DIR] [--every N --cli "parse --all {}"]...
//
// A log comes as a 32-bit length and its name, a 32-bit length and its bytes (little-endian). Every log is read
// strictly and with salvage, by one more of the tools each time; the command lines are run in this process on every Nth.

#include <fcntl.h>
#include <sanitizer/asan_interface.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "cli/program.hpp"
#include "fuzz/allocations.hpp"
#include "fuzz/consume.hpp"

namespace trikal::fuzz {
namespace {

struct Settings {
  std::uint64_t limit = std::uint64_t{16} << 20;
  std::uint64_t expanded = std::uint64_t{4} << 20;
  double seconds = 1.0;
  std::string artifacts = ".";
  std::size_t every = 10;
  std::vector<std::string> commands;
};

struct Mutant {
  std::string name;
  std::vector<std::byte> bytes;
};

// The one being read, for the handlers of crashes and hangs.
const Settings* g_settings = nullptr;
const Mutant* g_current = nullptr;

void save_current() {
  if (g_current == nullptr) return;
  char path[1024];
  std::snprintf(path, sizeof path, "%s/%s", g_settings->artifacts.c_str(), g_current->name.c_str());
  const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0) {
    (void)!::write(file, g_current->bytes.data(), g_current->bytes.size());
    ::close(file);
  }
  std::fprintf(stderr, "mutation-driver: while reading %s (kept as %s)\n", g_current->name.c_str(), path);
}

void on_alarm(int /*signal*/) {
  save_current();
  std::fprintf(stderr, "mutation-driver: hangs\n");
  std::_Exit(99);
}

bool read_exactly(void* to, std::size_t size) { return std::fread(to, 1, size, stdin) == size; }

bool read_piece(std::vector<std::byte>& piece) {
  std::uint32_t size = 0;
  if (!read_exactly(&size, sizeof size)) return false;
  piece.resize(size);
  return size == 0 || read_exactly(piece.data(), size);
}

bool read_mutant(Mutant& mutant) {
  std::vector<std::byte> name;
  if (!read_piece(name)) return false;
  mutant.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  return read_piece(mutant.bytes);
}

class Driver {
 public:
  explicit Driver(const Settings& settings) : settings_(settings) {}

  void run(const Mutant& mutant) {
    ++count_;
    ::alarm(300);  // of real time: what hangs for good
    // Small regions too are read ahead on every other log, so that both ways see all kinds of damage.
    const bool ahead = count_ % 2 == 0;
    const Consumed strict = read_in_time(mutant, false, ahead);
    const Consumed salvaged = read_in_time(mutant, true, ahead);
    judge(mutant, strict, salvaged);
    // The commands have the limits of users: a bomb is as much data to them as it says, and takes its time.
    const bool bomb = strict.error.code == ErrorCode::kLimit || salvaged.error.code == ErrorCode::kLimit;
    if (count_ % settings_.every == 0 && !bomb) run_commands(mutant);
    ::alarm(0);
  }

  // One line that mutations.py adds up. False if anything was wrong.
  bool report() const {
    std::printf("count=%zu accepted=%zu refused=%zu salvaged=%zu commands=%zu slow=%zu fat=%zu wrong=%zu\n", count_,
                accepted_, refused_, salvaged_, commands_, slow_, fat_, wrong_);
    std::printf("slowest=%.3f %s\n", slowest_, slowest_name_.c_str());
    std::printf("largest=%zu %s\npeak=%zu %s\n", largest_, largest_name_.c_str(), peak_, peak_name_.c_str());
    for (const auto& [code, times] : exits_) std::printf("exit=%d %zu\n", code, times);
    return slow_ + fat_ + wrong_ == 0;
  }

 private:
  // A busy machine makes even processor time longer: what is slow is slow every time.
  Consumed read_in_time(const Mutant& mutant, bool salvage, bool ahead) {
    Consumed result = read(mutant, salvage, ahead);
    for (int again = 0; again < 2 && result.slowest > settings_.seconds; ++again) {
      const Consumed other = read(mutant, salvage, ahead);
      if (other.slowest < result.slowest) result = other;
    }
    note_time(mutant, result.slowest, result.slowest_tool);
    return result;
  }

  Consumed read(const Mutant& mutant, bool salvage, bool ahead) {
    log::ReadOptions options{.salvage = salvage};
    options.limits = {.memory = settings_.limit, .expanded = settings_.expanded};
    if (ahead) options.ahead_bytes = 0;
    auto source = log::from_memory(mutant.bytes);
    const Allocations allocations;
    const Consumed result = consume(std::move(source), options, {.choice = count_ / 2 % Tools::kChoices});
    note_memory(mutant, allocations);
    return result;
  }

  void complain(const Mutant& mutant, const char* what, double value) {
    std::printf("bad=%s: %s (%g)\n", mutant.name.c_str(), what, value);
    save_current();
  }

  void note_time(const Mutant& mutant, double seconds, const std::string& tool) {
    if (seconds > slowest_) slowest_ = seconds, slowest_name_ = tool + ", " + mutant.name;
    if (seconds > settings_.seconds) ++slow_, complain(mutant, ("too slow: " + tool).c_str(), seconds);
  }

  void note_memory(const Mutant& mutant, const Allocations& allocations) {
    // Beside the limit there are the fixed buffers: stages, blocks read ahead, the text on its way out.
    constexpr std::uint64_t kBuffers = std::uint64_t{16} << 20;
    if (allocations.largest() > largest_) largest_ = allocations.largest(), largest_name_ = mutant.name;
    if (allocations.peak() > peak_) peak_ = allocations.peak(), peak_name_ = mutant.name;
    if (allocations.largest() > settings_.limit + kBuffers) {
      ++fat_, complain(mutant, "an allocation over the limit", static_cast<double>(allocations.largest()));
    }
  }

  void judge(const Mutant& mutant, const Consumed& strict, const Consumed& salvaged) {
    if (!salvaged.opened) ++refused_;
    else if (strict.clean()) ++accepted_;
    else ++salvaged_;
    const auto expect = [&](bool holds, const char* what) {
      if (!holds) ++wrong_, complain(mutant, what, 0);
    };
    expect(!strict.opened || salvaged.opened, "opened strictly, but not with salvage");
    expect(!strict.clean() || (salvaged.clean() && salvaged.text == strict.text), "sound, but salvage reads otherwise");
    expect(strict.clean() || !salvaged.clean(), "damaged, but salvage does not say so");
    if (strict.opened && salvaged.opened) {
      expect(salvaged.records == strict.records && salvaged.names >= strict.names, "salvage reads less than strict");
    }
  }

  void run_commands(const Mutant& mutant) {
    file_.set(mutant.bytes);
    for (const std::string& command : settings_.commands) {
      int code = 0;
      double seconds = run_command(command, code);
      if (seconds > settings_.seconds) seconds = std::min(seconds, run_command(command, code));
      note_time(mutant, seconds, command);
      ++exits_[code], ++commands_;
    }
  }

  // Processor time it took.
  double run_command(const std::string& command, int& code) {
    std::istringstream words("trikal " + command);
    std::vector<std::string> args{std::istream_iterator<std::string>(words), {}};
    std::vector<char*> argv;
    for (std::string& arg : args) {
      if (arg == "{}") arg = file_.path();
      argv.push_back(arg.data());
    }
    argv.push_back(nullptr);
    const double begin = processor_seconds();
    code = cli::run_program(static_cast<int>(args.size()), argv.data());
    return processor_seconds() - begin;
  }

  const Settings& settings_;
  MemoryFile file_;
  std::size_t count_ = 0, accepted_ = 0, refused_ = 0, salvaged_ = 0, commands_ = 0;
  std::size_t slow_ = 0, fat_ = 0, wrong_ = 0;
  double slowest_ = 0;
  std::size_t largest_ = 0, peak_ = 0;
  std::string slowest_name_, largest_name_, peak_name_;
  std::map<int, std::size_t> exits_;
};

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    const std::string value = argv[i + 1];
    if (option == "--limit") settings.limit = std::stoull(value);
    else if (option == "--expanded") settings.expanded = std::stoull(value);
    else if (option == "--seconds") settings.seconds = std::stod(value);
    else if (option == "--artifacts") settings.artifacts = value;
    else if (option == "--every") settings.every = std::stoul(value);
    else if (option == "--cli") settings.commands.push_back(value);
  }
  return settings;
}

}  // namespace
}  // namespace trikal::fuzz

int main(int argc, char** argv) {
  using namespace trikal::fuzz;  // NOLINT: nothing else is here
  const Settings settings = parse(argc, argv);
  // Commands print to standard output and error: those go nowhere, ours stay.
  const int out = ::dup(STDOUT_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);
  Mutant mutant;
  g_settings = &settings, g_current = &mutant;
  __asan_set_death_callback(save_current);
  std::signal(SIGALRM, on_alarm);
  Driver driver(settings);
  while (read_mutant(mutant)) driver.run(mutant);
  std::fflush(stdout);
  ::dup2(out, STDOUT_FILENO);
  return driver.report() ? 0 : 1;
}
