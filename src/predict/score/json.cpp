#include "predict/score/json.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>

namespace trikal::predict {
namespace {

constexpr int kDeepest = 64;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<Json> whole() {
    Json out;
    if (!value(out, 0)) return std::nullopt;
    blanks();
    return at_ == text_.size() ? std::optional(std::move(out)) : std::nullopt;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  bool value(Json& out, int depth) {
    blanks();
    if (depth > kDeepest || at_ >= text_.size()) return false;
    switch (text_[at_]) {
      case '{': return object(out, depth);
      case '[': return array(out, depth);
      case '"': out.kind = Json::Kind::kText; return string(out.text);
      case 't': out.kind = Json::Kind::kTruth, out.number = 1; return word("true");
      case 'f': out.kind = Json::Kind::kTruth; return word("false");
      case 'n': return word("null");
      default: return numeral(out);
    }
  }

  bool numeral(Json& out) {
    out.kind = Json::Kind::kNumber;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), out.number);
    if (error != std::errc()) return false;
    at_ = static_cast<std::size_t>(end - text_.data());
    return true;
  }

  bool string(std::string& out) {
    if (!take('"')) return false;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c == '\\') {
        if (at_ >= text_.size()) return false;
        constexpr std::string_view kFrom = "nrtbf", kTo = "\n\r\t\b\f";
        c = text_[at_++];
        if (c == 'u') at_ += 4, c = '?';
        else if (const std::size_t known = kFrom.find(c); known != std::string_view::npos) c = kTo[known];
      }
      out += c;
    }
    return take('"');
  }

  bool array(Json& out, int depth) {
    out.kind = Json::Kind::kArray;
    (void)take('[');
    if (take(']')) return true;
    do {
      if (!value(out.items.emplace_back(), depth + 1)) return false;
    } while (take(','));
    return take(']');
  }

  bool object(Json& out, int depth) {
    out.kind = Json::Kind::kObject;
    (void)take('{');
    if (take('}')) return true;
    do {
      std::string name;
      blanks();
      if (!string(name) || !take(':') || !value(out.fields[name], depth + 1)) return false;
    } while (take(','));
    return take('}');
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const Json& Json::operator[](const std::string& name) const {
  static const Json kNothing;
  const auto found = fields.find(name);
  return found == fields.end() ? kNothing : found->second;
}

std::optional<Json> parse_json(std::string_view text) { return Reader(text).whole(); }

std::optional<Json> read_json(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) out += fmt::format("\\u{:04x}", c);
    else out += c;
  }
  return out + '"';
}

}  // namespace trikal::predict
