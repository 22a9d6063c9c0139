#pragma once
// Reading and writing are counted by the same rules: the slots of one direction.

#include "modules/stdio/schema.hpp"

namespace trikal::modules::stdio {

struct DirectionSlots {
  bool read;
  std::size_t calls, bytes, max_byte;  // integers
  std::size_t start, end, time;        // reals
  std::size_t estimated;               // of the extra counters
};
consteval std::size_t slot(std::string_view name) { return slot_of(kCounters, name); }

inline constexpr DirectionSlots kReading = {true,
                                            slot("STDIO_READS"),
                                            slot("STDIO_BYTES_READ"),
                                            slot("STDIO_MAX_BYTE_READ"),
                                            slot("STDIO_F_READ_START_TIMESTAMP"),
                                            slot("STDIO_F_READ_END_TIMESTAMP"),
                                            slot("STDIO_F_READ_TIME"),
                                            slot_of(kExtraCounters, "STDIO_READS_NOT_TIMED")};
inline constexpr DirectionSlots kWriting = {false,
                                            slot("STDIO_WRITES"),
                                            slot("STDIO_BYTES_WRITTEN"),
                                            slot("STDIO_MAX_BYTE_WRITTEN"),
                                            slot("STDIO_F_WRITE_START_TIMESTAMP"),
                                            slot("STDIO_F_WRITE_END_TIMESTAMP"),
                                            slot("STDIO_F_WRITE_TIME"),
                                            slot_of(kExtraCounters, "STDIO_WRITES_NOT_TIMED")};

}  // namespace trikal::modules::stdio
