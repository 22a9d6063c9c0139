#pragma once
// A store that has nothing but events, for tests.

#include <cstdlib>

#include "store/store.hpp"

namespace trikal::serve {

class OnlyEvents final : public storage::Store {
 public:
  std::vector<storage::StoredEvent> held;

  Status ingest(const stream::Batch&) override { return none(); }
  Result<std::vector<storage::StoredSum>> stored_of(std::uint64_t) override { return none(); }
  Result<std::vector<stream::RingEntry>> rings_of(std::uint64_t) override { return none(); }
  Status keep_to(const storage::Retention&) override { return none(); }
  storage::Panels& panels() override { std::abort(); }
  std::optional<storage::StoredProcess> process(std::uint64_t) override { return std::nullopt; }
  std::optional<std::string> file_name(std::uint64_t) override { return std::nullopt; }
  Status query(const std::string&, const Answer&) override { return none(); }
  [[nodiscard]] std::string message() const override { return ""; }
  Status events(const storage::EventQuery&, const std::function<bool(const storage::StoredEvent&)>& use) override {
    for (const storage::StoredEvent& event : held) {
      if (!use(event)) break;
    }
    return {};
  }

 private:
  static Error none() { return {.code = ErrorCode::kMissing, .what = "nothing"}; }
};

}  // namespace trikal::serve
