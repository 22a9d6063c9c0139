// Formats: '(3(I4,1X),F8.3,A)'.

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "predict/models/fortran.hpp"
#include "predict/models/fortran_format.hpp"

namespace trikal::predict {
namespace {

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  std::shared_ptr<FortranFormat> all() {
    auto format = std::make_shared<FortranFormat>();
    skip();
    if (!take('(')) return nullptr;
    if (!group(*format, 0)) return nullptr;
    return format;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] char here() {
    skip();
    return at_ < text_.size() ? static_cast<char>(std::toupper(static_cast<unsigned char>(text_[at_]))) : '\0';
  }
  bool number(int& out) {
    skip();
    const std::size_t begin = at_;
    if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == begin) return false;
    out = std::atoi(text_.substr(begin, at_ - begin).c_str());
    return true;
  }

  bool group(FortranFormat& format, int depth) {
    while (true) {
      const char c = here();
      if (c == '\0') return false;
      if (c == ')') return ++at_, true;
      if (c == ',') {
        ++at_;
        continue;
      }
      if (!edit(format, depth)) return false;
    }
  }

  bool edit(FortranFormat& format, int depth) {
    FortranEdit one;
    int repeat = 1;
    bool counted = false;
    if (here() == '*') ++at_, one.repeat = ~Word{0}, counted = true;
    else if (number(repeat)) counted = true, one.repeat = static_cast<Word>(std::max(repeat, 0));
    const char c = here();
    if (c == '(') {
      ++at_;
      one.kind = FortranEdit::kOpen;
      if (depth == 0) format.revert = format.edits.size();
      format.edits.push_back(one);
      if (!group(format, depth + 1)) return false;
      one.kind = FortranEdit::kClose;
      format.edits.push_back(one);
      return true;
    }
    if (c == '\'' || c == '"') return quoted(format, c);
    ++at_;
    if (c == 'H' && counted) {
      one.kind = FortranEdit::kText, one.text = text_.substr(at_, static_cast<std::size_t>(repeat));
      at_ += static_cast<std::size_t>(repeat);
    } else if (c == 'X' || c == '/' || c == ':' || c == '$') {
      one.kind = c;
      one.width = counted ? repeat : 1;
    } else if (c == 'P') {
      one.kind = c, one.width = counted ? repeat : 0;
    } else if (c == 'T') {
      tab(one);
    } else {
      return data(format, one, c);
    }
    one.repeat = 1;
    format.edits.push_back(one);
    return true;
  }

  bool quoted(FortranFormat& format, char mark) {
    FortranEdit one;
    one.kind = FortranEdit::kText;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == mark) {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != mark) break;
        ++at_;
      }
      one.text += text_[at_];
    }
    if (at_ >= text_.size()) return false;
    ++at_;
    format.edits.push_back(one);
    return true;
  }

  void tab(FortranEdit& one) {
    one.kind = FortranEdit::kTo;
    if (here() == 'L') ++at_, one.kind = FortranEdit::kLeft;
    else if (here() == 'R') ++at_, one.kind = 'X';
    if (!number(one.width)) one.width = 1;
  }

  bool data(FortranFormat& format, FortranEdit one, char c) {
    if (c == 'E' && here() == 'N') ++at_, c = FortranEdit::kEngineering;
    else if (c == 'E' && here() == 'S') ++at_, c = FortranEdit::kScientific;
    else if (c == 'S' || c == 'B' || c == 'R' || c == 'D') {  // SP, BN, RU, DC: they change no length that is counted
      const char next = here();
      const std::string_view second = c == 'S' ? "PSU" : c == 'B' ? "NZ" : c == 'R' ? "UDZNCP" : "CP";
      if (second.find(next) != std::string_view::npos && next != '\0') return ++at_, true;
      if (c == 'S') return true;
    }
    if (std::string_view("IBOZFEDGLANS").find(c) == std::string_view::npos) return false;
    one.kind = c;
    one.has_width = number(one.width);
    if (take('.')) one.has_digits = number(one.digits);
    if (here() == 'E' && one.has_digits) ++at_, (void)number(one.exponent);
    format.edits.push_back(one);
    return true;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::shared_ptr<const FortranFormat> parse_format(const std::string& text) { return Parser(text).all(); }

bool is_data(const FortranEdit& edit) {
  return std::string_view("IBOZFEDGLANS").find(edit.kind) != std::string_view::npos;
}

FormatStep next_step(FortranStatement& statement, bool has_item) {
  FortranCursor& cursor = statement.cursor;
  const FortranFormat& format = *statement.format;
  while (!cursor.stopped) {
    if (cursor.at >= format.edits.size()) {
      if (!has_item || !cursor.used) break;
      cursor.at = format.revert, cursor.used = false;
      cursor.groups.clear();
      return {nullptr, true};
    }
    const FortranEdit& edit = format.edits[cursor.at];
    if (edit.kind == FortranEdit::kOpen) {
      cursor.groups.emplace_back(cursor.at++, edit.repeat);
    } else if (edit.kind == FortranEdit::kClose) {
      auto& [begin, left] = cursor.groups.back();
      if (left != ~Word{0}) --left;
      const bool endless = left == ~Word{0} && !cursor.used;
      if (left > 0 && !endless) cursor.at = begin + 1;
      else cursor.groups.pop_back(), ++cursor.at;
    } else if (edit.kind == ':') {
      if (!has_item) break;
      ++cursor.at;
    } else if (is_data(edit)) {
      if (!has_item) break;
      if (cursor.left == 0) cursor.left = edit.repeat;
      if (cursor.left != ~Word{0}) --cursor.left;
      if (cursor.left == 0) ++cursor.at;
      cursor.used = true;
      return {&edit, false};
    } else {
      ++cursor.at;
      return {&edit, false};
    }
  }
  cursor.stopped = true;
  return {};
}

}  // namespace trikal::predict
