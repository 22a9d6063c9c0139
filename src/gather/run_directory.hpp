#pragma once
// The private directory of one `trikal run`, where the processes of its command leave their maps. Its files are described
// in docs/formats/run-directory.md.

#include <sys/types.h>

#include <string>
#include <vector>

#include "gather/file_lock.hpp"
#include "gather/liveness.hpp"

namespace trikal::gather {

class RunDirectory {
 public:
  // A new one, in memory where there is such a place.
  [[nodiscard]] static RunDirectory make();
  // The same for all that one process has started: whoever comes first makes it. Nobody else's is used.
  [[nodiscard]] static RunDirectory share(pid_t starter);

  // False: none could be made.
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(lock_); }
  [[nodiscard]] const std::string& path() const { return path_; }
  // With all that is in it.
  void remove() const;

 private:
  // Says who uses it, for as long as this lives.
  bool hold(std::string path);

  std::string path_;
  FileLock lock_;
};

// What a `trikal run` left. While this is held nobody else takes it.
class LeftRun {
 public:
  explicit LeftRun(const std::string& path);
  // Of the `trikal run`, or those of one MPI job. Unknown: another machine's, or there is nobody to ask.
  [[nodiscard]] Life life() const { return life_; }

 private:
  FileLock lock_;
  Life life_;
};

// Those of this user.
[[nodiscard]] std::vector<std::string> run_directories();
// Whether that is one, by its name.
[[nodiscard]] bool is_run_directory(const std::string& path);

}  // namespace trikal::gather
