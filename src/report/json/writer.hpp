#pragma once
// JSON as it is produced: no tree is held. Commas and nesting are kept here; the caller opens and closes.
//
//   JsonWriter json(out);
//   json.open_object(); json.field("name", name); json.key("list"); json.open_array(); ... json.close(); json.close();

#include <cstdint>
#include <string_view>
#include <vector>

#include "report/sink.hpp"

namespace trikal::report {

class JsonWriter {
 public:
  explicit JsonWriter(Sink& out) : out_(out) {}

  void open_object() { open('{', '}'); }
  void open_array() { open('[', ']'); }
  void close();

  void key(std::string_view name);  // a value, object or array must follow
  // Bytes that are no UTF-8 become \udc80 to \udcff, as Python's surrogateescape has them: nothing is lost.
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(std::int64_t number);
  void value(std::uint64_t number);
  void value(int number) { value(static_cast<std::int64_t>(number)); }
  void value(double number);  // the shortest text that reads back the same; null if it is no number
  void value(bool truth);
  void null();

  template <class T>
  void field(std::string_view name, const T& what) {
    key(name);
    value(what);
  }

  // The next values and objects each begin a line of their own, where it helps to look at the file.
  void line();

 private:
  void open(char opening, char closing);
  void separate();
  void quoted(std::string_view text);

  Sink& out_;
  std::vector<char> closings_;
  bool first_ = true;      // nothing yet in the innermost object or array
  bool after_key_ = false;
};

}  // namespace trikal::report
