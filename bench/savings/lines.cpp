// A table of text: each line flushed, or not.
#include <fstream>
#include <string_view>

int main(int argc, char** argv) {
  const bool flushes = argc > 1 && std::string_view(argv[1]) == "endl";
  std::ofstream out("table.txt");
  for (int i = 0; i < 200000; ++i) {
    out << "atom " << i << " at " << 0.25 * i;
    if (flushes) out << std::endl;
    else out << '\n';
  }
}
