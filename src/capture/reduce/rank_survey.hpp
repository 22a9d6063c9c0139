#pragma once
// What the ranks of a subtree have in common, on its way up the tree, and what is decided from it, on its way down.

#include <array>
#include <cstdint>
#include <span>

#include "capture/reduce/buffer.hpp"
#include "capture/reduce/tree.hpp"
#include "capture/session/hooks.hpp"
#include "log/crash/to_log.hpp"
#include "modules/list_slots.hpp"

namespace trikal::capture {

inline constexpr std::size_t kMostModules = kObservingModules;

// The modules that observe, in the order of their ids.
struct Observers {
  const ModuleSchema* schemas[kMostModules] = {};
  const Timeline* timelines[kMostModules] = {};
  std::size_t count = 0;

  explicit Observers(std::span<const ModuleHooks> hooks) noexcept;
  [[nodiscard]] log::crash::Schemas all() const noexcept { return {schemas, count}; }
};

// Which modules' records of one file can become one: those that say how. Traces and slices of time stay with a rank.
[[nodiscard]] bool can_share(const ModuleSchema& schema) noexcept;

struct Moment {
  std::int64_t sec = 0, nsec = 0;
  friend constexpr auto operator<=>(const Moment&, const Moment&) = default;
};
[[nodiscard]] double seconds(const Moment& moment) noexcept;

// What another rank says may be anything.
[[nodiscard]] bool is_plausible(const TimeGrid& grid) noexcept;

// Lists of record ids, ascending, one for each module.
class IdLists {
 public:
  [[nodiscard]] std::span<const std::uint64_t> of(std::size_t module) const noexcept;
  [[nodiscard]] bool contains(std::size_t module, std::uint64_t id) const noexcept;
  [[nodiscard]] bool contains(std::uint64_t id) const noexcept;  // in any
  // Where an id stands in its module's list; kNowhere if it does not.
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  [[nodiscard]] std::size_t find(std::size_t module, std::uint64_t id) const noexcept;
  // Makes what follows quick where much is asked for. Without memory it stays as it is.
  void index() noexcept;
  [[nodiscard]] std::span<const std::uint64_t, kMostModules> counts() const noexcept { return counts_; }
  [[nodiscard]] Bytes bytes() const noexcept { return ids_.bytes(); }

  [[nodiscard]] bool set_own(const log::crash::Process& process, log::crash::Schemas schemas) noexcept;
  // False: these are not lists.
  [[nodiscard]] bool set(std::span<const std::uint64_t, kMostModules> counts, Bytes ids) noexcept;
  // Only ids that are in the other ones, too, stay.
  void intersect(const IdLists& other) noexcept;
  void clear() noexcept;

 private:
  [[nodiscard]] std::size_t begin_of(std::size_t module) const noexcept;
  [[nodiscard]] std::size_t slot_of(std::size_t module, std::uint64_t id) const noexcept;
  std::array<std::uint64_t, kMostModules> counts_{};
  Buffer ids_;
  // Open addressing, at least twice as many slots as ids: of each id its index in ids_, plus 1. Empty: there is no index.
  Buffer slots_;
  std::size_t mask_ = 0;
};

// Fixed parts of the messages; ids follow both.
struct SurveyHead {
  std::int64_t ranks = 0;
  Moment start, end;  // of the first and of the last of them
  double wait_limit = 0;  // seconds that the least patient of them will still wait
  Part present = 0;  // of the sender's block: whose of these are set
  std::array<Member, kBlock> members{};
  TimeGrid grid;  // relative to `start`
  std::uint64_t modules = 0;  // a bit for each that any of them used
  std::array<std::uint64_t, kMostModules> ids{};
};

struct PlanHead {
  Moment start, end;
  double wait_limit = 0;
  TimeGrid grid;
  std::uint64_t modules = 0;
  std::array<Part, kBlock> parts{};  // of the block that the sender leads
  std::array<std::uint64_t, kMostModules> ids{};
};

class Survey {
 public:
  SurveyHead head;
  IdLists ids;

  // Of one process. `end`: now.
  [[nodiscard]] bool count(const log::crash::Process& process, const Observers& observers) noexcept;
  struct Rule {
    bool first = false;  // the first one that is merged
    bool share_own = true;  // our own ids count, too; not for rank 0, which often only hands out work
    bool same_block = false;  // we share a block, maybe streams
  };
  // A message of a child's subtree. False: it is none.
  [[nodiscard]] bool merge(Bytes message, const Rule& rule) noexcept;
  [[nodiscard]] bool write(Buffer& into) noexcept;
};

}  // namespace trikal::capture
