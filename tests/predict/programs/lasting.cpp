// Variables that are there before main and after it: made by constructors, ended by destructors, and by atexit.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

const std::string kFolder = "./", kName = kFolder + "lasting.txt";
const std::vector<int> kSizes = {100, 2000, 30000};

class Journal {
 public:
  explicit Journal(const char* path) : file_(std::fopen(path, "wb")) {}
  ~Journal() {
    std::fwrite("end", 1, 3, file_);
    std::fclose(file_);
  }
  void put(int bytes) {
    const std::vector<char> data(static_cast<std::size_t>(bytes));
    std::fwrite(data.data(), 1, data.size(), file_);
  }

 private:
  std::FILE* file_;
};

Journal journal("journal.bin");

const std::string& header() {
  static const std::string text = "lines of " + kName + "\n";  // made when it is first asked for
  return text;
}

void last_words() {
  std::FILE* file = std::fopen("last.txt", "w");
  std::fputs("over\n", file);
  std::fclose(file);
}

}  // namespace

int main(int argc, char** argv) {
  std::atexit(last_words);
  for (const int size : kSizes) journal.put(size);
  std::FILE* file = std::fopen(kName.c_str(), "w");
  for (int i = 0; i < 3; ++i) std::fwrite(header().data(), 1, header().size(), file);
  std::fclose(file);
  if (argc > 1 && std::string(argv[1]) == "exit") std::exit(5);
  return 0;
}
