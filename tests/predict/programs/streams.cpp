// C++ streams: text with numbers and line ends, blocks from a vector, and both read back.
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Writer {
  explicit Writer(const std::string& name) : out(name + ".txt") {}
  void line(int number) { out << "line " << number << '\n'; }
  std::ofstream out;
};

}  // namespace

int main(int argc, char** argv) {
  const int lines = std::stoi(argv[1]), blocks = argc > 2 ? std::atoi(argv[2]) : 1;
  const std::string base = "streams";
  {
    Writer writer(base);
    for (int i = 0; i < lines; ++i) writer.line(i);
    writer.out << 3.5 << std::endl;
  }
  {
    std::ofstream out(base + ".bin", std::ios::binary);
    std::vector<double> values(1000);
    for (int i = 0; i < blocks; ++i)
      out.write(reinterpret_cast<const char*>(values.data()),
                static_cast<std::streamsize>(values.size() * sizeof(double)));
    for (const double value : values) out.put(static_cast<char>(value));
  }
  {
    std::ifstream in(base + ".bin", std::ios::binary);
    std::vector<char> piece(4096);
    long whole = 0;
    while (in.read(piece.data(), static_cast<std::streamsize>(piece.size()))) ++whole;
    std::cout << whole << " pieces\n";
  }
  return 0;
}
