#pragma once
// What models of Fortran share. The source is compiled by flang, whose calls are modelled; what they do to files is what
// libgfortran does, with which programs are built: its buffers, record markers and line breaks.

#include <optional>
#include <string>
#include <vector>

#include "predict/machine/machine.hpp"
#include "predict/world/fortran.hpp"

namespace trikal::predict {

// --- Arrays, as flang describes them.
struct FortranArray {
  struct Dimension {
    std::int64_t lower = 1, extent = 0, stride = 0;
  };
  Word base = 0, element = 0;
  unsigned type = 0;
  std::vector<Dimension> dimensions;

  [[nodiscard]] Word count() const;
  [[nodiscard]] bool contiguous() const;
  [[nodiscard]] Word address(Word index) const;  // of an element, in Fortran's order
};
enum class FortranKind : std::uint8_t { kInteger, kReal, kComplex, kLogical, kText, kOther };
[[nodiscard]] FortranKind kind_of(unsigned type);
[[nodiscard]] std::optional<FortranArray> array_at(Machine& machine, Value descriptor);
// A text given by address and length.
[[nodiscard]] bool fortran_text(Machine& machine, Value address, Value length, std::string& out);
[[nodiscard]] std::string trimmed(std::string text);
[[nodiscard]] std::string lower_case(std::string text);
// Puts a text into a variable of `width` bytes, filled up with blanks.
void put_text(Machine& machine, const Call& call, Word address, Word width, const std::string& text);

// --- What a unit does to its file.
void unit_write(Machine& machine, const Call& call, FortranUnit& unit, Word bytes, const std::string* text);
Word unit_read(Machine& machine, const Call& call, FortranUnit& unit, Word bytes);  // how many there were
void unit_flush(Machine& machine, const Call& call, FortranUnit& unit);
void unit_record_done(Machine& machine, const Call& call, FortranUnit& unit);
void unit_truncate(Machine& machine, const Call& call, FortranUnit& unit);
// Between reading and writing: what was taken in advance is given back.
void unit_direction(Machine& machine, const Call& call, FortranUnit& unit, bool writing);
void unit_close(Machine& machine, const Call& call, int number, bool remove);
[[nodiscard]] FortranUnit* unit_numbered(Machine& machine, int number);
[[nodiscard]] std::uint32_t file_of(Machine& machine, const FortranUnit& unit);
// Everything that waits is written: the program ends.
void fortran_end(Machine& machine);

// --- Statements.
[[nodiscard]] FortranStatement* statement_at(Machine& machine, const Call& call);
void fail_statement(FortranStatement& statement, int status);
void open_unit(Machine& machine, Call& call, FortranStatement& statement);
void run_other(Machine& machine, Call& call, FortranStatement& statement);  // neither READ nor WRITE

// One value of an I/O list.
struct FortranItem {
  FortranKind kind = FortranKind::kInteger;
  Word bytes = 4;
  Value value, second;  // of a complex number both
  Word address = 0;  // of input, and of text
};
void put_item(Machine& machine, const Call& call, FortranStatement& statement, const FortranItem& item);
void put_record_end(Machine& machine, const Call& call, FortranStatement& statement);
void add_text(FortranStatement& statement, const std::string& text, bool known = true);

// Formats: '(3(I4,1X),A)'.
[[nodiscard]] std::shared_ptr<const FortranFormat> parse_format(const std::string& text);
void put_by_format(Machine& machine, const Call& call, FortranStatement& statement, const FortranItem* item);
void get_by_format(Machine& machine, const Call& call, FortranStatement& statement, const FortranItem* item);
[[nodiscard]] std::string real_text(double value, char kind, int width, int digits, int exponent, int scale);

// Without a format.
void put_by_list(Machine& machine, const Call& call, FortranStatement& statement, const FortranItem& item);
void get_by_list(Machine& machine, const Call& call, FortranStatement& statement, const FortranItem& item);
void get_namelist(Machine& machine, const Call& call, FortranStatement& statement, Value group);
// False: the text is no value of that kind.
[[nodiscard]] bool store_item(Machine& machine, const Call& call, const FortranItem& item, const std::string& text);
void forget_item(Machine& machine, const Call& call, const FortranItem& item, std::string_view why);

// Characters of the unit: '\n' at the end of a record.
inline constexpr int kFileEnd = -1, kNotKnown = -2;
[[nodiscard]] int next_character(Machine& machine, const Call& call, FortranStatement& statement);
void skip_line(Machine& machine, const Call& call, FortranStatement& statement);
// The next record into statement.line; false: there is none.
bool load_line(Machine& machine, const Call& call, FortranStatement& statement);
void hit_end(Machine& machine, FortranStatement& statement);

}  // namespace trikal::predict
