#pragma once
// Where the records of a module have what is sampled: the words of calls, bytes and seconds.

#include <array>
#include <span>
#include <vector>

#include "stream/wire/batch.hpp"

namespace trikal::stream {

// What was done with one file through one interface, by operation.
using FileAmounts = std::array<Amount, kOperations>;

// The larger of each, the smaller of each.
void raise(FileAmounts& held, const FileAmounts& to);
void lower(FileAmounts& held, const FileAmounts& to);
void add(FileAmounts& to, const FileAmounts& more);
void subtract(FileAmounts& from, const FileAmounts& less);  // wraps, as numbers of a hostile map may
[[nodiscard]] bool is_below(const FileAmounts& a, const FileAmounts& b);  // in any number

class SampledModule {
 public:
  enum class Order : bool { kLog, kLive };
  SampledModule(const ModuleSchema& schema, Order order);

  [[nodiscard]] const ModuleSchema& schema() const { return *schema_; }
  // Words of a record, ascending. The first is the file's id: the slot of a brief record that has moved is used again. The
  // second is the rank, by which it says that it has moved.
  [[nodiscard]] std::span<const std::uint16_t> words() const { return words_; }
  // How many of these are in the front of a record that is so long.
  [[nodiscard]] std::size_t words_within(std::size_t bytes) const;
  // Those of them that say whether anything was done: id, rank, numbers of calls, and the time in metadata, because closing
  // counts nowhere else. Ascending as well; so many of them are in the front of a record.
  [[nodiscard]] std::span<const std::uint16_t> marks() const { return marks_; }
  [[nodiscard]] std::size_t marks_within(std::size_t bytes) const;
  // Of so many of these words.
  [[nodiscard]] FileAmounts amounts(std::span<const std::uint64_t> values) const;
  [[nodiscard]] FileAmounts amounts_of_record(const std::byte* record) const;

 private:
  enum class Meaning : std::uint8_t { kNothing, kCalls, kBytes, kSeconds };
  struct Role {
    std::uint16_t word = 0;
    Meaning meaning = Meaning::kNothing;
    Operation operation = Operation::kRead;
  };
  const ModuleSchema* schema_;
  std::vector<std::uint16_t> words_, marks_;
  std::vector<Role> roles_;  // of these words
};

// Those whose records have calls or times; traces and slices of time have neither.
[[nodiscard]] std::span<const SampledModule> sampled_modules(SampledModule::Order order);

}  // namespace trikal::stream
