#pragma once
// A fixed-size record with its counters by name, checked at compile time:
//   Record<posix::kSchema> record;  record.at<"POSIX_BYTES_WRITTEN">() += moved;

#include <array>
#include <bit>

#include "base/fixed_string.hpp"
#include "schema/live_order.hpp"

namespace trikal {

enum class Order : bool { kLog, kLive };

// Of fewer bytes: the front of one.
template <const ModuleSchema& Schema, Order In = Order::kLog, std::size_t Bytes = Schema.head_bytes>
struct Record {
  static constexpr std::size_t kCounterWord = Schema.counters_at / 8;

  std::array<std::int64_t, Bytes / 8> words{};

  [[nodiscard]] BaseRecord base() const { return {static_cast<std::uint64_t>(words[0]), words[1]}; }
  void set_base(BaseRecord base) {
    words[0] = static_cast<std::int64_t>(base.id);
    words[1] = base.rank;
  }

  // An integer counter; `bucket` picks one of a histogram or of the common values.
  template <FixedString Name>
  constexpr std::int64_t& at(std::size_t bucket = 0) {
    constexpr std::size_t kSlot = slot_of(Schema.counters, Name.view());
    static_assert(kSlot < slots_in(Schema.counters, false), "this counter is a real: use real_at");
    static_assert(word_of(kSlot) < Bytes / 8, "this counter is not in the front of the record");
    return words[word_of(kSlot) + bucket];
  }

  // By slot number, for code that serves several counters alike. `number` is a counter's first.
  constexpr std::int64_t& slot(std::size_t number, std::size_t bucket = 0) { return words[word_of(number) + bucket]; }
  [[nodiscard]] double real_slot(std::size_t number) const { return std::bit_cast<double>(words[word_of(number)]); }
  void set_real_slot(std::size_t number, double value) { words[word_of(number)] = std::bit_cast<std::int64_t>(value); }

  template <FixedString Name>
  [[nodiscard]] double real() const {
    return std::bit_cast<double>(words[real_word<Name>()]);
  }
  template <FixedString Name>
  void set_real(double value) {
    words[real_word<Name>()] = std::bit_cast<std::int64_t>(value);
  }

 private:
  static constexpr std::size_t word_of(std::size_t slot) {
    return kCounterWord + (In == Order::kLive ? live_slot(Schema, slot) : slot);
  }

  template <FixedString Name>
  static consteval std::size_t real_word() {
    constexpr std::size_t kSlot = slot_of(Schema.counters, Name.view());
    static_assert(kSlot >= slots_in(Schema.counters, false), "this counter is an integer: use at");
    static_assert(word_of(kSlot) < Bytes / 8, "this counter is not in the front of the record");
    return word_of(kSlot);
  }
};

// The same while the process runs.
template <const ModuleSchema& Schema>
using LiveRecord = Record<Schema, Order::kLive>;
template <const ModuleSchema& Schema>
using BriefRecord = Record<Schema, Order::kLive, Schema.brief_bytes>;

}  // namespace trikal
