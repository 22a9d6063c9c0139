#pragma once
// Reads one line of a file of JSON lines: an object with values that are numbers and texts. Other values are skipped. The line may be
// anything; nothing is copied before somebody asks for it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trikal::report {

class FlatObject {
 public:
  // Views of `line` are kept until the next call. The offset of an error counts from the beginning of the line.
  [[nodiscard]] Status parse(std::string_view line);

  // Nothing: there is no such field, or it has a value of another kind.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const;  // a whole one
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> number_in_text(std::string_view name) const;  // "12": of 64 bits
  // Whether it is this text, which must need no escape.
  [[nodiscard]] bool is(std::string_view name, std::string_view text) const;
  // As it stands there, escapes and all.
  [[nodiscard]] std::optional<std::string_view> raw_text(std::string_view name) const;

 private:
  enum class Kind : std::uint8_t { kNumber, kText, kOther };
  struct Field {
    std::string_view name, raw;
    Kind kind = Kind::kOther;
  };

  bool take(char wanted);
  void skip_blanks();
  bool read_field();
  bool read_text(std::string_view& raw);
  bool read_value(Field& field);
  bool skip_nested();
  bool read_fields();
  [[nodiscard]] const Field* find(std::string_view name, Kind kind) const;

  std::string_view line_;
  std::size_t at_ = 0;
  std::vector<Field> fields_;
};

}  // namespace trikal::report
