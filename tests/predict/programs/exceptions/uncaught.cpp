// Nobody catches: nothing is cleaned up, and what lies in buffers is lost.
#include <cstdio>
#include <fstream>
#include <stdexcept>

struct Closes {
  FILE* file = std::fopen("open.txt", "w");
  ~Closes() {
    std::fputs("never\n", file);
    std::fclose(file);
  }
};

int main(int argc, char**) {
  std::ofstream lost("lost.txt");
  lost << "in the buffer\n";
  Closes open;
  std::fputs("begun\n", open.file);
  try {
    if (argc > 0) throw std::runtime_error("nobody");
  } catch (const std::logic_error&) {
    std::fputs("never\n", open.file);
  }
  std::fputs("never\n", open.file);
}
