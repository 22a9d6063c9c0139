#pragma once
// A format as a list of its descriptors, and the way through it.

#include <string>
#include <vector>

#include "predict/models/fortran.hpp"

namespace trikal::predict {

struct FortranEdit {
  static constexpr char kOpen = '(', kClose = ')', kText = '"', kTo = 'T', kLeft = '<', kEngineering = 'N',
                        kScientific = 'S';
  char kind = 0;  // I, F ... as written; X, /, :, P
  int width = 0, digits = 0, exponent = 0;
  bool has_width = false, has_digits = false;
  Word repeat = 1;
  std::string text;
};

struct FortranFormat {
  std::vector<FortranEdit> edits;
  std::size_t revert = 0;  // where the format goes on when items are left
};

[[nodiscard]] bool is_data(const FortranEdit& edit);

struct FormatStep {
  const FortranEdit* edit = nullptr;  // null: the format has no more to say
  bool again = false;  // it begins anew with a new record
};
// The next descriptor; one for data only where there is an item for it.
[[nodiscard]] FormatStep next_step(FortranStatement& statement, bool has_item);

}  // namespace trikal::predict
