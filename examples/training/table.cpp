// Text processing in C++: a table of numbers as text, then sums over binary columns that are read back.
#include <cstdlib>
#include <fstream>
#include <vector>

namespace {

class Table {
 public:
  explicit Table(int rows) : values_(static_cast<std::size_t>(rows)) {}

  void fill() {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = static_cast<double>(i) * 0.25;
  }
  void print(const char* path) const {
    std::ofstream file(path);
    for (std::size_t i = 0; i < values_.size(); ++i) file << i << ' ' << values_[i] << '\n';
  }
  void save(const char* path) const {
    std::ofstream file(path, std::ios::binary);
    for (std::size_t i = 0; i < values_.size(); ++i) file.write(reinterpret_cast<const char*>(&values_[i]), sizeof(double));
  }
  double smooth(int rounds) {
    for (int round = 0; round < rounds; ++round)
      for (std::size_t i = 1; i + 1 < values_.size(); ++i) values_[i] = (values_[i - 1] + values_[i] + values_[i + 1]) / 3;
    return values_[values_.size() / 2];
  }

 private:
  std::vector<double> values_;
};

}  // namespace

int main(int argc, char** argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 1000, rounds = argc > 2 ? std::atoi(argv[2]) : 10;
  Table table(rows);
  table.fill();
  table.print("table.txt");
  const double middle = table.smooth(rounds);
  table.save("table.bin");
  return middle < 0;
}
