// The same in C++: lines by getline, and words.
#include <fstream>
#include <string>

int main(int argc, char** argv) {
  std::ifstream in("large.csv");
  std::ofstream out("lines.txt");
  std::string one;
  long n = 0;
  if (argc > 1 && argv[1][0] == 'w')
    while (in >> one) n++;
  else
    while (std::getline(in, one)) n++;
  out << n << '\n';
  for (long i = 0; i < n; i += 1000) out << i << '\n';
  return 0;
}
