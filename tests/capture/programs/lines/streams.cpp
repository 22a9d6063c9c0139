// Lines through libstdc++: what is written lies in the library, who asked for it here.
#include <fstream>

void write_lines(std::ofstream& out) {
  for (int i = 0; i < 300; ++i) out << "line " << i << std::endl;  // the line
}

int main() {
  std::ofstream out("out.dat");
  write_lines(out);
}
