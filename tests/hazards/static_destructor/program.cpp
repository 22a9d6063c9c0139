// Objects that live longer than main write when they die.
#include "../check.h"

#include <fstream>

struct Last {
  int fd = open_new("last");
  ~Last() { write_tens(fd, 2); }
};
static Last last;
static std::ofstream stream;

int main() {
  stream.open("stream");
  stream << "written when it is flushed\n";
  static thread_local Last another;
  write_tens(another.fd, 1);
  return 0;
}
