#pragma once
// Reads JSON files of ours: models, profiles, what fio prints. Small files, so the whole is held; hostile ones only fail.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trikal::predict {

struct Json {
  enum class Kind : std::uint8_t { kNull, kTruth, kNumber, kText, kArray, kObject };
  Kind kind = Kind::kNull;
  double number = 0;  // also of a truth
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json> fields;

  // A member; null where there is none.
  [[nodiscard]] const Json& operator[](const std::string& name) const;
  [[nodiscard]] double number_or(double otherwise) const { return kind == Kind::kNumber ? number : otherwise; }
};

[[nodiscard]] std::optional<Json> parse_json(std::string_view text);
[[nodiscard]] std::optional<Json> read_json(const std::string& path);  // nothing: not there, or no JSON

// Quoted, as JSON wants it.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace trikal::predict
