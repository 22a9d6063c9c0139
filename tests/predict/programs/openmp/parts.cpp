// OpenMP in C++: vectors of each thread, reductions of the program's own, tasks that depend on each other, an end that one
// thread finds for all.
#include <omp.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

struct Sum {
  double value = 0;
  Sum& operator+=(const Sum& other) { return value += other.value, *this; }
};
#pragma omp declare reduction(add:Sum : omp_out += omp_in)

static void parts(int count) {
  std::vector<std::vector<int>> parts(omp_get_max_threads());
#pragma omp parallel
  {
    std::vector<int>& own = parts[omp_get_thread_num()];
#pragma omp for collapse(2) nowait
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < 3; ++j)
        if ((i + j) % 5 == 0) own.push_back(i);
  }
#pragma omp parallel for
  for (int i = 0; i < static_cast<int>(parts.size()); ++i) {
    std::ofstream file("part." + std::to_string(i), std::ios::binary);
    file.write(reinterpret_cast<const char*>(parts[i].data()), parts[i].size() * sizeof(int));
  }
}

static void sums(int count) {
  Sum sum;
  double most = -1, few[4] = {0};
  std::atomic<long> total{0};
#pragma omp parallel for reduction(add : sum) schedule(dynamic)
  for (int i = 0; i < count; ++i) sum.value += i;
#pragma omp parallel for reduction(max : most) reduction(+ : few[ : 4])
  for (int i = 0; i < count; ++i) {
    most = i * 37 % 101 > most ? i * 37 % 101 : most;
    few[i % 4] += 1;
    total += i;
  }
  std::ofstream("sums") << sum.value << ' ' << most << ' ' << few[0] << ' ' << few[3] << ' ' << total << '\n';
}

static void until_one_says_so(FILE* log) {
  int step = 0;
  bool done = false;
#pragma omp parallel shared(step, done)
  while (!done) {
#pragma omp barrier
#pragma omp single
    {
      std::fprintf(log, "step %d\n", step);
      done = ++step == 10;
    }
  }
}

static void tasks(FILE* log) {
#pragma omp parallel
#pragma omp single
  {
    int value = 0;
#pragma omp task depend(out : value) shared(value)
    value = 5;
#pragma omp task depend(in : value) shared(value)
    std::fprintf(log, "value %d\n", value);
#pragma omp taskgroup
    for (int i = 0; i < 20; ++i) {
#pragma omp task
      std::ofstream("task." + std::to_string(i)) << i;
    }
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 100;
  FILE* log = std::fopen("log", "w");
  parts(count);
  sums(count);
  until_one_says_so(log);
  tasks(log);
  int last = -1;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < count; ++i) last = i;
  std::fprintf(log, "last %d\n", last);
  std::fclose(log);
}
