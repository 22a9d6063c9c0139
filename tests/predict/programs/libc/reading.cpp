#include <fstream>
#include <sstream>
#include <string>

// Numbers and lines that look the same for a while, and then do not.
int main(int, char** argv) {
  std::ifstream in(argv[1]);
  int number = 0, ones = 0, lines = 0, characters = 0;
  while (in >> number) ones += number == 1;
  std::ifstream again(argv[1]);
  std::string line, all;
  while (std::getline(again, line)) lines += line == "1", all += line;
  std::istringstream text(all);
  for (char c; text.get(c);) characters += c == '1';
  std::ofstream out("ones.bin");
  for (int i = 0; i < ones + 10 * lines + 100 * characters; ++i) out.put('x');
}
