// argv to verb to exit code; nothing else happens here.

#include <csignal>

#include "cli/program.hpp"
#include "compat/tools/personality.hpp"

int main(int argc, char** argv) {
  // A reader that went away is found by write(), with a message, not by dying silently.
  std::signal(SIGPIPE, SIG_IGN);
  // Under one of Darshan's names it is that program.
  const auto* personality = argc > 0 ? trikal::compat::find_personality(argv[0]) : nullptr;
  if (personality != nullptr) return personality->run(argc, argv);
  return trikal::cli::run_program(argc, argv);
}
