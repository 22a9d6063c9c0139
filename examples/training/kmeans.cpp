// Machine learning: points are saved and read back, grouped around centres, and the groups are saved.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace {

constexpr int kDimensions = 8;

void make_points(const char* path, int count) {
  std::ofstream file(path, std::ios::binary);
  std::vector<double> point(kDimensions);
  for (int i = 0; i < count; ++i) {
    for (int d = 0; d < kDimensions; ++d) point[static_cast<std::size_t>(d)] = (i * 31 + d * 17) % 1000 * 0.001;
    file.write(reinterpret_cast<const char*>(point.data()), kDimensions * sizeof(double));
  }
}

void read_points(const char* path, double* points, int count) {
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(points), static_cast<long>(count) * kDimensions * 8);
}

void assign(const double* points, const double* centres, int* group, int count, int groups) {
  for (int i = 0; i < count; ++i) {
    double best = 1e300;
    int nearest = 0;
    for (int g = 0; g < groups; ++g) {
      double sum = 0;
      for (int d = 0; d < kDimensions; ++d) {
        const double off = points[i * kDimensions + d] - centres[g * kDimensions + d];
        sum += off * off;
      }
      nearest = sum < best ? g : nearest;
      best = sum < best ? sum : best;
    }
    group[i] = nearest;
  }
}

void save(const int* group, int count) {
  FILE* file = std::fopen("groups.bin", "wb");
  std::fwrite(group, sizeof(int), static_cast<std::size_t>(count), file);
  std::fclose(file);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000, groups = argc > 2 ? std::atoi(argv[2]) : 4;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 2;
  double* points = static_cast<double*>(std::malloc(static_cast<std::size_t>(count) * kDimensions * sizeof(double)));
  double* centres = static_cast<double*>(std::malloc(static_cast<std::size_t>(groups) * kDimensions * sizeof(double)));
  int* group = static_cast<int*>(std::malloc(static_cast<std::size_t>(count) * sizeof(int)));
  make_points("points.bin", count);
  read_points("points.bin", points, count);
  for (int i = 0; i < groups * kDimensions; ++i) centres[i] = i * 0.01;
  for (int round = 0; round < rounds; ++round) {
    assign(points, centres, group, count, groups);
    save(group, count);
  }
  return 0;
}
