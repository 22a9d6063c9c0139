// One kind of call, again and again: the program bench/run-capture observes and bench/run-instructions counts.
//
//   calls time CASE COUNT DIRECTORY [THREADS [shared]]   a batch of COUNT calls for every byte on standard input;
//                                                        prints the CPU nanoseconds of one call
//   calls floor CASE COUNT DIRECTORY                     the same, with two reads of the cycle counter around each
//   calls instructions COUNT DIRECTORY                   every case, one after the other, for callgrind
//
// Batches, because a machine's speed changes from second to second: programs that take short ones after each other are
// measured at the same speed. Only the loop is timed. Several threads have a file each, or share the first one's.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include <atomic>
#include <barrier>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kBytes = 64;
constexpr off_t kWrap = 1 << 20;  // offsets begin anew here, so that the file stays in the caches

struct Target {
  std::string directory;
  int file = 0;  // threads with the same number share a file
};

[[noreturn]] void fail(const char* what) {
  perror(what);
  exit(2);
}
void expect(bool holds, const char* what) {
  if (!holds) fail(what);
}

std::string file_name(const Target& target, const char* kind) {
  return target.directory + "/" + kind + std::to_string(target.file);
}

// A file full of lines of 32 bytes.
std::string filled_file(const Target& target) {
  std::string name = file_name(target, "full");
  const int fd = open(name.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  const std::string line = std::string(31, 'x') + '\n';
  std::string text;
  while (text.size() < kWrap) text += line;
  expect(write(fd, text.data(), text.size()) == kWrap && close(fd) == 0, "filling a file");
  return name;
}

class OnDescriptor {
 public:
  explicit OnDescriptor(const Target& target) : fd_(open(filled_file(target).c_str(), O_RDWR)) {
    expect(fd_ >= 0, "open");
  }
  ~OnDescriptor() { close(fd_); }
  OnDescriptor(const OnDescriptor&) = delete;
  OnDescriptor& operator=(const OnDescriptor&) = delete;

 protected:
  off_t next() {
    const off_t at = at_;
    at_ = at_ + static_cast<off_t>(kBytes) < kWrap ? at_ + static_cast<off_t>(kBytes) : 0;
    return at;
  }
  int fd_;
  char buffer_[kBytes] = {};

 private:
  off_t at_ = 0;
};

struct Pread : OnDescriptor {
  using OnDescriptor::OnDescriptor;
  void operator()() { expect(pread(fd_, buffer_, kBytes, next()) == kBytes, "pread"); }
};
struct Pwrite : OnDescriptor {
  using OnDescriptor::OnDescriptor;
  void operator()() { expect(pwrite(fd_, buffer_, kBytes, next()) == kBytes, "pwrite"); }
};
struct Write : OnDescriptor {
  using OnDescriptor::OnDescriptor;
  void operator()() { expect(write(fd_, buffer_, kBytes) == kBytes, "write"); }
};
struct Read : OnDescriptor {
  using OnDescriptor::OnDescriptor;
  void operator()() {
    if (next() == 0) expect(lseek(fd_, 0, SEEK_SET) == 0, "lseek");  // beyond the end a read would be cheaper
    expect(read(fd_, buffer_, kBytes) == kBytes, "read");
  }
};

class OnStream {
 public:
  OnStream(const Target& target, const char* mode) : stream_(fopen(filled_file(target).c_str(), mode)) {
    expect(stream_ != nullptr, "fopen");
  }
  ~OnStream() { fclose(stream_); }
  OnStream(const OnStream&) = delete;
  OnStream& operator=(const OnStream&) = delete;

 protected:
  // Reads begin anew at the end; an instruction count never gets so far.
  void again(bool more) {
    if (!more) rewind(stream_);
  }
  FILE* stream_;
  char buffer_[kBytes] = {};
};

struct Fwrite : OnStream {
  explicit Fwrite(const Target& target) : OnStream(target, "w") {}
  void operator()() { expect(fwrite(buffer_, kBytes, 1, stream_) == 1, "fwrite"); }
};
struct Fputc : OnStream {
  explicit Fputc(const Target& target) : OnStream(target, "w") {}
  void operator()() { expect(fputc('x', stream_) == 'x', "fputc"); }
};
struct Fputs : OnStream {
  explicit Fputs(const Target& target) : OnStream(target, "w") {}
  void operator()() { expect(fputs("twenty characters..\n", stream_) >= 0, "fputs"); }
};
struct Fread : OnStream {
  explicit Fread(const Target& target) : OnStream(target, "r") {}
  void operator()() { again(fread(buffer_, kBytes, 1, stream_) == 1); }
};
struct Fgetc : OnStream {
  explicit Fgetc(const Target& target) : OnStream(target, "r") {}
  void operator()() { again(fgetc(stream_) != EOF); }
};
struct Fgets : OnStream {
  explicit Fgets(const Target& target) : OnStream(target, "r") {}
  void operator()() { again(fgets(buffer_, kBytes, stream_) != nullptr); }
};

// A file nobody has opened before, every time.
struct OpenNew {
  explicit OpenNew(const Target& target) : name_(file_name(target, "new") + ".000000000"), digits_(name_.size() - 9) {}
  void operator()() {
    snprintf(name_.data() + digits_, 10, "%09u", number_++);
    const int fd = open(name_.c_str(), O_CREAT | O_RDWR, 0600);
    expect(fd >= 0 && close(fd) == 0, "open");
  }

 private:
  std::string name_;
  std::size_t digits_;
  unsigned number_ = 0;
};
// What the memory of one record costs on this machine, whoever writes it: pages of a file in memory that nobody has
// touched before, a megabyte at a time.
struct FreshMemory {
  explicit FreshMemory(const Target& target) : name_(file_name(target, "memory")) {}
  void operator()() {
    constexpr long kRecord = 128, kAtOnce = 1024 * 1024;
    if (left_ < kRecord) {
      const int fd = open(name_.c_str(), O_CREAT | O_RDWR, 0600);
      static char zeros[kAtOnce];
      expect(fd >= 0 && pwrite(fd, zeros, kAtOnce, size_) == kAtOnce, "pwrite");
      at_ = static_cast<char*>(mmap(nullptr, kAtOnce, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, size_));
      expect(at_ != MAP_FAILED && close(fd) == 0, "mmap");
      size_ += kAtOnce, left_ = kAtOnce;
    }
    for (long line = 0; line < kRecord; line += 64) at_[line] = 1;
    at_ += kRecord, left_ -= kRecord;
  }

 private:
  std::string name_;
  char* at_ = nullptr;
  long left_ = 0, size_ = 0;
};
struct OpenKnown {
  explicit OpenKnown(const Target& target) : name_(filled_file(target)) {}
  void operator()() {
    const int fd = open(name_.c_str(), O_RDONLY);
    expect(fd >= 0 && close(fd) == 0, "open");
  }

 private:
  std::string name_;
};

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline unsigned long counter() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  unsigned long value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#endif
}

struct Run {
  long count = 0;
  int threads = 0;  // 0: in the program's own
  bool shared = false;
  bool floor = false;
  Target target;
};

template <class Operation>
void loop(Operation& operation, long count, bool floor) {
  volatile unsigned long spent = 0;
  if (!floor) {
    for (long i = 0; i < count; ++i) operation();
    return;
  }
  for (long i = 0; i < count; ++i) {
    const unsigned long begin = counter();
    operation();
    spent = spent + (counter() - begin);
  }
}

// Waits until the next batch is asked for; false when there are no more.
bool next_batch() {
  char byte;
  return read(STDIN_FILENO, &byte, 1) == 1;
}
void end_batch(double cpu_ns_of_a_call) {
  printf("%.2f\n", cpu_ns_of_a_call);
  fflush(stdout);
}

// Whoever ran before has filled the caches with its own.
template <class Operation>
double cpu_seconds(Operation& operation, const Run& run) {
  loop(operation, run.count / 10, run.floor);
  const double from = seconds(CLOCK_THREAD_CPUTIME_ID);
  loop(operation, run.count, run.floor);
  return seconds(CLOCK_THREAD_CPUTIME_ID) - from;
}

template <class Operation>
void time_one(const Run& run) {
  Operation operation(run.target);
  while (next_batch()) end_batch(cpu_seconds(operation, run) * 1e9 / static_cast<double>(run.count));
}

// The threads of a batch begin together and end together.
template <class Operation>
void time_threads(const Run& run) {
  std::barrier begin(run.threads + 1), end(run.threads + 1);
  std::atomic<bool> over = false;
  std::vector<double> cpu(static_cast<std::size_t>(run.threads));
  std::vector<std::thread> threads;
  for (int number = 0; number < run.threads; ++number) {
    threads.emplace_back([&, number] {
      Target target = run.target;
      target.file = run.shared ? 0 : number;
      Operation operation(target);
      for (begin.arrive_and_wait(); !over; begin.arrive_and_wait()) {
        cpu[static_cast<std::size_t>(number)] = cpu_seconds(operation, run);
        end.arrive_and_wait();
      }
    });
  }
  while (next_batch()) {
    begin.arrive_and_wait();
    end.arrive_and_wait();
    const double sum = std::accumulate(cpu.begin(), cpu.end(), 0.0);
    end_batch(sum * 1e9 / (static_cast<double>(run.count) * run.threads));
  }
  over = true;
  begin.arrive_and_wait();
  for (std::thread& thread : threads) thread.join();
}

template <class Operation>
void time(const Run& run) {
  if (run.threads > 0) time_threads<Operation>(run);
  else time_one<Operation>(run);
}

// Warm first: what is counted is the call in the long run.
template <class Operation>
void count_instructions(const char* name, const Run& run) {
  Operation operation(run.target);
  loop(operation, run.count / 4, false);
  CALLGRIND_ZERO_STATS;
  loop(operation, run.count, false);
  CALLGRIND_DUMP_STATS_AT(name);
}

struct Case {
  const char* name;
  void (*time)(const Run&);
  void (*count)(const char*, const Run&);
};
template <class Operation>
constexpr Case make_case(const char* name) {
  return {name, time<Operation>, count_instructions<Operation>};
}
constexpr Case kCases[] = {
    make_case<Pread>("pread"),       make_case<Pwrite>("pwrite"),       make_case<Read>("read"),
    make_case<Write>("write"),       make_case<Fread>("fread"),         make_case<Fwrite>("fwrite"),
    make_case<Fgetc>("fgetc"),       make_case<Fputc>("fputc"),         make_case<Fgets>("fgets"),
    make_case<Fputs>("fputs"),       make_case<OpenKnown>("openknown"), make_case<OpenNew>("opennew"),
    make_case<FreshMemory>("memory")};

int usage() {
  fputs("usage: calls time|floor CASE COUNT DIRECTORY [THREADS [shared]] | calls instructions COUNT DIRECTORY\n",
        stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> words(argv, argv + argc);
  Run run;
  if (argc == 4 && words[1] == "instructions") {
    run.count = atol(argv[2]);
    run.target.directory = argv[3];
    for (const Case& one : kCases) one.count(one.name, run);
    return 0;
  }
  if (argc < 5 || (words[1] != "time" && words[1] != "floor")) return usage();
  run.floor = words[1] == "floor";
  run.count = atol(argv[3]);
  run.target.directory = argv[4];
  if (argc > 5) run.threads = atoi(argv[5]);
  run.shared = argc > 6 && words[6] == "shared";
  for (const Case& one : kCases) {
    if (words[2] == one.name) return one.time(run), 0;
  }
  return usage();
}
