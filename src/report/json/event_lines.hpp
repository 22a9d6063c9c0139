#pragma once
// Reads a file of events (docs/formats/events.md) line by line; what is held is one line. Such a file may be of another program,
// or cut.

#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "report/json/flat_object.hpp"

namespace trikal::report {

class EventLinesReader {
 public:
  static constexpr std::size_t kLongestLine = 16 * 1024 * 1024;
  enum class Lines : bool { kAll, kAllButEvents };  // kAllButEvents: those are recognized and not read
  enum class Damage : bool { kEnds, kSkipped };  // what becomes of a line that cannot be read
  using Use = std::function<Status(const FlatObject& line)>;

  static Result<EventLinesReader> open(const std::string& path);
  EventLinesReader(EventLinesReader&& other) noexcept;
  EventLinesReader& operator=(EventLinesReader&&) = delete;
  ~EventLinesReader();

  // From the first line to the last. What `use` answers is damage of that line. An error has the byte of the file where
  // something is wrong; of several the first.
  [[nodiscard]] Status for_each(Lines lines, Damage damage, const Use& use);

 private:
  explicit EventLinesReader(int descriptor);
  // The next line without its end; false: there is none, and status_ says whether that is the end.
  bool next(std::string_view& line);
  bool read_more();
  Status use_line(std::string_view line, Lines lines, const Use& use);
  Status check_head(std::string_view line);

  int descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0, end_ = 0;  // of what is in the buffer and was not handed out
  std::uint64_t offset_ = 0;  // in the file, of begin_
  bool has_totals_ = false;
  FlatObject object_;
  Status status_;
};

}  // namespace trikal::report
