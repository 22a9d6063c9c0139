// The library throws, and the program goes on.
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  std::ofstream("first") << "before\n";
  try {
    const std::vector<int> few(2);
    std::ofstream("never") << few.at(static_cast<std::size_t>(argc) + 1) << argv[0];
  } catch (const std::out_of_range&) {
    std::ofstream("second") << "after\n";
  }
}
