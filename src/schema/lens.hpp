#pragma once
// How a record is listed value by value, where "its counters in order" is not the whole truth. Modules with
// more to say (components, bins, servers) bring a lens in modules/<m>/lens.hpp; text, CSV and JSON use it.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

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

struct Lens {
  // Null: the counters in order, then the module's number fields.
  void (*values)(Bytes record, ValueSink& sink) = nullptr;
  // Null: nothing special.
  void (*labels)(Bytes record, RecordLabels& labels) = nullptr;
  // The name of a record the log has no name for; empty: none.
  std::string_view nameless = {};
};

}  // namespace trikal
