// Values as text: by a format, or list-directed with libgfortran's widths.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "predict/models/fortran.hpp"
#include "predict/models/fortran_format.hpp"

namespace trikal::predict {
namespace {

constexpr Word kListRecord = 524288;  // of a record without a format: from there on it is written in pieces
constexpr std::size_t kKeptText = 1 << 17;

std::string printed(const char* pattern, int digits, double value) {
  char buffer[512];
  const int size = std::snprintf(buffer, sizeof buffer, pattern, digits, value);
  return {buffer, static_cast<std::size_t>(std::clamp<int>(size, 0, sizeof buffer - 1))};
}

std::string fitted(std::string text, int width) {
  if (width <= 0) return text;
  const auto columns = static_cast<std::size_t>(width);
  if (text.size() > columns && (text.starts_with("0.") || text.starts_with("-0."))) text.erase(text.find('0'), 1);
  if (text.size() > columns) return std::string(columns, '*');
  return std::string(columns - text.size(), ' ') + text;
}

std::string fixed_text(double value, int width, int digits) {
  std::string text = printed("%.*f", digits, value);
  if (digits == 0) text += '.';
  if (width == 0 && text.size() > 2 && (text.starts_with("0.") || text.starts_with("-0.")))
    text.erase(text.find('0'), 1);
  return fitted(text, width);
}

std::string power_text(double value, char kind, int width, int digits, int exponent, int scale) {
  int before = kind == 'S' ? 1 : kind == 'N' ? 1 : scale;
  const int kept = kind == 'S' || kind == 'N' ? digits + 1 : before > 0 ? digits + 1 : digits + before;
  std::string text = printed("%.*e", std::max(kept - 1, 0), std::abs(value));
  const std::size_t e = text.find('e');
  int power = value == 0 || e == std::string::npos ? 0 : std::atoi(text.c_str() + e + 1) + 1 - before;
  std::string mantissa = text.substr(0, e);
  mantissa.erase(std::remove(mantissa.begin(), mantissa.end(), '.'), mantissa.end());
  if (kind == 'N' && value != 0) {
    const int shift = ((power % 3) + 3) % 3;
    before += shift, power -= shift;
    text = printed("%.*e", before + digits - 1, std::abs(value));
    mantissa = text.substr(0, text.find('e'));
    mantissa.erase(std::remove(mantissa.begin(), mantissa.end(), '.'), mantissa.end());
  }
  const auto point = static_cast<std::size_t>(std::max(before, 0));
  std::string out = before <= 0 ? "0." + std::string(static_cast<std::size_t>(-before), '0') + mantissa
                                : mantissa.substr(0, point) + "." + mantissa.substr(std::min(point, mantissa.size()));
  const std::string size = std::to_string(std::abs(power));
  const std::size_t digits_wanted = exponent > 0 ? static_cast<std::size_t>(exponent) : 2;
  const std::string sign = power < 0 ? "-" : "+";
  const std::string padded = size.size() < digits_wanted ? std::string(digits_wanted - size.size(), '0') + size : size;
  const bool shows_kind = exponent > 0 || size.size() <= 2;
  out += (shows_kind ? std::string(1, kind == 'D' ? 'D' : 'E') : "") + sign + padded;
  return fitted((std::signbit(value) ? "-" : "") + out, width);
}

// As G does: fixed with blanks for the exponent where the size allows it.
std::string general_text(double value, int width, int digits, int exponent, int scale) {
  const double size = std::abs(value);
  const int blanks = exponent > 0 ? exponent + 2 : 4;
  const int power = value == 0 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
  if (value != 0 && (power < 0 || power > digits)) return power_text(value, 'E', width, digits, exponent, scale);
  return fixed_text(value, std::max(width - blanks, 1), digits - (value == 0 ? 1 : power)) +
         std::string(static_cast<std::size_t>(blanks), ' ');
}

std::string integer_text(Value value, unsigned bits, int width, int least) {
  const std::int64_t number = with_sign(value.bits, bits);
  std::string digits = std::to_string(number < 0 ? 0 - static_cast<Word>(number) : static_cast<Word>(number));
  if (digits.size() < static_cast<std::size_t>(least))
    digits.insert(0, static_cast<std::size_t>(least) - digits.size(), '0');
  if (number < 0) digits.insert(0, "-");
  if (width <= 0) return digits;
  const auto columns = static_cast<std::size_t>(width);
  return digits.size() > columns ? std::string(columns, '*') : std::string(columns - digits.size(), ' ') + digits;
}

// From there on the number has another digit, and a loop that prints it writes more.
void tell_digits(Machine& machine, const Call& call, Value value, unsigned bits) {
  const std::int64_t number = with_sign(value.bits, bits);
  const auto size = static_cast<Word>(std::llabs(number));
  Word top = 10;
  while (top <= size && top < ~Word{0} / 10) top *= 10;
  machine.compare(call, size, top - 1, value.data);
  if (number < 0) machine.compare(call, 1, size, value.data);
  if (size >= 10) machine.compare(call, top / 10, size, value.data);
}

// As long as the value wants it: iterations whose text has another length are not alike.
void tell_length(Machine& machine, const Call& call, const FortranItem& item, std::size_t length) {
  Event happened{Happened::kChoice};
  happened.data = item.value.data;
  happened.id = call.at.id, happened.a = length;
  machine.event(happened);
}

std::string based_text(Value value, unsigned bits, const FortranEdit& edit) {
  const unsigned shift = edit.kind == 'Z' ? 4 : edit.kind == 'O' ? 3 : 1;
  std::string digits;
  for (Word left = lowest(value.bits, bits); left != 0; left >>= shift)
    digits.insert(digits.begin(), "0123456789ABCDEF"[left & ((1U << shift) - 1)]);
  if (digits.empty()) digits = "0";
  if (digits.size() < static_cast<std::size_t>(edit.digits))
    digits.insert(0, static_cast<std::size_t>(edit.digits) - digits.size(), '0');
  return fitted(digits, edit.width);
}

double real_of(Value value, Word bytes) {
  return bytes == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value.bits))) : value.real();
}

struct Text {
  std::string text;
  bool known = true, sized = true;
};

Text character_text(Machine& machine, const FortranItem& item, int width) {
  Text out;
  out.text.resize(item.bytes, '?');
  out.known = item.bytes <= kKeptText && machine.memory.read(item.address, out.text.data(), item.bytes);
  if (width <= 0) return out;
  const auto columns = static_cast<std::size_t>(width);
  if (out.text.size() > columns) out.text.resize(columns);
  out.text.insert(0, columns - out.text.size(), ' ');
  return out;
}

Text edited(Machine& machine, const Call& call, const FortranItem& item, const FortranEdit& edit, int scale) {
  const int width = edit.has_width ? edit.width : 0;
  const auto bits = static_cast<unsigned>(8 * item.bytes);
  if (item.kind == FortranKind::kText) return character_text(machine, item, edit.kind == 'A' ? width : 0);
  constexpr std::size_t kAssumed = 8;
  if (!item.value.known())
    return {std::string(width > 0 ? static_cast<std::size_t>(width) : kAssumed, '?'), false, width > 0};
  if (item.kind == FortranKind::kLogical) {
    const std::string mark = (item.value.bits & 1) != 0 ? "T" : "F";
    return {std::string(static_cast<std::size_t>(std::max(width - 1, 0)), ' ') + mark};
  }
  if (edit.kind == 'Z' || edit.kind == 'O' || edit.kind == 'B') return {based_text(item.value, bits, edit)};
  if (item.kind == FortranKind::kInteger) {
    if (width == 0) tell_digits(machine, call, item.value, bits);
    return {integer_text(item.value, bits, width, edit.kind == 'I' ? edit.digits : 0)};
  }
  const double value = real_of(item.value, item.bytes);
  if (!std::isfinite(value)) return {fitted(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity", width)};
  if (edit.kind == 'G' && width == 0) {
    const int digits = edit.has_digits ? edit.digits : item.bytes == 4 ? 9 : 17;
    std::string text = general_text(value, 40, digits, item.bytes == 4 ? 2 : 3, 1);
    text.erase(0, text.find_first_not_of(' '));
    return {trimmed(text)};
  }
  return {real_text(value, edit.kind, width, edit.digits, edit.exponent, scale)};
}

std::string list_real(Value value, Word bytes) {
  const int digits = bytes == 4 ? 9 : 17, width = bytes == 4 ? 16 : 25;
  const double number = real_of(value, bytes);
  if (!std::isfinite(number)) return fitted("NaN", width);
  const double size = std::abs(number);
  const int blanks = bytes == 4 ? 4 : 5;
  const int power = number == 0 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
  if (number != 0 && (power < 0 || power > digits)) return power_text(number, 'E', width, digits - 1, 0, 1);
  return fixed_text(number, width - blanks, digits - power) + std::string(static_cast<std::size_t>(blanks), ' ');
}

}  // namespace

std::string real_text(double value, char kind, int width, int digits, int exponent, int scale) {
  if (kind == 'F') return fixed_text(scale == 0 ? value : value * std::pow(10, scale), width, digits);
  if (kind == 'G') return general_text(value, width, digits, exponent, scale);
  return power_text(value, kind, width, digits, exponent, scale);
}

void add_text(FortranStatement& statement, const std::string& text, bool known) {
  const Word end = statement.column + text.size();
  if (statement.known && known && end <= kKeptText && statement.text.size() == statement.length) {
    if (statement.column > statement.text.size()) statement.text.resize(statement.column, ' ');
    if (end > statement.text.size()) statement.text.resize(end, ' ');
    statement.text.replace(statement.column, text.size(), text);
  } else {
    statement.known = false;
    statement.text.clear();
  }
  statement.column = end;
  statement.length = std::max(statement.length, end);
}

void put_by_format(Machine& machine, const Call& call, FortranStatement& statement, const FortranItem* item) {
  while (true) {
    const FormatStep step = next_step(statement, item != nullptr);
    if (step.again) {
      put_record_end(machine, call, statement);
      continue;
    }
    if (step.edit == nullptr) return;
    const FortranEdit& edit = *step.edit;
    if (is_data(edit)) {
      const Text out = edited(machine, call, *item, edit, statement.cursor.scale);
      const bool told = item->kind == FortranKind::kInteger && edit.kind == 'I';  // by its digits
      if (!told && (!edit.has_width || edit.width <= 0)) tell_length(machine, call, *item, out.text.size());
      statement.sized = statement.sized && out.sized;
      return add_text(statement, out.text, out.known);
    }
    switch (edit.kind) {
      case FortranEdit::kText: add_text(statement, edit.text); break;
      case 'X': statement.column += static_cast<Word>(edit.width); break;
      case FortranEdit::kTo: statement.column = static_cast<Word>(std::max(edit.width - 1, 0)); break;
      case FortranEdit::kLeft: statement.column -= std::min(statement.column, static_cast<Word>(edit.width)); break;
      case 'P': statement.cursor.scale = edit.width; break;
      case '$': statement.advance = false; break;
      case '/':
        for (int i = 0; i < edit.width; ++i) put_record_end(machine, call, statement);
        break;
      default: break;
    }
  }
}

void put_by_list(Machine& machine, const Call& call, FortranStatement& statement, const FortranItem& item) {
  if (item.kind == FortranKind::kText) {
    const Text out = character_text(machine, item, 0);
    tell_length(machine, call, item, out.text.size());
    if (statement.first || !statement.after_text) add_text(statement, " ");
    add_text(statement, out.text, out.known);
  } else if (item.kind == FortranKind::kLogical) {
    add_text(statement, (item.value.bits & 1) != 0 ? " T" : " F", item.value.known());
  } else if (item.kind == FortranKind::kInteger) {
    const int width = item.bytes == 1 ? 4 : item.bytes == 2 ? 6 : item.bytes == 4 ? 11 : 20;
    add_text(statement, " " + integer_text(item.value, static_cast<unsigned>(8 * item.bytes), width, 0),
             item.value.known());
  } else if (item.kind == FortranKind::kReal) {
    add_text(statement, " " + list_real(item.value, item.bytes), item.value.known());
  } else {  // complex: in brackets, at the right of the same field
    add_text(statement, std::string(item.bytes == 4 ? 36 : 54, '?'), false);
  }
  statement.after_text = item.kind == FortranKind::kText;
  statement.first = false;
  FortranUnit* unit = statement.internal ? nullptr : unit_numbered(machine, statement.unit);
  if (unit == nullptr) return;
  machine.compare(call, statement.length + 1, kListRecord);
  if (statement.length < kListRecord) return;
  unit_write(machine, call, *unit, statement.length, statement.known ? &statement.text : nullptr);
  statement.text.clear();
  statement.length = statement.column = 0;
  statement.known = true;
}

void put_item(Machine& machine, const Call& call, FortranStatement& statement, const FortranItem& item) {
  if (statement.list) return put_by_list(machine, call, statement, item);
  if (!statement.format) {  // nobody knows it
    statement.sized = false;
    return add_text(statement, std::string(8, '?'), false);
  }
  if (item.kind != FortranKind::kComplex) return put_by_format(machine, call, statement, &item);
  FortranItem part = item;
  part.kind = FortranKind::kReal;
  put_by_format(machine, call, statement, &part);
  part.value = item.second;
  put_by_format(machine, call, statement, &part);
}

}  // namespace trikal::predict
