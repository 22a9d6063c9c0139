#pragma once
// The private directory of one `trikal run`, where the processes of its command leave their maps. Its files are described
// in docs/formats/run-directory.md.

#include <sys/types.h>

#include <string>
#include <vector>

#include "gather/file_lock.hpp"
#include "gather/liveness.hpp"

namespace trikal::gather {

void remove_run(const std::string& directory);
// Every map of it, in no order.
[[nodiscard]] std::vector<std::string> run_maps(const std::string& directory);
// The file of finished processes; the name under which a run's directory has the other one.
[[nodiscard]] std::string finished_file(const std::string& directory);
[[nodiscard]] std::string overflow_of(const std::string& directory);

class RunDirectory {
 public:
  // A new one, in memory where there is such a file system.
  [[nodiscard]] static RunDirectory make();
  // The same for all that ask for that name: whoever comes first makes it. Nobody else's is used.
  [[nodiscard]] static RunDirectory share(const std::string& name);

  // False: none could be made.
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(lock_); }
  [[nodiscard]] const std::string& path() const { return path_; }
  // For whoever finds it. Arguments are ended by a NUL each.
  void set_command(const std::string& arguments) const;
  // Another one, on another file system, for what finds no space here. Empty: there is none.
  [[nodiscard]] std::string overflow() const;
  // Whether nobody else holds it; then nobody else can. If somebody does, this does not hold it any more.
  [[nodiscard]] bool hold_alone() { return lock_.change(FileLock::Kind::kAlone); }
  void share_again() { (void)lock_.change(FileLock::Kind::kShared); }
  // With all that is in both.
  void remove() const { remove_run(path_); }

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
  // What it ran, as a shell wants it; empty: it found no space to say so.
  [[nodiscard]] const std::string& command() const { return command_; }

 private:
  FileLock lock_;
  Life life_;
  std::string command_;
};

// Those of this user.
[[nodiscard]] std::vector<std::string> run_directories();
// Those that the process with this id made.
[[nodiscard]] std::vector<std::string> run_directories_of(std::int64_t pid);
// What that run was started with, as a shell wants it; empty: it found no space to say so.
[[nodiscard]] std::string command_of_run(const std::string& path);
// Whether that is one, by its name.
[[nodiscard]] bool is_run_directory(const std::string& path);

}  // namespace trikal::gather
