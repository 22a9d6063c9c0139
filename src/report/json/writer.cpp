#include "report/json/writer.hpp"

#include <fmt/format.h>

#include <cmath>

namespace trikal::report {
namespace {

// How many bytes the UTF-8 character at the front has; 0 if there is none. Overlong forms and surrogates are none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return low <= byte(i) && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool second = follows(1, lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf);
    return second && follows(2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool second = follows(1, lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

std::string escaped(unsigned char c) {
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    default: return fmt::format("\\u{:04x}", c);
  }
}

}  // namespace

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!first_) out_.put(",");
  first_ = false;
}

void JsonWriter::line() {
  if (!first_) out_.put(",");
  first_ = true;  // the comma is written
  out_.put("\n");
}

void JsonWriter::open(char opening, char closing) {
  separate();
  out_.put({&opening, 1});
  closings_.push_back(closing);
  first_ = true;
}

void JsonWriter::close() {
  const char closing = closings_.back();
  out_.put({&closing, 1});
  closings_.pop_back();
  first_ = false;
}

void JsonWriter::key(std::string_view name) {
  separate();
  quoted(name);
  out_.put(":");
  after_key_ = true;
}

void JsonWriter::quoted(std::string_view text) {
  out_.put("\"");
  std::size_t plain = 0;  // characters that need no change go out together
  const auto flush = [&](std::size_t count) {
    out_.put(text.substr(0, count));
    text.remove_prefix(count);
    plain = 0;
  };
  while (plain < text.size()) {
    const auto c = static_cast<unsigned char>(text[plain]);
    const std::size_t bytes = character_bytes(text.substr(plain));
    if (bytes > 0 && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) {
      plain += bytes;
      continue;
    }
    flush(plain);
    out_.put(bytes == 0 ? fmt::format("\\udc{:02x}", c) : escaped(c));
    text.remove_prefix(1);
  }
  flush(plain);
  out_.put("\"");
}

void JsonWriter::value(std::string_view text) { separate(), quoted(text); }
void JsonWriter::value(std::int64_t number) { separate(), out_.put_int(number); }
void JsonWriter::value(std::uint64_t number) { separate(), out_.put_uint(number); }
void JsonWriter::value(bool truth) { separate(), out_.put(truth ? "true" : "false"); }
void JsonWriter::null() { separate(), out_.put("null"); }

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  out_.put(fmt::format("{}", number));
}

}  // namespace trikal::report
