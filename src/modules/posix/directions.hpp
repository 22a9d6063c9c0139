#pragma once
// Reading and writing are counted by the same rules, in slots of their own.

#include "modules/posix/counters.hpp"

namespace trikal::modules::posix {

enum class Direction : std::uint8_t { kNone, kRead, kWrite };

struct DirectionSlots {
  Direction direction;
  std::size_t calls, bytes, max_byte, consecutive, sequential, classes, longest_size;  // integers
  std::size_t start, end, time, longest;                                               // reals
};
consteval std::size_t slot(std::string_view name) { return slot_of(kCounters, name); }

inline constexpr DirectionSlots kReading = {Direction::kRead,
                                            slot("POSIX_READS"),
                                            slot("POSIX_BYTES_READ"),
                                            slot("POSIX_MAX_BYTE_READ"),
                                            slot("POSIX_CONSEC_READS"),
                                            slot("POSIX_SEQ_READS"),
                                            slot("POSIX_SIZE_READ_#"),
                                            slot("POSIX_MAX_READ_TIME_SIZE"),
                                            slot("POSIX_F_READ_START_TIMESTAMP"),
                                            slot("POSIX_F_READ_END_TIMESTAMP"),
                                            slot("POSIX_F_READ_TIME"),
                                            slot("POSIX_F_MAX_READ_TIME")};
inline constexpr DirectionSlots kWriting = {Direction::kWrite,
                                            slot("POSIX_WRITES"),
                                            slot("POSIX_BYTES_WRITTEN"),
                                            slot("POSIX_MAX_BYTE_WRITTEN"),
                                            slot("POSIX_CONSEC_WRITES"),
                                            slot("POSIX_SEQ_WRITES"),
                                            slot("POSIX_SIZE_WRITE_#"),
                                            slot("POSIX_MAX_WRITE_TIME_SIZE"),
                                            slot("POSIX_F_WRITE_START_TIMESTAMP"),
                                            slot("POSIX_F_WRITE_END_TIMESTAMP"),
                                            slot("POSIX_F_WRITE_TIME"),
                                            slot("POSIX_F_MAX_WRITE_TIME")};

}  // namespace trikal::modules::posix
