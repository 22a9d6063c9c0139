// Positions in files: the size by seeking, records rewritten, a header written last, whole files read and copied.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#pragma pack(push, 1)
struct Record {
  std::uint32_t id;
  double value;
  char name[16];
};
#pragma pack(pop)

namespace {

void records(int count) {
  {
    std::ofstream out("records.bin", std::ios::binary);
    std::uint64_t header[2] = {0, 0};
    out.write(reinterpret_cast<char*>(header), sizeof header);
    for (int i = 0; i < count; ++i) {
      Record one{static_cast<std::uint32_t>(i), i * 0.25, "name"};
      out.write(reinterpret_cast<char*>(&one), sizeof one);
    }
    header[0] = static_cast<std::uint64_t>(count);
    header[1] = static_cast<std::uint64_t>(out.tellp());
    out.seekp(0);
    out.write(reinterpret_cast<char*>(header), sizeof header);
  }
  {
    std::fstream both("records.bin", std::ios::in | std::ios::out | std::ios::binary);
    both.seekg(0, std::ios::end);
    const auto size = both.tellg();
    std::uint64_t header[2];
    both.seekg(0).read(reinterpret_cast<char*>(header), sizeof header);
    for (std::uint64_t i = 0; i < header[0]; i += 3) {
      Record one;
      const auto position = static_cast<std::streamoff>(sizeof header + i * sizeof one);
      both.seekg(position);
      both.read(reinterpret_cast<char*>(&one), sizeof one);
      one.value *= 2;
      both.seekp(position);
      both.write(reinterpret_cast<char*>(&one), sizeof one);
    }
    std::cout << size << " bytes\n";
  }
}

int text(int count) {
  {
    std::ofstream text("text.txt");
    for (int i = 0; i < count; ++i) text << "item " << i << ": " << i * i << '\n';
  }
  {
    std::ifstream in("text.txt");
    const std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::ofstream("copy.txt") << all;
  }
  {
    std::ifstream in("text.txt");
    std::ofstream out("again.txt");
    out << in.rdbuf();
  }
  {
    std::ifstream in("text.txt");
    std::stringstream all;
    all << in.rdbuf();
    std::string word;
    int number = 0, square = 0;
    char colon = 0;
    long sum = 0;
    while (all >> word >> number >> colon >> square) sum += square;
    std::ofstream out;
    std::vector<char> capacity(1 << 16);
    out.rdbuf()->pubsetbuf(capacity.data(), static_cast<std::streamsize>(capacity.size()));
    out.open("sum.txt", std::ios::out | std::ios::trunc);
    for (int i = 0; i < 3000; ++i) out << sum + i << '\n';
  }
  std::ifstream in("text.txt");
  in.ignore(5);
  int first = in.peek();
  char line[64];
  in.getline(line, sizeof line);
  std::ofstream("end.txt", std::ios::ate) << static_cast<char>(first) << line << in.gcount() << '\n';
  return in.get() == 'i' ? 0 : 1;
}

}  // namespace

int main(int, char** argv) {
  const int count = std::stoi(argv[1]);
  records(count);
  return text(count);
}
