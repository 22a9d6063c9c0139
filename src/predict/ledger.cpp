#include "predict/ledger.hpp"

namespace trikal::predict {

std::uint32_t Ledger::row(const LedgerKey& key) {
  const auto [found, fresh] = numbers_of_rows_.try_emplace(key, static_cast<std::uint32_t>(rows_.size()));
  if (fresh) rows_.push_back({key, {}});
  return found->second;
}

std::uint32_t Ledger::number_of(const analyze::PredictedSelection& selection) {
  const auto [found, fresh] = numbers_.try_emplace(selection, static_cast<std::uint32_t>(selections_.size()));
  if (fresh) selections_.push_back(selection);
  return found->second;
}

}  // namespace trikal::predict
