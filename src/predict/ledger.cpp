#include "predict/ledger.hpp"

namespace trikal::predict {

std::uint32_t Ledger::row(const LedgerKey& key) {
  const auto [found, fresh] = places_.try_emplace(key, static_cast<std::uint32_t>(rows_.size()));
  if (fresh) rows_.push_back({key, {}});
  return found->second;
}

}  // namespace trikal::predict
