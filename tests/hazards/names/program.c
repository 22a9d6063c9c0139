// Names as long as they may be, and with every byte a name may have.
#include "../check.h"

#include <sys/stat.h>

int main(void) {
  write_tens(open_new("new\nline"), 1);
  write_tens(open_new("tab\tand \"quotes\" 'all' \\"), 2);
  write_tens(open_new("\xff\xfe not utf-8"), 3);
  char part[256];
  memset(part, 'n', 255);
  part[255] = '\0';
  write_tens(open_new(part), 4);
  for (int i = 0; i < 20; ++i) CHECK(mkdir(part + 1, 0700) == 0 && chdir(part + 1) == 0);  // over 4096 bytes
  write_tens(open_new("deep"), 5);
  write_tens(open_new("././/deep2"), 6);
  return 0;
}
