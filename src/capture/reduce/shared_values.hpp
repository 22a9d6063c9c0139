#pragma once
// The values of shared files that the four slots of their records are too few for, while they are folded up the tree
// (schema/rank_values.hpp says why). Most jobs have none of them.

#include <array>
#include <cstdint>

#include "capture/reduce/buffer.hpp"
#include "capture/reduce/rank_survey.hpp"
#include "log/crash/values.hpp"
#include "schema/rank_values.hpp"

namespace trikal::capture {

// The tables of values that a rank's own map has for shared files of one module, found by index and counter.
class OwnValues {
 public:
  // False: no memory.
  [[nodiscard]] bool find(const log::crash::Process& process, const ModuleSchema& schema, const IdLists& ids,
                          std::size_t module, const FoldPlan& plan) noexcept;

  // Empties the slots of a record whose values are in tables.
  void clear_slots(std::size_t index, const FoldPlan& plan, std::byte* record) const noexcept;

  // Calls use(index, top, table) for each.
  template <class Use>
  [[nodiscard]] bool for_each(const Use& use) const noexcept {
    log::crash::MapValues::Rows rows;  // NOLINT: filled by whoever reads them
    for (const Found& found : all()) {
      if (!use(found.index, found.top, log::crash::MapValues(*found.head).table(rows))) return false;
    }
    return true;
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return all().size(); }

 private:
  struct Found {
    std::uint64_t index = 0, top = 0;
    const log::crash::ValuesHead* head = nullptr;
    friend bool operator<(const Found& a, const Found& b) noexcept { return a.index < b.index; }
  };
  [[nodiscard]] std::span<const Found> all() const noexcept {
    return {reinterpret_cast<const Found*>(found_.bytes().data()), found_.size() / sizeof(Found)};
  }

  Buffer found_;  // ascending by index
};

class SharedValues {
 public:
  // More of one file and counter are not kept on their way: the least common go. A rank has 32, eight ranks half as many.
  static constexpr std::size_t kMostRows = 512;

  // `counts`: files of each module.
  void begin(const std::array<std::size_t, kMostModules>& counts) noexcept;

  // The table beside one counter of one record.
  class Table {
   public:
    Table(SharedValues& values, std::size_t module, std::size_t index, std::size_t top) noexcept
        : values_(values), module_(module), at_(index * FoldPlan::kMaxTops + top) {}
    [[nodiscard]] ValueTable current() const noexcept { return values_.current(module_, at_); }
    [[nodiscard]] bool add(const ValueTable& more) noexcept { return values_.add(module_, at_, more); }

   private:
    SharedValues& values_;
    std::size_t module_, at_;
  };
  [[nodiscard]] Table table(std::size_t module, std::size_t index, std::size_t top) noexcept {
    return {*this, module, index, top};
  }

  // Messages: how many tables, then each with its index, counter, size and rows.
  [[nodiscard]] bool write(std::size_t module, const FoldPlan& plan, Buffer& into) const noexcept;
  [[nodiscard]] static bool write_own(const OwnValues& own, Buffer& into) noexcept;
  // Takes them off the front of `message`. False: no memory, or these are none.
  [[nodiscard]] bool combine(std::size_t module, const FoldPlan& plan, Bytes& message) noexcept;
  [[nodiscard]] bool add_own(std::size_t module, const OwnValues& own) noexcept;

 private:
  struct Ref {
    std::uint64_t at = 0, size = 0, words = 0;  // in rows_; rows
  };
  struct Module {
    std::size_t files = 0;
    Buffer refs;  // none until the first table is needed
  };
  [[nodiscard]] ValueTable current(std::size_t module, std::size_t at) const noexcept;
  [[nodiscard]] bool add(std::size_t module, std::size_t at, const ValueTable& more) noexcept;
  [[nodiscard]] Ref* refs(Module& module) noexcept;

  std::array<Module, kMostModules> modules_;
  Buffer rows_;  // tables that have grown leave their old rows behind
};

}  // namespace trikal::capture
