// Runs commands one after the other, again and again, and prints their medians beside each other: what was measured minutes
// apart on a busy machine cannot be compared, what was measured in one go can.
//
//   side_by_side [-n RUNS] [-t TITLE] LABEL cmd args... ::: LABEL cmd args... ::: ...
//
// Ratios are to the first command. Output of the commands is thrown away.

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Contender {
  std::string label;
  std::vector<char*> argv;  // ends with a null pointer
  std::vector<double> wall, cpu;
  long peak_kib = 0;
  bool failed = false;
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void run_once(Contender& contender) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int spawned = posix_spawnp(&child, contender.argv[0], &actions, nullptr, contender.argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (spawned != 0) {
    std::fprintf(stderr, "%s: %s\n", contender.argv[0], std::strerror(spawned));
    std::exit(2);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  contender.wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  contender.cpu.push_back(seconds(usage.ru_utime) + seconds(usage.ru_stime));
  contender.peak_kib = std::max(contender.peak_kib, usage.ru_maxrss);
  contender.failed = contender.failed || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

std::vector<Contender> parse(int argc, char** argv, int first) {
  std::vector<Contender> contenders;
  bool label_next = true;
  for (int i = first; i < argc; ++i) {
    if (std::strcmp(argv[i], ":::") == 0) {
      label_next = true;
    } else if (label_next) {
      contenders.push_back({argv[i], {}, {}, {}});
      label_next = false;
    } else {
      contenders.back().argv.push_back(argv[i]);
    }
  }
  for (Contender& contender : contenders) {
    if (contender.argv.empty()) std::fprintf(stderr, "%s: no command\n", contender.label.c_str()), std::exit(2);
    contender.argv.push_back(nullptr);
  }
  return contenders;
}

void print(const char* title, const std::vector<Contender>& contenders, int runs) {
  std::printf("%s (median of %d, interleaved)\n", title, runs);
  std::printf("  %-34s %9s %8s %9s %9s %9s\n", "", "wall s", "ratio", "cpu s", "cpu ratio", "peak MB");
  const double wall = median(contenders.front().wall);
  const double cpu = median(contenders.front().cpu);
  for (const Contender& c : contenders) {
    std::printf("  %-34s %9.4f %8.3f %9.4f %9.3f %9.1f%s\n", c.label.c_str(), median(c.wall), median(c.wall) / wall,
                median(c.cpu), cpu > 0 ? median(c.cpu) / cpu : 0.0, static_cast<double>(c.peak_kib) / 1024.0,
                c.failed ? "  FAILED" : "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  int runs = 5;
  const char* title = "side by side";
  int at = 1;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    if (std::strcmp(argv[at], "-n") == 0) runs = std::max(1, std::atoi(argv[at + 1]));
    else if (std::strcmp(argv[at], "-t") == 0) title = argv[at + 1];
    else return std::fprintf(stderr, "unknown option %s\n", argv[at]), 2;
  }
  std::vector<Contender> contenders = parse(argc, argv, at);
  if (contenders.empty())
    return std::fprintf(stderr, "usage: side_by_side [-n RUNS] [-t TITLE] LABEL cmd... ::: ...\n"), 2;
  for (Contender& contender : contenders)
    run_once(contender), contender.wall.clear(), contender.cpu.clear();  // warm up
  for (int run = 0; run < runs; ++run) {
    for (Contender& contender : contenders) run_once(contender);
  }
  print(title, contenders, runs);
  return std::ranges::any_of(contenders, &Contender::failed) ? 1 : 0;
}
