#pragma once
// Where messages go while a program runs: a command's standard input, standard output or a file. Nobody waits here for somebody who
// does not read: what is not taken at once is the caller's again.

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace trikal::cli {

class PublishTarget {
 public:
  struct Options {
    std::string target;  // "-", "file:PATH" or a command for the shell
    bool force = false;  // replace a file that is there
    bool append = false;  // ranks of one job write to one file
  };
  // A command is not started yet.
  static Result<std::unique_ptr<PublishTarget>> open(const Options& options);
  ~PublishTarget();
  PublishTarget(const PublishTarget&) = delete;
  PublishTarget& operator=(const PublishTarget&) = delete;

  // Before the first byte.
  [[nodiscard]] Status start();
  // How much was taken; 0: nothing now; -1: nothing any more.
  [[nodiscard]] ssize_t write(std::string_view text) const;
  // Until something is taken, or so many milliseconds have passed.
  void wait(int milliseconds) const;
  // Closes it. A command gets some seconds to end, none if it is `stuck`. Says how it ended; empty: there is nothing to say.
  [[nodiscard]] std::string finish(bool stuck);

  [[nodiscard]] bool is_standard_output() const { return command_.empty() && !is_file_; }

 private:
  PublishTarget() = default;
  void close();
  bool wait_for_end(int milliseconds, int& status) const;

  std::string command_;  // empty: it is none
  bool is_file_ = false;
  int descriptor_ = -1;
  bool waits_ = false;  // writing to it may have to wait
  pid_t child_ = 0;
};

// What the name of a target leads to, for a message about it: the path of a file, or the target.
[[nodiscard]] std::string target_name(const std::string& target);

// What DARSHAN_LDMS_ENABLE asks for where no target is given: LDMS's own program, which takes a message from each line.
inline constexpr const char* kLdmsCommand =
    "exec ldmsd_stream_publish -x \"$DARSHAN_LDMS_XPRT\" -h \"$DARSHAN_LDMS_HOST\" -p \"$DARSHAN_LDMS_PORT\" "
    "-a \"$DARSHAN_LDMS_AUTH\" -s \"$DARSHAN_LDMS_STREAM\" -t json -l -f /dev/stdin";

}  // namespace trikal::cli
