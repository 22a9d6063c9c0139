#pragma once
// A lock on a file that goes with the process that holds it, whatever ends it, and is seen from every pid namespace.

#include <string>

namespace trikal::gather {

class FileLock {
 public:
  enum class Kind : bool { kShared, kAlone };

  FileLock() = default;
  // Does not wait. The file must be there.
  FileLock(const std::string& path, Kind kind);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

  // True: it is held, and the file still has a name.
  [[nodiscard]] explicit operator bool() const { return descriptor_ >= 0; }
  // Held by somebody else, where it is not held by us. False: there is no such file, or it cannot be locked.
  [[nodiscard]] bool is_taken() const { return taken_; }
  // Of a lock that is held. Does not wait; false: somebody else holds it, and this does not any more.
  [[nodiscard]] bool change(Kind kind);
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
  bool taken_ = false;
};

}  // namespace trikal::gather
