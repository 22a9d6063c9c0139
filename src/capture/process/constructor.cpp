// The session begins at load at the latest, and ends with the process.

#include "capture/session/command_line.hpp"
#include "capture/session/session.hpp"

namespace trikal::capture {
namespace {

__attribute__((constructor)) void at_load(int count, char** arguments) {
  if (is_glibc()) command_line.keep(count, arguments);
  (void)session.running();
}
__attribute__((destructor)) void at_exit() { session.stop(session.exit_status()); }

}  // namespace
}  // namespace trikal::capture
