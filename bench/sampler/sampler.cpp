// Samples the run whose directory is given, 4 times a second, and prints what that takes of one processor. The first look at
// each process, which takes in all it has done so far, is not counted.

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "stream/sample/sampler.hpp"
#include "stream/sample/time_axis.hpp"

namespace {

double processor_seconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  constexpr int kRate = 4;
  const int rounds = kRate * std::atoi(argv[2]);
  trikal::stream::TimeAxis axis;
  trikal::stream::Sampler sampler({});
  sampler.add_directory(argv[1], trikal::stream::Sampler::Kind::kRun);
  trikal::stream::Batch batch;
  sampler.sample(axis.now(), batch);
  const std::size_t files = batch.files.size(), first_rows = batch.intervals.back().rows.size();
  const std::size_t processes = sampler.processes();
  const double begin = processor_seconds();
  std::size_t rows = 0;
  for (int i = 0; i < rounds; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1000 / kRate));
    batch.clear();
    sampler.sample(axis.now(), batch);
    rows += batch.intervals.back().rows.size();
  }
  const double used = processor_seconds() - begin;
  if (sampler.processes() != processes) return std::fputs("processes ended while they were sampled\n", stderr), 1;
  std::printf("%zu processes, %zu files, %zu rows at first, %.0f rows a second: %.2f %% of one processor\n",
              sampler.processes(), files, first_rows, static_cast<double>(rows) * kRate / rounds,
              100 * used * kRate / rounds);
  return 0;
}
