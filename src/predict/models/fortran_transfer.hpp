#pragma once
// Between statements and what they move.

#include "predict/models/fortran.hpp"

namespace trikal::predict {

// The unit of a READ or WRITE, opened and placed with the first call; null where it has none.
FortranUnit* start_transfer(Machine& machine, Call& call, FortranStatement& statement);
// Unformatted bytes between memory and the unit.
void transfer_block(Machine& machine, Call& call, FortranStatement& statement, Word address, Word bytes);
void finish_transfer(Machine& machine, Call& call, FortranStatement& statement);
// Where records begin that the program wrote, and how long they are: lines with their ends, others without their markers.
void remember_record(Machine& machine, const FortranUnit& unit, Word head, Word length);
// The length of the record at `head`; `around` is what markers add to it.
[[nodiscard]] std::optional<Word> record_length(Machine& machine, const FortranUnit& unit, Word head, Word around);
// Where the record begins that ends where the unit stands.
[[nodiscard]] std::optional<Word> record_before(Machine& machine, const FortranUnit& unit);
void forget_records_from(File& file, Word location);
// What is left of a line belongs to nobody.
void finish_line_read(Machine& machine, const Call& call, FortranStatement& statement, FortranUnit& unit);

// A component of a derived type: `count` values side by side.
struct FortranPart {
  FortranKind kind = FortranKind::kOther;
  Word address = 0, bytes = 0, count = 1;
};
// The components of all elements; false: they are not known.
[[nodiscard]] bool parts_of_type(Machine& machine, Value descriptor, const FortranArray& array,
                                 std::vector<FortranPart>& out);

}  // namespace trikal::predict
