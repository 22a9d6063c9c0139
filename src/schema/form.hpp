#pragma once
// How one version of a module's record lies on disk, and how it becomes the newest one.
// A module lists its forms in modules/<m>/format.hpp; log/read drives them and knows no module.

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "schema/module.hpp"
#include "schema/record_view.hpp"
#include "schema/rewrite.hpp"

namespace trikal {

// What follows a record's head.
struct Tail {
  std::uint64_t items = 0;
  std::uint32_t item_bytes = 8;
};

// A count read from a log that arithmetic on sizes can bear. No record has that many items; how many a reader
// is ready to hold is its own affair.
inline constexpr std::int64_t kMostItems = std::int64_t{1} << 56;
constexpr bool believable(std::int64_t count) { return count >= 0 && count <= kMostItems; }

// What a module remembers from record to record of one log while it is read (see heatmap).
struct FormState {
  std::int64_t first_count = -1;
  double first_width = 0;
};

struct Form {
  std::uint32_t version;
  std::uint32_t head_bytes;  // must be read before the rest is known; the whole record if tail is null

  // What follows, told by a head in native order. An error: a count that no record can have.
  Result<Tail> (*tail)(const std::byte* head) = nullptr;

  // From the other byte order to ours. Null: every 8-byte word is one number.
  void (*swap_head)(std::byte* head) = nullptr;
  void (*swap_items)(const std::byte* head, std::byte* items, std::uint64_t count) = nullptr;

  // Fixed shape: writes the newest form into `now`; false drops the record. Null: this is the newest.
  bool (*upgrade)(const std::uint64_t* old, std::uint64_t* now) = nullptr;

  // Whole shape: `record` (head and tail, native order) becomes the newest form. May mend what
  // a known runtime bug broke. Null: nothing to do.
  Status (*settle)(std::vector<std::byte>& record, FormState& state) = nullptr;

  // Sliced shape: widens `count` items to the newest form. Null: they are the newest.
  void (*widen)(const std::byte* old, std::uint64_t count, std::byte* now) = nullptr;
};

struct ModuleTables;  // schema/table.hpp

struct ModuleFormat {
  const ModuleSchema* schema;
  std::span<const Form> forms;  // oldest first; the last one is the newest
  const RecordView* record_view = nullptr;   // null: listed by its table alone
  // The version to write; 0: the newest. Older where released readers refuse the newest: then each item of a
  // sliced record is written without its last word.
  std::uint32_t written = 0;
  const ModuleTables* tables = nullptr;  // null: one table, a row a record
  const Rewrite* rewrite = nullptr;  // null: nothing special in merging and cutting

  [[nodiscard]] constexpr const Form* form(std::uint32_t version) const {
    for (const Form& form : forms) {
      if (form.version == version) return &form;
    }
    return nullptr;
  }
  // No listing shows its records.
  [[nodiscard]] constexpr bool hidden() const { return record_view != nullptr && record_view->hidden; }
  [[nodiscard]] constexpr const Form& write_form() const { return written == 0 ? forms.back() : *form(written); }
};

// Copies runs of 8-byte slots and fills the gaps: how fixed records are upgraded.
class SlotMover {
 public:
  SlotMover(const std::uint64_t* old, std::uint64_t* now) : old_(old), now_(now) {}
  SlotMover& copy(std::size_t slots) {
    for (; slots > 0; --slots) *now_++ = *old_++;
    return *this;
  }
  SlotMover& skip(std::size_t slots) {
    old_ += slots;
    return *this;
  }
  SlotMover& put(std::int64_t value, std::size_t slots = 1) {
    for (; slots > 0; --slots) *now_++ = static_cast<std::uint64_t>(value);
    return *this;
  }
  SlotMover& put_real(double value, std::size_t slots = 1) {
    for (; slots > 0; --slots) *now_++ = std::bit_cast<std::uint64_t>(value);
    return *this;
  }

 private:
  const std::uint64_t* old_;
  std::uint64_t* now_;
};

}  // namespace trikal
