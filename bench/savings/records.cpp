// Records of a file in their order: with a seek before each, which throws the stream's buffer away, or without.
#include <cstdio>
#include <fstream>
#include <string_view>

int main(int argc, char** argv) {
  const bool seeks = argc > 1 && std::string_view(argv[1]) == "seek";
  std::ifstream in("records", std::ios::binary);
  long sum = 0;
  char record[32];
  for (long i = 0; i < 60000; ++i) {
    if (seeks) in.seekg(i * static_cast<long>(sizeof record));
    in.read(record, sizeof record);
    sum += record[0];
  }
  std::printf("%ld\n", sum);
}
