#pragma once
// How a record is listed value by value, where "its counters in order" is not the whole truth. Modules with
// more to say (components, bins, servers) bring a record_view in modules/<m>/record_view.hpp; text, CSV and JSON use it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/decimal.hpp"
#include "schema/module.hpp"

namespace trikal {

class ValueSink {
 public:
  virtual ~ValueSink() = default;
  virtual void integer(std::string_view name, std::int64_t value) = 0;
  virtual void natural(std::string_view name, std::uint64_t value) = 0;
  virtual void real(std::string_view name, double value) = 0;
  virtual void text(std::string_view name, std::string_view value) = 0;
};

// What stands in a listing beside a record's values. Empty optionals: taken from the name table and mounts.
struct RecordLabels {
  std::string name, mount, type;
  bool has_name = false, has_mount = false, has_type = false;
};

// What a module remembers from record to record while one log is listed (see apmpi). Begins as zero.
struct RecordViewState {
  std::uint64_t word = 0;
};

struct RecordView {
  // Null: the counters in order, then the fields with a line of their own (Field::line).
  void (*values)(Bytes record, RecordViewState& state, ValueSink& sink) = nullptr;
  // Null: nothing special.
  void (*labels)(Bytes record, RecordLabels& labels) = nullptr;
  // The name of a record the log has no name for; empty: none.
  std::string_view nameless = {};
  // Records that no listing shows.
  bool hidden = false;
  // What `values` names beyond the module's table; a '#' stands for a number.
  std::span<const Counter> also = {};
};

// A name that ends in a number, put together without asking for memory each time.
class NumberedName {
 public:
  explicit NumberedName(std::string_view stem) : text_(stem), stem_(stem.size()) {}
  [[nodiscard]] std::string_view operator()(std::uint64_t number) {
    char digits[kMaxIntegerText];
    text_.resize(stem_);
    return text_.append(digits, write_uint(digits, number));
  }

 private:
  std::string text_;
  std::size_t stem_;
};

// Every slot of a table by its full name, made at the first call.
template <const ModuleSchema& Schema>
[[nodiscard]] const std::vector<std::string>& slot_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Counter& counter : Schema.counters) {
      for (std::size_t i = 0; i < counter.width(); ++i) all.push_back(bucket_name(counter, i));
    }
    return all;
  }();
  return names;
}

// Hands the slots [first, last) of a record's table to the sink, each as the kind it is.
template <const ModuleSchema& Schema>
void list_slots(const std::byte* record, ValueSink& sink, std::size_t first = 0,
                std::size_t last = slots_in(Schema.counters)) {
  const std::vector<std::string>& names = slot_names<Schema>();
  std::size_t slot = 0;
  for (const Counter& counter : Schema.counters) {
    for (std::size_t i = 0; i < counter.width(); ++i, ++slot) {
      if (slot < first || slot >= last) continue;
      const std::byte* at = record + Schema.counters_at + 8 * slot;
      switch (counter.kind) {
        case Kind::kInt: sink.integer(names[slot], load<std::int64_t>(at)); break;
        case Kind::kUint: sink.natural(names[slot], load<std::uint64_t>(at)); break;
        case Kind::kReal: sink.real(names[slot], load<double>(at)); break;
      }
    }
  }
}

// Characters of a fixed-size field, up to its first NUL if it has one.
[[nodiscard]] inline std::string_view field_text(const std::byte* at, std::size_t bytes) {
  const std::string_view all(reinterpret_cast<const char*>(at), bytes);
  return all.substr(0, all.find('\0'));
}

}  // namespace trikal
