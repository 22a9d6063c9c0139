#pragma once
// What happened, in order, as far as the next iteration of a loop could differ from this one. Two iterations with the same events
// are one iteration done twice; where their numbers grow evenly, the iterations to come are known without running them.

#include <vector>

#include "predict/machine/value.hpp"

namespace trikal::predict {

enum class Happened : std::uint8_t {
  kBlock,  // id: block
  kBlocks,  // id: block; a: how often (real): iterations that were not run
  kCompare,  // id: instruction; a, b: operands; flag: outcome
  kRealCompare,
  kDivide,  // id: instruction; a: dividend; b: divisor: also shifts and masks
  kMask,  // id: instruction; a, b: an operation on bits without a pattern
  kExtend,  // id: instruction; a: what is made wider; width: its own; flag: with its sign
  kChoice,  // id: instruction; a: the value of a switch
  kRound,  // id: instruction; a, b: where a model stands in what it goes round and round, such as a format; b: with its counts
  kLoad,  // id: instruction; a: address; b: value; c: bytes
  kStore,  // id: instruction; a: address; b: value; c: bytes; predicate: the address comes from memory that moves
  kWrote,  // id: instruction; a: address; b: bytes; c: digest of what is there now, 0: not known; predicate: as above
  kRead,  // id: instruction; a: address; b: bytes; c: digest: what a function without a body looked at
  kText,  // id: instruction; a: address; b: bytes: its address matters
  kAccess,  // id: ledger row; a: offset; b: bytes; c: file
  kAccesses,  // id: ledger row; a: how often (real); b: bytes (real); c: highest end: iterations that were not run
  kSkipped,  // id: loop's header block; a: iterations that were not run
  kFork,  // id: instruction; flag: side
};

struct Event {
  Happened kind;
  bool flag = false;  // outcome
  bool data = false;  // an operand comes from memory that moves
  std::uint8_t width = 64;
  std::uint8_t predicate = 0;
  std::uint32_t id = 0;
  Word a = 0, b = 0, c = 0;
  double weight = 1;
};

using Trace = std::vector<Event>;

}  // namespace trikal::predict
