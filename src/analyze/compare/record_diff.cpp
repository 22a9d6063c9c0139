#include "analyze/compare/record_diff.hpp"

#include <cstring>

#include "analyze/compare/traces.hpp"
#include "analyze/dataset/slot_history.hpp"

namespace trikal::analyze {
namespace {

struct Listed {
  std::string name;
  Value value;
};

// What a module's record_view tells of a record.
class ListedValues final : public ValueSink {
 public:
  void integer(std::string_view name, std::int64_t value) override { add(name, value); }
  void natural(std::string_view name, std::uint64_t value) override { add(name, value); }
  void real(std::string_view name, double value) override { add(name, value); }
  void text(std::string_view name, std::string_view value) override { add(name, std::string(value)); }

  std::vector<Listed> values;

 private:
  void add(std::string_view name, Value value) { values.push_back({std::string(name), std::move(value)}); }
};

class NoValues final : public ValueSink {
 public:
  void integer(std::string_view, std::int64_t) override {}
  void natural(std::string_view, std::uint64_t) override {}
  void real(std::string_view, double) override {}
  void text(std::string_view, std::string_view) override {}
};

std::string hex(const std::byte* at, std::size_t bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    text += kDigits[std::to_integer<unsigned>(at[i]) >> 4];
    text += kDigits[std::to_integer<unsigned>(at[i]) & 15];
  }
  return text;
}

}  // namespace

void RecordReporter::value(std::string_view name, const Value& a, const Value& b, Unit unit) {
  if (same(a, b, tolerance_)) return;
  if (changes_++ == 0) sink_.begin_record(record_);
  sink_.change({name, a, b, unit, relative_change(a, b)});
}

RecordDiff::RecordDiff(ModulePair& module, const CompareOptions& options, const FileKeys& keys)
    : format_(*module.format), options_(options), keys_(keys) {
  if (format_.schema->shape == Shape::kSliced) return;
  if (listed()) {
    for (const Counter& counter : format_.schema->counters) {
      for (std::size_t i = 0; i < counter.width(); ++i) by_name_.emplace(bucket_name(counter, i), &counter);
    }
    return;
  }
  add_counters(module);
  add_fields();
}

void RecordDiff::add_counters(ModulePair& module) {
  // Logs of one version agree on what they do not have.
  const bool alike = !module.a.present || !module.b.present || module.a.version == module.b.version;
  const auto known_in = [&](const ModulePair::Of& side) {
    return alike ? std::vector<bool>() : known_words(format_, side.version);
  };
  const std::vector<bool> in_a = known_in(module.a);
  const std::vector<bool> in_b = known_in(module.b);
  std::uint16_t at = format_.schema->counters_at;
  for (const Counter& counter : format_.schema->counters) {
    const bool wanted = said(static_cast<std::size_t>(&counter - format_.schema->counters.data()));
    for (std::size_t i = 0; i < counter.width(); ++i, at = static_cast<std::uint16_t>(at + 8)) {
      const std::size_t word = at / 8;
      if (!wanted) continue;
      if ((!in_a.empty() && !in_a[word]) || (!in_b.empty() && !in_b[word])) {
        ++module.unknown_counters;
        continue;
      }
      if (options_.ignore_times && depends_on_time(counter.unit, counter.fold)) continue;
      const auto as = counter.unit == Unit::kId     ? Column::As::kId
                      : counter.kind == Kind::kReal ? Column::As::kReal
                      : counter.kind == Kind::kUint ? Column::As::kUint
                                                    : Column::As::kInt;
      columns_.push_back({bucket_name(counter, i), at, 8, counter.unit, as});
    }
  }
}

// Of a comparison with a prediction only what that speaks of.
bool RecordDiff::said(std::size_t counter) const {
  if (options_.prediction == nullptr) return true;
  const PredictionScope::Module* module = options_.prediction->find(format_.schema->id);
  return module != nullptr && module->said[counter];
}

// Counters of calls that nobody watched are -1.
bool RecordDiff::unknown(const Column& column, const std::byte* record) {
  return column.as == Column::As::kInt && load<std::int64_t>(record + column.at) < 0;
}

std::uint64_t RecordDiff::values(Bytes a, Bytes b) const {
  const auto told = [](const Column& column, Bytes record) {
    return !record.empty() && load<std::int64_t>(record.data() + column.at) != 0 && !unknown(column, record.data());
  };
  std::uint64_t count = 0;
  for (const Column& column : columns_)
    if (told(column, a) || told(column, b)) ++count;
  return count;
}

void RecordDiff::add_fields() {
  if (options_.prediction != nullptr) return;
  for (const Field& field : format_.schema->fields) {
    if (field.offset + field.bytes > format_.schema->head_bytes) continue;
    Column column{std::string(field.name), field.offset, field.bytes, Unit::kNone, Column::As::kInt};
    switch (field.type) {
      // Unsigned fields are ids, here or elsewhere: another log may spell the same one differently.
      case Field::Type::kU64: column.as = Column::As::kId; break;
      case Field::Type::kI64: column.as = Column::As::kInt; break;
      case Field::Type::kF64: column.as = Column::As::kReal; break;
      case Field::Type::kText: column.as = Column::As::kText; break;
      case Field::Type::kUuid: column.as = Column::As::kBytes; break;
    }
    columns_.push_back(std::move(column));
  }
}

Value RecordDiff::value(const Column& column, const std::byte* record, bool b_side) const {
  const std::byte* at = record + column.at;
  switch (column.as) {
    case Column::As::kInt: return load<std::int64_t>(at);
    case Column::As::kUint: return load<std::uint64_t>(at);
    case Column::As::kReal: return load<double>(at);
    case Column::As::kId: return b_side ? keys_.of_b(load<std::uint64_t>(at)) : load<std::uint64_t>(at);
    case Column::As::kText: {
      std::string text(column.bytes, '\0');
      std::memcpy(text.data(), at, column.bytes);
      return text.substr(0, text.find('\0'));
    }
    case Column::As::kBytes: return hex(at, column.bytes);
  }
  return {};
}

void RecordDiff::pass(Side side, Bytes record) {
  if (!listed()) return;
  NoValues none;
  format_.record_view->values(record, side == Side::kA ? state_a_ : state_b_, none);
}

void RecordDiff::compare(Bytes a, Bytes b, RecordReporter& reporter) {
  if (format_.schema->shape == Shape::kSliced) return compare_traces(a, b, options_, reporter);
  const bool same_bytes = a.size() == b.size() && std::memcmp(a.data() + 8, b.data() + 8, a.size() - 8) == 0;
  // By name, equal ids may mean different files, so every value is looked at.
  if (same_bytes && options_.by == AlignBy::kId) return pass(Side::kA, a);
  if (listed()) return compare_listed(a, b, reporter);
  compare_columns(a, b, reporter);
}

void RecordDiff::compare_columns(Bytes a, Bytes b, RecordReporter& reporter) const {
  for (const Column& column : columns_) {
    if (options_.prediction != nullptr && (unknown(column, a.data()) || unknown(column, b.data()))) continue;
    const bool ids = column.as == Column::As::kId && options_.by == AlignBy::kName;
    if (!ids && std::memcmp(a.data() + column.at, b.data() + column.at, column.bytes) == 0) continue;
    reporter.value(column.name, value(column, a.data(), false), value(column, b.data(), true), column.unit);
  }
}

// Whether a value that a record_view named is not to be compared; finds its unit on the way.
bool RecordDiff::left_out(std::string_view name, const Value& value, Unit& unit) const {
  const auto found = by_name_.find(std::string(name));
  unit = Unit::kNone;
  if (found != by_name_.end()) {
    unit = found->second->unit;
    return options_.ignore_times && depends_on_time(unit, found->second->fold);
  }
  // Reals outside of any table are durations.
  return options_.ignore_times && std::holds_alternative<double>(value);
}

void RecordDiff::compare_listed(Bytes a, Bytes b, RecordReporter& reporter) {
  ListedValues in_a, in_b;
  format_.record_view->values(a, state_a_, in_a);
  format_.record_view->values(b, state_b_, in_b);
  std::unordered_map<std::string_view, std::size_t> index_of;
  for (std::size_t i = 0; i < in_b.values.size(); ++i) index_of.emplace(in_b.values[i].name, i);
  std::vector<bool> met(in_b.values.size());
  Unit unit = Unit::kNone;
  for (const Listed& one : in_a.values) {
    if (left_out(one.name, one.value, unit)) continue;
    const auto found = index_of.find(one.name);
    if (found != index_of.end()) met[found->second] = true;
    reporter.value(one.name, one.value, found != index_of.end() ? in_b.values[found->second].value : Value(), unit);
  }
  for (std::size_t i = 0; i < in_b.values.size(); ++i) {
    const Listed& other = in_b.values[i];
    if (met[i] || left_out(other.name, other.value, unit)) continue;
    reporter.value(other.name, Value(), other.value, unit);
  }
}

}  // namespace trikal::analyze
