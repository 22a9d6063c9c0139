#pragma once
// Makes messages of events: what the connector counts along the way is counted here. docs/formats/ldms.md.

#include <array>
#include <unordered_map>

#include "base/keyed_hash.hpp"
#include "report/ldms/event.hpp"
#include "report/ldms/operations.hpp"

namespace trikal::report::ldms {

// kPublished: as in the paper about the connector. kCurrent: as the connector of Darshan 3.5 sends it.
enum class Dialect : std::uint8_t { kPublished, kCurrent };

// All values of a message, in no order. Views are those of the event it was made of.
struct Message {
  bool is_meta = false;  // type MET: schema, exe and file are told; else MOD: they are not
  std::int64_t uid = kUnknown, job_id = kUnknown, rank = 0;
  std::string_view exe = kNotApplicable, node = kNotApplicable, file = kNotApplicable, data_set = kNotApplicable;
  std::uint64_t record_id = 0;
  std::string_view module, op;
  std::int64_t max_byte = kUnknown, switches = kUnknown, flushes = kUnknown, cnt = 0;
  std::int64_t pt_sel = kUnknown, irreg_hslab = kUnknown, reg_hslab = kUnknown, ndims = kUnknown, npoints = kUnknown;
  std::int64_t off = kUnknown, len = kUnknown;
  // Nanoseconds: of the operation; since the process began to be observed; of all like it on this file; since 1970.
  std::int64_t dur = 0, start = kNoTime, total = 0, end = 0;
};

class Messages {
 public:
  Messages(Dialect dialect, ModuleSet modules) : dialect_(dialect), modules_(modules) {}

  [[nodiscard]] Dialect dialect() const { return dialect_; }
  // Whether the operation gives a message.
  [[nodiscard]] bool publishes(log::crash::Operation operation) const;
  // Whether an event has to come by here although it gives no message: its time is part of a sum.
  [[nodiscard]] bool needs(log::crash::Operation operation) const;
  // False: the event gives no message. Events of one thread must come in their order.
  [[nodiscard]] bool make(const Event& event, Message& message);

 private:
  // Of a module in a process, and in the current dialect of each file there.
  struct Key {
    std::uint64_t process = 0, file = 0;
    Module module{};
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return KeyedHash()(key.file) + KeyedHash()(key.process * 8 + static_cast<std::uint64_t>(key.module));
    }
  };
  struct Counted {
    std::int64_t since_close = 0;  // operations
    std::array<std::int64_t, kActions> calls = {};
    std::array<std::int64_t, kTimers> total = {}, last_end = {};
  };

  void count(const Event& event, const OperationRole& role, Message& message);

  Dialect dialect_;
  ModuleSet modules_;
  std::unordered_map<Key, Counted, KeyHash> counted_;
};

// Where the name of a dataset begins in the name of its record, "/data/run.h5:/group/name". `is_file` knows the names of files
// by their ids: either part may have the separator in it. Empty: it is no such name.
template <class IsFile>
[[nodiscard]] std::string_view data_set_of(std::string_view name, const IsFile& is_file) {
  const auto behind = [&](std::size_t at) { return at == name.npos ? std::string_view() : name.substr(at + 1); };
  for (std::size_t at = name.find(":/"); at != name.npos; at = name.find(":/", at + 1)) {
    if (is_file(name.substr(0, at))) return behind(at);
  }
  return behind(name.find(":/"));
}

}  // namespace trikal::report::ldms
