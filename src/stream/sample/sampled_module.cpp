#include "stream/sample/sampled_module.hpp"

#include <algorithm>
#include <numeric>

#include "log/crash/log_clock.hpp"
#include "log/crash/view.hpp"
#include "modules/list.hpp"
#include "schema/live_order.hpp"

namespace trikal::stream {
namespace {

constexpr std::uint16_t kIdWord = 0, kRankWord = 1;

template <class Change>
void for_each_number(FileAmounts& a, const FileAmounts& b, const Change& change) {
  for (std::size_t i = 0; i < kOperations; ++i) {
    change(a[i].calls, b[i].calls), change(a[i].bytes, b[i].bytes), change(a[i].steps, b[i].steps);
  }
}

// As the log will have it: what is negative or no time was never counted.
std::uint64_t count_of(std::uint64_t word) { return static_cast<std::int64_t>(word) > 0 ? word : 0; }
std::uint64_t steps_of(std::uint64_t word) {
  static_assert(log::crash::kClockSteps == kStepsPerSecond);
  return static_cast<std::uint64_t>(log::crash::rounded(std::bit_cast<double>(word)) * kStepsPerSecond);
}

std::size_t count_within(std::span<const std::uint16_t> words, std::size_t bytes) {
  return static_cast<std::size_t>(
      std::ranges::count_if(words, [&](std::uint16_t word) { return 8 * (std::size_t{word} + 1) <= bytes; }));
}

bool is_sampled(const ModuleSchema& schema) {
  return schema.shape == Shape::kFixed && schema.live == nullptr && schema.roles.meta_time != kNoSlot &&
         schema.head_bytes <= log::crash::kLargestRecord;
}

std::vector<SampledModule> make_modules(SampledModule::Order order) {
  std::vector<SampledModule> modules;
  for (const ModuleFormat* module : all_modules()) {
    if (is_sampled(*module->schema)) modules.emplace_back(*module->schema, order);
  }
  return modules;
}

}  // namespace

void raise(FileAmounts& held, const FileAmounts& to) {
  for_each_number(held, to, [](std::uint64_t& a, std::uint64_t b) { a = std::max(a, b); });
}
void lower(FileAmounts& held, const FileAmounts& to) {
  for_each_number(held, to, [](std::uint64_t& a, std::uint64_t b) { a = std::min(a, b); });
}
void add(FileAmounts& to, const FileAmounts& more) {
  for_each_number(to, more, [](std::uint64_t& a, std::uint64_t b) { a += b; });
}
void subtract(FileAmounts& from, const FileAmounts& less) {
  for_each_number(from, less, [](std::uint64_t& a, std::uint64_t b) { a -= b; });
}
bool is_below(const FileAmounts& a, const FileAmounts& b) {
  bool below = false;
  FileAmounts copy = a;
  for_each_number(copy, b, [&](std::uint64_t& x, std::uint64_t y) { below = below || x < y; });
  return below;
}

SampledModule::SampledModule(const ModuleSchema& schema, Order order) : schema_(&schema) {
  roles_.push_back({.word = kIdWord}), roles_.push_back({.word = kRankWord});
  // Which word of the record has what a word of the log's record has.
  std::vector<std::uint64_t> sources(schema.head_bytes / 8), found(sources.size());
  std::iota(sources.begin(), sources.end(), 0);
  found = sources;
  if (order == Order::kLive)
    to_log_order(schema, reinterpret_cast<const std::byte*>(sources.data()),
                 reinterpret_cast<std::byte*>(found.data()));
  const auto want = [&](std::size_t slot, Meaning meaning, Operation operation) {
    if (slot == kNoSlot) return;
    roles_.push_back({static_cast<std::uint16_t>(found[schema.counters_at / 8 + slot]), meaning, operation});
  };
  const auto slots = operation_slots(schema);
  for (std::size_t i = 0; i < kOperations; ++i) {
    const auto operation = static_cast<Operation>(i);
    for (const std::size_t slot : slots[i].calls) want(slot, Meaning::kCalls, operation);
    want(slots[i].bytes, Meaning::kBytes, operation);
    want(slots[i].seconds, Meaning::kSeconds, operation);
  }
  std::ranges::sort(roles_, {}, &Role::word);
  for (const Role& role : roles_) {
    words_.push_back(role.word);
    if (role.meaning != Meaning::kBytes &&
        (role.meaning != Meaning::kSeconds || role.operation == Operation::kMetadata))
      marks_.push_back(role.word);
  }
}

std::size_t SampledModule::words_within(std::size_t bytes) const { return count_within(words_, bytes); }
std::size_t SampledModule::marks_within(std::size_t bytes) const { return count_within(marks_, bytes); }

FileAmounts SampledModule::amounts(std::span<const std::uint64_t> values) const {
  FileAmounts amounts{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    Amount& amount = amounts[static_cast<std::size_t>(roles_[i].operation)];
    switch (roles_[i].meaning) {
      case Meaning::kNothing: break;
      case Meaning::kCalls: amount.calls += count_of(values[i]); break;
      case Meaning::kBytes: amount.bytes += count_of(values[i]); break;
      case Meaning::kSeconds: amount.steps += steps_of(values[i]); break;
    }
  }
  return amounts;
}

FileAmounts SampledModule::amounts_of_record(const std::byte* record) const {
  std::vector<std::uint64_t> values;
  values.reserve(words_.size());
  for (const std::uint16_t word : words_) values.push_back(load<std::uint64_t>(record + 8 * std::size_t{word}));
  return amounts(values);
}

std::span<const SampledModule> sampled_modules(SampledModule::Order order) {
  static const std::vector<SampledModule> live = make_modules(SampledModule::Order::kLive);
  static const std::vector<SampledModule> log = make_modules(SampledModule::Order::kLog);
  return order == SampledModule::Order::kLive ? live : log;
}

}  // namespace trikal::stream
