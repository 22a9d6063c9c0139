// A fixed piece of compiling: what this machine needs for it says how fast it compiles (scripts/lib/build-estimate).
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  std::map<std::string, std::vector<std::unique_ptr<std::function<int(int)>>>> table;
  const std::vector<std::string> words(argv, argv + argc);
  for (const std::string& word : words) {
    table[word].push_back(std::make_unique<std::function<int(int)>>([&](int value) { return value + argc; }));
    if (std::count(word.begin(), word.end(), 'a') > 1) std::cout << word << '\n';
  }
  return static_cast<int>(table.size());
}
