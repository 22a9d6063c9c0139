#pragma once
// The buffer between NetCDF's classic files and the system: two blocks beside each other, read when they are asked for and
// written when others replace them. What it does was learnt from runs of NetCDF 4.9 under strace.

#include <optional>
#include <vector>

#include "predict/machine/value.hpp"

namespace trikal::predict {

// What the buffer asks of the system. Whoever counts iterations of loops is told what decided.
class NetCdfPort {
 public:
  virtual ~NetCdfPort() = default;
  virtual void seek() = 0;
  virtual Word read(Word offset, Word bytes) = 0;  // how many there were
  virtual void write(Word offset, Word bytes) = 0;
  virtual void looked(Word a, Word b) = 0;  // whether a <= b
  virtual void looked_same(Word a, Word b) = 0;  // whether a == b
};

class NetCdfBuffer {
 public:
  static constexpr Word kNowhere = ~Word{0};

  NetCdfBuffer() = default;
  // Of a file that was made just now nothing has to be read. With NC_SHARE nothing is kept.
  NetCdfBuffer(Word block, bool fresh, bool shared);

  // Bytes from `offset` on are read or written by the library; at most a block of them.
  void take(NetCdfPort& port, Word offset, Word bytes, bool writes);
  // The same of any number, block by block.
  void take_all(NetCdfPort& port, Word offset, Word bytes, bool writes);
  void flush(NetCdfPort& port);
  void move(NetCdfPort& port, Word to, Word from, Word bytes);

  [[nodiscard]] Word block() const { return block_; }
  [[nodiscard]] bool shared() const { return shared_; }
  // What grows while a loop runs.
  void numbers(std::vector<Word>& out) const;
  std::size_t step(const std::vector<Word>& steps, std::size_t at, Word iterations);

 private:
  struct Pages {
    Word begin = kNowhere, capacity = 0, filled = 0;
    bool changed = false, writes = false;
  };
  void get(NetCdfPort& port, Pages& pages, Word offset, Word bytes, bool writes);
  void tell(NetCdfPort& port, const Pages& pages, Word offset, Word bytes, Word begin, Word want) const;
  void read_upper(NetCdfPort& port, Pages& pages);
  void read_below(NetCdfPort& port, Pages& pages, Word begin);
  void replace(NetCdfPort& port, Pages& pages, Word begin, Word want);
  void copy(NetCdfPort& port, Word to, Word from, Word bytes);
  Word read(NetCdfPort& port, Word offset, Word bytes);
  void write(NetCdfPort& port, Word offset, Word bytes);

  Word block_ = 0;
  Word position_ = kNowhere;  // of the descriptor
  bool shared_ = false;
  Pages pages_;
  std::optional<Pages> second_;  // what is copied from, while data moves
};

}  // namespace trikal::predict
