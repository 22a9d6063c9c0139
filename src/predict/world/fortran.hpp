#pragma once
// Fortran's units and statements as they stand at one moment. The program is compiled by one compiler and measured with
// another's library: what is kept here is the state of libgfortran, whose calls the system sees.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "predict/machine/value.hpp"

namespace trikal::predict {

struct Instruction;
struct FortranFormat;

enum class FortranAccess : std::uint8_t { kSequential, kDirect, kStream };
enum class FortranEnd : std::uint8_t { kNot, kAt, kAfter };  // where the file ends, seen from the unit

struct FortranUnit {
  int descriptor = -1;
  FortranAccess access = FortranAccess::kSequential;
  bool formatted = true, reads = true, writes = true;
  bool raw = false;  // without a buffer: a terminal or a pipe
  bool writing = false;  // what was done last
  bool open_record = false;  // written without advancing
  bool guessed = false;  // lengths were assumed
  bool scratch = false;
  bool extrapolated = false;  // what waits was in part written by iterations that were not run
  FortranEnd end = FortranEnd::kNot;
  Word record = 0;  // RECL
  Word capacity = 0;  // of the buffer
  // The buffer: `active` bytes of the file from `begin` on were read, `dirty` ones wait to be written.
  Word begin = 0, active = 0, dirty = 0;
  Word position = 0;  // where the program stands
  Word length = 0;  // of the file, with what waits
  Word ahead = 0;  // bytes that the formatter has taken and not used
  std::string text;  // how what is dirty begins, as far as it is known; while reading, what the formatter has taken
  const Instruction* last = nullptr;  // the call that wrote last: what is left at the program's end is written for it
  std::uint32_t context = 0;
};

enum class FortranVerb : std::uint8_t {
  kOpen,
  kClose,
  kFlush,
  kRewind,
  kBackspace,
  kEndfile,
  kWait,
  kInquire,
  kLength,  // INQUIRE(IOLENGTH=)
  kWrite,
  kRead,
};

// Where a statement stands in its format.
struct FortranCursor {
  std::size_t at = 0;
  std::vector<std::pair<std::size_t, Word>> groups;  // where each begins, and how often it is still to be done
  Word left = 0;  // of the repeat count of the descriptor here
  int scale = 0;
  bool used = false;  // a descriptor took data since the format was begun anew
  bool stopped = false;
};

struct FortranStatement {
  FortranVerb verb = FortranVerb::kWrite;
  int unit = -1;
  bool unit_known = true;
  bool internal = false, list = false, formatted = false;
  bool started = false, handled = false, advance = true, fresh_unit = false;
  int status = 0;  // IOSTAT
  std::map<std::string, std::string> words;  // FILE, STATUS ...
  Word record_length = 0, record = 0, position = 0;
  // An internal unit: `records` texts of `width` bytes.
  Word address = 0, width = 0, records = 1, record_now = 0;
  // The record so far: of formatted output its text, of unformatted its bytes.
  std::string text;
  Word length = 0, column = 0;
  bool known = true;  // the text
  bool sized = true;  // its length
  bool after_text = true;  // list-directed: no blank before a text
  bool first = true;
  Word head = 0;  // where the record begins in the file
  Word left = 0;  // bytes of the record that are not read
  bool record_known = true;
  // Input: `text` is all of an internal unit, `line` the record a format works on.
  std::string line;
  std::size_t text_at = 0, line_at = 0;
  int pushed = 0;  // a character that was put back
  bool line_there = false, line_known = false;
  bool line_ended = false;  // its end was taken
  bool made_an_end = false;  // of a last line that has none
  Word repeats = 0;  // list-directed: 3*0
  std::string repeated;
  bool slash = false;  // list-directed: the rest of the items stay as they are
  std::shared_ptr<const FortranFormat> format;
  FortranCursor cursor;
};

}  // namespace trikal::predict
