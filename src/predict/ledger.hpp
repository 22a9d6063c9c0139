#pragma once
// What a prediction counts: one row for each operation of a call site, reached by one call path, on one file.

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyze/dataset/prediction.hpp"
#include "predict/machine/value.hpp"

namespace trikal::predict {

using analyze::Certainty;
using analyze::Operation;
using analyze::PredictedUse;

struct LedgerKey {
  std::uint32_t context = 0;  // the call path
  std::uint32_t instruction = 0;  // the call
  std::uint32_t file = 0;
  Operation operation = Operation::kOpen;
  std::uint32_t selection = 0;  // of Ledger::selection; 0: none
  friend auto operator<=>(const LedgerKey&, const LedgerKey&) = default;
};

struct LedgerRow {
  LedgerKey key;
  PredictedUse use;
  Cause why = kKnown;  // it is assumed
};

class Ledger {
 public:
  std::uint32_t row(const LedgerKey& key);
  // A number for what an access selects: those that select alike share a row, and iterations of a loop are compared by it.
  std::uint32_t number_of(const analyze::PredictedSelection& selection);
  [[nodiscard]] const analyze::PredictedSelection& selection(std::uint32_t number) const { return selections_[number]; }
  LedgerRow& at(std::uint32_t row) { return rows_[row]; }
  [[nodiscard]] const std::vector<LedgerRow>& rows() const { return rows_; }
  [[nodiscard]] double operations() const {
    double sum = 0;
    for (const LedgerRow& row : rows_) sum += row.use.count;
    return sum;
  }
  [[nodiscard]] bool touched(std::uint32_t file) const {
    return std::ranges::any_of(rows_, [file](const LedgerRow& row) { return row.key.file == file; });
  }

 private:
  std::vector<LedgerRow> rows_;
  std::map<LedgerKey, std::uint32_t> numbers_of_rows_;
  std::vector<analyze::PredictedSelection> selections_{1};
  std::map<analyze::PredictedSelection, std::uint32_t> numbers_;
};

}  // namespace trikal::predict
