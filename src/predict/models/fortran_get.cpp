// Text into values: by a format, list-directed, and namelists.

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>

#include "predict/models/fortran.hpp"
#include "predict/models/fortran_format.hpp"
#include "predict/models/libc.hpp"

namespace trikal::predict {
namespace {

constexpr int kBadValue = 5010, kEndOfRecord = -2;

// What was read is known: however alike the last items were, the next may be longer or another.
void read_known(Machine& machine, const Call& call) { without_pattern(machine, call, machine.budget.steps()); }

bool blank(int c) { return c == ' ' || c == '\t' || c == '\r'; }

// 1.5D3 and 1.5+3 as C writes them.
std::string as_c(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool digit = !out.empty() && (std::isdigit(static_cast<unsigned char>(out.back())) != 0 || out.back() == '.');
    if (c == 'd' || c == 'D' || c == 'q' || c == 'Q') out += 'e';
    else if ((c == '+' || c == '-') && digit) out += std::string("e") + c;
    else if (!blank(c)) out += c;
  }
  return out;
}

bool truth(const std::string& text, bool& value) {
  for (const char c : text) {
    if (c == '.' || c == ' ') continue;
    value = c == 't' || c == 'T';
    return value || c == 'f' || c == 'F';
  }
  return false;
}

}  // namespace

bool store_item(Machine& machine, const Call& call, const FortranItem& item, const std::string& text) {
  const auto bytes = static_cast<unsigned>(item.bytes);
  char* end = nullptr;
  switch (item.kind) {
    case FortranKind::kText: {
      std::string whole = text.substr(0, item.bytes);
      whole.resize(item.bytes, ' ');
      machine.memory.write(item.address, whole.data(), whole.size());
      return true;
    }
    case FortranKind::kLogical: {
      bool value = false;
      const bool good = truth(text, value);
      if (good) machine.memory.store(item.address, bytes, Value::of(Word{value}));
      return good;
    }
    case FortranKind::kInteger: {
      const std::string number = as_c(text);
      const long long value = std::strtoll(number.c_str(), &end, 10);
      if (*end != '\0' && *end != '.') return false;
      machine.memory.store(item.address, bytes, Value::of(static_cast<Word>(value)));
      return *end == '\0';
    }
    case FortranKind::kReal: {
      const std::string number = as_c(text);
      const double value = std::strtod(number.c_str(), &end);
      if (*end != '\0') return false;
      if (bytes == 4)
        machine.memory.store(item.address, 4, Value::of(Word{std::bit_cast<std::uint32_t>(static_cast<float>(value))}));
      else machine.memory.store(item.address, 8, Value::of(value));
      return true;
    }
    default:
      machine.memory.forget(item.address, 2 * item.bytes, machine.unknown(call.at, "a value that was read").cause);
  }
  return true;
}

namespace {

// A value and the separator behind it; what it was, with its quotes taken off.
struct Token {
  std::string text;
  bool null = false, unknown = false;
};

void read_quoted(Machine& machine, const Call& call, FortranStatement& statement, int mark, std::string& out) {
  while (true) {
    const int c = next_character(machine, call, statement);
    if (c < 0) return;
    if (c == mark) {
      const int next = next_character(machine, call, statement);
      if (next != mark) return void(statement.pushed = next);
    }
    if (c != '\n') out += static_cast<char>(c);
  }
}

// Blanks, one comma, the end of the line.
void eat_separator(Machine& machine, const Call& call, FortranStatement& statement) {
  int c = next_character(machine, call, statement);
  while (blank(c)) c = next_character(machine, call, statement);
  if (c == ',') {
    do c = next_character(machine, call, statement);
    while (blank(c));
  }
  if (c == '\n') statement.line_ended = true;
  else if (c == '/') statement.slash = true;
  else statement.pushed = c;
}

Token read_token(Machine& machine, const Call& call, FortranStatement& statement, bool brackets) {
  Token token;
  int c = ' ';
  while (blank(c) || c == '\n') c = next_character(machine, call, statement);
  statement.line_ended = false;
  if (c == kNotKnown) return {{}, false, true};
  if (c == kFileEnd) return hit_end(machine, statement), token;
  if (c == '/') return statement.slash = true, Token{{}, true, false};
  if (c == ',') return Token{{}, true, false};
  if (c == '\'' || c == '"') {
    read_quoted(machine, call, statement, c, token.text);
    return eat_separator(machine, call, statement), token;
  }
  const bool bracket = brackets && c == '(';
  while (c >= 0 && c != '\n' && (bracket || !(blank(c) || c == ',' || c == '/' || c == ';'))) {
    token.text += static_cast<char>(c);
    if (bracket && c == ')') {
      c = next_character(machine, call, statement);
      break;
    }
    c = next_character(machine, call, statement);
    const bool counted = std::ranges::all_of(token.text.begin(), token.text.end() - 1,
                                             [](unsigned char d) { return std::isdigit(d) != 0; });
    if (token.text.size() > 1 && token.text.back() == '*' && counted && (c == '\'' || c == '"')) {
      std::string inner;
      read_quoted(machine, call, statement, c, inner);
      token.text += inner;
      c = next_character(machine, call, statement);
      break;
    }
  }
  statement.pushed = c;
  eat_separator(machine, call, statement);
  return token;
}

// 3*0: the rest of them wait.
void split_repeats(FortranStatement& statement, Token& token) {
  const std::size_t star = token.text.find('*');
  if (star == std::string::npos || star == 0) return;
  if (!std::ranges::all_of(token.text.substr(0, star), [](unsigned char d) { return std::isdigit(d) != 0; })) return;
  statement.repeats = std::strtoull(token.text.c_str(), nullptr, 10);
  token.text.erase(0, star + 1);
  token.null = token.text.empty();
  statement.repeated = token.text;
  if (statement.repeats > 0) --statement.repeats;
}

}  // namespace

void forget_item(Machine& machine, const Call& call, const FortranItem& item, std::string_view why) {
  const Word bytes = item.kind == FortranKind::kComplex ? 2 * item.bytes : item.bytes;
  machine.memory.forget(item.address, bytes, machine.unknown(call.at, why).cause);
}

namespace {

// A list goes on to as many lines as it needs: where they are not known, how much is read of them is not, either.
void take_unknown(Machine& machine, const Call& call, const FortranStatement& statement, const FortranItem& item) {
  forget_item(machine, call, item, "what was read from a file");
  FortranUnit* unit = statement.internal ? nullptr : unit_numbered(machine, statement.unit);
  const std::uint32_t file = unit == nullptr ? kNoFile : file_of(machine, *unit);
  if (file == kNoFile) return;
  unit->guessed = true;
  const Cause why =
      machine.unknown(call.at, "how many lines of " + machine.world.files[file].name + " a list takes").cause;
  machine.world.files[file].doubt = machine.doubts.of(why);
  for (std::uint32_t row = 0; row < machine.ledger.rows().size(); ++row) {
    LedgerRow& one = machine.ledger.at(row);
    if (one.key.file != file || !analyze::reads(one.key.operation)) continue;
    one.use.certainty = Certainty::kAssumed;
    if (one.why == kKnown) one.why = why;
  }
}

}  // namespace

void get_by_list(Machine& machine, const Call& call, FortranStatement& statement, const FortranItem& item) {
  if (statement.slash || statement.status != 0) return;
  Token token;
  if (statement.repeats > 0) {
    read_known(machine, call);
    --statement.repeats;
    token.text = statement.repeated, token.null = token.text.empty();
  } else {
    token = read_token(machine, call, statement, item.kind == FortranKind::kComplex);
    if (!token.unknown) read_known(machine, call);
    if (statement.status != 0 || token.null) return;
    if (token.unknown) return take_unknown(machine, call, statement, item);
    split_repeats(statement, token);
  }
  if (token.null) return;
  if (!store_item(machine, call, item, token.text)) fail_statement(statement, kBadValue);
}

void get_by_format(Machine& machine, const Call& call, FortranStatement& statement, const FortranItem* item) {
  while (statement.status == 0) {
    const FormatStep step = next_step(statement, item != nullptr);
    if (step.again) {
      if (!statement.line_there) skip_line(machine, call, statement);
      statement.line_there = false;
      continue;
    }
    if (step.edit == nullptr) return;
    const FortranEdit& edit = *step.edit;
    if (edit.kind == '/') {
      for (int i = 0; i < edit.width; ++i) {
        if (!statement.line_there) skip_line(machine, call, statement);
        statement.line_there = false;
      }
      continue;
    }
    if (edit.kind == ':' || edit.kind == 'P') continue;
    if (!statement.line_there && !load_line(machine, call, statement)) return;
    if (edit.kind == 'X') statement.line_at += static_cast<std::size_t>(edit.width);
    else if (edit.kind == FortranEdit::kTo) statement.line_at = static_cast<std::size_t>(std::max(edit.width - 1, 0));
    else if (edit.kind == FortranEdit::kLeft)
      statement.line_at -= std::min(statement.line_at, static_cast<std::size_t>(edit.width));
    if (!is_data(edit)) continue;
    if (!statement.line_known) return forget_item(machine, call, *item, "what was read from a file");
    read_known(machine, call);
    const std::size_t width = edit.has_width && edit.width > 0   ? static_cast<std::size_t>(edit.width)
                              : item->kind == FortranKind::kText ? item->bytes
                                                                 : statement.line.size();
    const std::size_t begin = std::min(statement.line_at, statement.line.size());
    std::string text = statement.line.substr(begin, width);
    if (text.size() < width && !statement.advance) fail_statement(statement, kEndOfRecord);
    statement.line_at = begin + text.size();
    if (item->kind == FortranKind::kText && text.size() > item->bytes) text.erase(0, text.size() - item->bytes);
    if (item->kind != FortranKind::kText && text.find_first_not_of(" \t\r") == std::string::npos) text = "0";
    if (item->kind == FortranKind::kReal && edit.digits > 0 && text.find_first_of(".eEdD") == std::string::npos)
      text += "E-" + std::to_string(edit.digits);
    if (!store_item(machine, call, *item, text) && statement.status == 0) fail_statement(statement, kBadValue);
    return;
  }
}

}  // namespace trikal::predict
