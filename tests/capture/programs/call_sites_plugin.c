/* A library that is loaded, called and given back. */
#include <stdlib.h>
#include <unistd.h>

void write_from_plugin(int fd) {
  if (write(fd, "plugin", 6) != 6) abort(); /* the plugin writes here */
}
