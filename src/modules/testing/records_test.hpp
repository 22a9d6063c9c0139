#pragma once
// For the modules' tests: records made by hand, in either byte order and in old forms, and read by name.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "schema/form.hpp"

namespace trikal::modules::testing {

// Full names of the words of a fixed record or of a head, in the newest form; a field of several words has
// its name several times.
inline std::vector<std::string> word_names(const ModuleSchema& schema) {
  std::vector<std::string> names(std::max<std::size_t>(schema.head_bytes / 8, schema.counters_at / 8));
  names[0] = "id", names[1] = "rank";
  for (const Field& field : schema.fields) {
    if (field.offset + field.bytes > schema.head_bytes) continue;
    for (std::size_t at = field.offset; at < field.offset + field.bytes; at += 8) names[at / 8] = field.name;
  }
  std::size_t word = schema.counters_at / 8;
  for (const Counter& counter : schema.counters) {
    for (std::size_t i = 0; i < counter.width(); ++i, ++word) {
      if (word >= names.size()) names.resize(word + 1);
      names[word] = bucket_name(counter, i);
    }
  }
  return names;
}

// Byte offset of a counter or field by its full name; fails the test where there is none.
inline std::size_t offset_of(const ModuleSchema& schema, std::string_view name) {
  const auto names = word_names(schema);
  const auto found = std::find(names.begin(), names.end(), name);
  EXPECT_NE(found, names.end()) << name;
  return 8 * static_cast<std::size_t>(found - names.begin());
}

// A record of an old version. It has the newest names in the newest order, less those that are `fresh`, and
// with those that are `gone` behind a certain one. Every word holds a value of its own.
class Upgrade {
 public:
  using Fresh = std::vector<std::string>;
  struct Gone {
    std::string behind;
    std::vector<std::string> names;
  };

  Upgrade(const ModuleFormat& format, std::uint32_t version, const Fresh& fresh, const std::vector<Gone>& gone = {})
      : form_(*format.form(version)), new_names_(word_names(*format.schema)), fresh_(fresh.begin(), fresh.end()) {
    EXPECT_EQ(fresh_.size(), fresh.size());
    for (const std::string& name : new_names_) {
      if (!fresh_.contains(name)) old_names_.push_back(name);
      for (const Gone& lost : gone) {
        if (lost.behind == name) old_names_.insert(old_names_.end(), lost.names.begin(), lost.names.end());
      }
    }
    for (std::size_t i = 0; i < old_names_.size(); ++i) old_.push_back(0x0101'0000'0000'0000U + 1000 + i);
    EXPECT_EQ(8 * old_.size(), form_.head_bytes);
  }

  void set_old(std::string_view name, std::int64_t value) {
    old_[index(old_names_, name)] = static_cast<std::uint64_t>(value);
  }
  // Whether the record is kept. All words that both forms have must be the same.
  bool run() {
    now_.assign(new_names_.size(), 0xdeadbeef);
    if (!form_.upgrade(old_.data(), now_.data())) return false;
    for (const std::string& name : new_names_) {
      if (fresh_.contains(name)) continue;
      EXPECT_EQ(now_[index(new_names_, name)], old_[index(old_names_, name)]) << name;
    }
    return true;
  }
  [[nodiscard]] std::int64_t old(std::string_view name) const {
    return static_cast<std::int64_t>(old_[index(old_names_, name)]);
  }
  [[nodiscard]] std::int64_t now(std::string_view name) const {
    return static_cast<std::int64_t>(now_[index(new_names_, name)]);
  }
  [[nodiscard]] double now_real(std::string_view name) const {
    return std::bit_cast<double>(now_[index(new_names_, name)]);
  }

 private:
  static std::size_t index(const std::vector<std::string>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw std::out_of_range(std::string(name));
    return static_cast<std::size_t>(found - names.begin());
  }

  const Form& form_;
  std::vector<std::string> new_names_, old_names_;
  std::set<std::string> fresh_;
  std::vector<std::uint64_t> old_, now_;
};

enum class Order : std::uint8_t { kNative, kForeign };

// Bytes of a record, written field by field.
class RecordBytes {
 public:
  explicit RecordBytes(Order order = Order::kNative) : foreign_(order == Order::kForeign) {}

  RecordBytes& i64(std::int64_t value) { return put(static_cast<std::uint64_t>(value)); }
  RecordBytes& u64(std::uint64_t value) { return put(value); }
  RecordBytes& f64(double value) { return put(std::bit_cast<std::uint64_t>(value)); }
  RecordBytes& u32(std::uint32_t value) { return put(value); }
  RecordBytes& text(std::string_view value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) bytes_.push_back(static_cast<std::byte>(i < value.size() ? value[i] : 0));
    return *this;
  }
  RecordBytes& words(std::size_t count, std::int64_t first = 1) {
    for (std::size_t i = 0; i < count; ++i) i64(first + static_cast<std::int64_t>(i));
    return *this;
  }
  [[nodiscard]] std::vector<std::byte> bytes() const { return bytes_; }

 private:
  template <class T>
  RecordBytes& put(T value) {
    if (foreign_) value = byteswap(value);
    bytes_.resize(bytes_.size() + sizeof value);
    store(bytes_.data() + bytes_.size() - sizeof value, value);
    return *this;
  }

  bool foreign_;
  std::vector<std::byte> bytes_;
};

// What the reader does with a record of the other byte order.
inline std::vector<std::byte> to_native(const Form& form, std::vector<std::byte> record) {
  if (form.swap_head != nullptr) form.swap_head(record.data());
  else swap_words(record.data(), form.head_bytes / 8);
  if (form.tail == nullptr) return record;
  const auto tail = form.tail(record.data());
  EXPECT_TRUE(tail.ok() && form.head_bytes + tail->items * tail->item_bytes == record.size());
  std::byte* const items = record.data() + form.head_bytes;
  if (form.swap_items != nullptr) form.swap_items(record.data(), items, tail->items);
  else swap_words(items, tail->items * tail->item_bytes / 8);
  return record;
}

// The head tells how long the record is.
inline void expect_size_told(const Form& form, const RecordBytes& record) {
  const std::vector<std::byte> bytes = record.bytes();
  const auto tail = form.tail(bytes.data());
  ASSERT_TRUE(tail.ok());
  EXPECT_EQ(form.head_bytes + tail->items * tail->item_bytes, bytes.size());
}

// `write` is given a RecordBytes and fills it: what is written foreign must come out as if written native.
template <class Write>
void expect_same_in_both_orders(const Form& form, Write write) {
  RecordBytes native(Order::kNative);
  RecordBytes foreign(Order::kForeign);
  write(native);
  write(foreign);
  EXPECT_NE(foreign.bytes(), native.bytes());
  EXPECT_EQ(to_native(form, foreign.bytes()), native.bytes());
}

// Counts that a damaged or hostile log may hold and no record can have.
inline const std::vector<std::int64_t> kAbsurdCounts = {-1, -2, std::numeric_limits<std::int64_t>::min(),
                                                        std::numeric_limits<std::int64_t>::max(), kMostItems + 1};

}  // namespace trikal::modules::testing
