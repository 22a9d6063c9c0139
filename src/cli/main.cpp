// argv to verb to exit code; nothing else happens here.

#include <csignal>
#include <string>

#include "cli/program.hpp"

int main(int argc, char** argv) {
  // A reader that went away is found by write(), with a message, not by dying silently.
  std::signal(SIGPIPE, SIG_IGN);
  return trikal::cli::run_program(argc, argv);
}
