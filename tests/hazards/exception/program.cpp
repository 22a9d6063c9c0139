// Exceptions thrown by callbacks pass through our wrappers to whoever catches them.
#include "../check.h"

#include <new>
#include <stdexcept>

static ssize_t refuse(void*, char*, size_t) { throw std::runtime_error("refused"); }

int main() {
  for (int i = 0; i < 100; ++i) {
    const cookie_io_functions_t functions = {refuse, nullptr, nullptr, nullptr};
    FILE* stream = fopencookie(nullptr, "r", functions);
    CHECK(stream != nullptr);
    bool caught = false;
    try {
      char c;
      if (fread(&c, 1, 1, stream) == 1) return 1;
    } catch (const std::runtime_error&) {
      caught = true;
    }
    CHECK(caught);
  }
  FILE* data = fopen("data", "w");
  CHECK(data != nullptr && fputs("ten bytes\n", data) >= 0 && fclose(data) == 0);
  return 0;
}
