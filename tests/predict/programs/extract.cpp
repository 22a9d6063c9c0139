// C++ streams the other way round: numbers and words taken from files, positions in them, streams in memory, names by
// std::filesystem.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

std::string name_of(const std::string& folder, int number) {
  std::ostringstream name;
  name << folder << "/part-" << number << ".txt";
  return name.str();
}

void make_parts(const std::string& folder, int parts, int rows) {
  for (int part = 0; part < parts; ++part) {
    std::ofstream out(name_of(folder, part));
    out << rows << ' ' << "part" << part << '\n';
    for (int row = 0; row < rows; ++row) out << row << ' ' << row * 0.5 << '\n';
  }
}

double sum_of(const std::string& file) {
  std::ifstream in(file);
  int rows = 0, row = 0;
  std::string word;
  double value = 0, sum = 0;
  in >> rows >> word;
  while (in >> row >> value) sum += value;
  return sum;
}

long size_by_seeking(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(0, std::ios::end);
  const long size = static_cast<long>(in.tellg());
  in.seekg(0);
  std::string line;
  std::getline(in, line);
  std::istringstream words(line);
  int count = 0;
  for (std::string word; words >> word;) ++count;
  return size + count;
}

void patch(const std::string& file, int positions) {
  std::fstream both(file, std::ios::in | std::ios::out | std::ios::binary);
  for (int i = 0; i < positions; ++i) {
    both.seekp(4 * i);
    both << 'x';
  }
  both.seekg(2);
  const int next = both.get();
  std::cout << next << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const int parts = std::atoi(argv[1]), rows = argc > 2 ? std::atoi(argv[2]) : 3;
  const fs::path folder = "parts";
  fs::create_directory(folder);
  if (!fs::exists(folder / "part-0.txt")) make_parts(folder.string(), parts, rows);
  double sum = 0;
  long bytes = 0;
  for (int part = 0; part < parts; ++part) {
    const std::string name = name_of(folder.string(), part);
    sum += sum_of(name);
    bytes += size_by_seeking(name);
    bytes += static_cast<long>(fs::file_size(name));
  }
  patch(name_of("parts", 0), 5);
  fs::rename(folder / "part-0.txt", folder / "first.txt");
  if (parts > 1) fs::remove(folder / "part-1.txt");
  std::stringstream told;
  told << bytes << ' ' << sum;
  told >> bytes;
  std::ofstream("total.txt") << bytes << '\n';
  return 0;
}
