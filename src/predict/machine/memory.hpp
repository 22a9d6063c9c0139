#pragma once
// The memory of a program that is not run: one sparse space of addresses. What was never written is zero; each byte
// is known or not. A journal takes writes back, so that both sides of a branch can be tried.

#include <array>
#include <bitset>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "predict/machine/value.hpp"

namespace trikal::predict {

class Memory {
 public:
  static constexpr Word kPageBytes = 4096;

  struct Page {
    std::array<std::uint8_t, kPageBytes> data{};
    std::bitset<kPageBytes> unknown;
    bool all_known = true;  // no byte ever was unknown: a quick look
    std::array<Cause, kPageBytes / 8> causes{};
    std::vector<Doubt> doubts;  // of each byte; empty: there are none
    std::uint64_t epoch = 0;
  };
  struct Range {
    Word address, bytes;
  };
  using PagePointer = std::shared_ptr<Page>;
  using Pages = std::unordered_map<Word, PagePointer>;  // null: there was none

  [[nodiscard]] Value load(Word address, unsigned bytes) const;
  void store(Word address, unsigned bytes, Value value);
  void write(Word address, const void* data, std::size_t bytes);
  void fill(Word address, Word bytes, std::uint8_t byte);
  void forget(Word address, Word bytes, Cause cause);  // these bytes are not known from now on
  void copy(Word to, Word from, Word bytes);

  // Whether all bytes are known, and what they are.
  [[nodiscard]] bool read(Word address, void* data, std::size_t bytes) const;
  // A string up to its NUL; false: not known, or too long. `cause` says why.
  [[nodiscard]] bool text(Word address, std::string& out, Cause* cause = nullptr) const;
  [[nodiscard]] Cause cause_at(Word address) const;
  // Whether nothing was ever written in that page: it is zero, without looking.
  [[nodiscard]] bool untouched(Word address) const;

  // Variables: where they begin, and their bytes. A later one replaces those it covers.
  void keep_extent(Word address, Word bytes);
  [[nodiscard]] std::optional<Range> extent_around(Word address) const;

  // Ranges that are written are told to `watcher`, until it is taken away again (null).
  std::vector<Range>* watcher = nullptr;
  std::vector<Range>* reader = nullptr;  // the same of what is read
  // While it lives, nothing read is told: whoever reads tells otherwise what it decides by, or decides nothing by it.
  class Untold {
   public:
    explicit Untold(Memory& memory) : memory_(memory), reader_(std::exchange(memory.reader, nullptr)) {}
    Untold(const Untold&) = delete;
    Untold& operator=(const Untold&) = delete;
    ~Untold() { memory_.reader = reader_; }

   private:
    Memory& memory_;
    std::vector<Range>* reader_;
  };
  // All that is written rests on this. What a model writes rests on what it has seen, too.
  Doubt in_doubt = 0;
  bool by_model = false;
  mutable Doubt seen = 0;  // of bytes that were loaded
  // A number for what lies there: the same for the same bytes. 0: not all are known.
  [[nodiscard]] Word digest(Word address, Word bytes) const;

  // From here on the first write to a page keeps what was there.
  [[nodiscard]] std::size_t begin_journal();
  // The pages as they were written since, and the memory as it was before.
  [[nodiscard]] Pages roll_back(std::size_t mark);
  void adopt(const Pages& pages);
  // Bytes that differ between the two become unknown. Both are pages written since the same moment.
  void merge(const Pages& one, const Pages& other, Cause cause);

 private:
  struct Entry {
    Word page;
    PagePointer before;
  };
  Page& writable(Word page);
  [[nodiscard]] const Page* page_of(Word address) const;
  [[nodiscard]] PagePointer made(Word page) const;  // as an untouched page reads
  void put(Word address, std::uint8_t byte, Cause cause, Doubt doubt);
  [[nodiscard]] Doubt doubt_of_writing() const { return in_doubt != 0 ? in_doubt : by_model ? seen : Doubt{0}; }
  static void set_doubt(Page& page, std::size_t at, std::size_t bytes, Doubt doubt);
  void forget_in_page(Word address, Word bytes, Cause cause);
  void tell_read(Word address, Word bytes) const {
    if (reader == nullptr) return;
    if (!reader->empty() && reader->back().address + reader->back().bytes == address) reader->back().bytes += bytes;
    else reader->push_back({address, bytes});
  }
  void tell(Word address, Word bytes) {
    if (watcher != nullptr) watcher->push_back({address, bytes});
  }

  Pages pages_;
  // The page that was looked at last: most accesses are near each other.
  mutable Word near_number_ = ~Word{0};
  mutable const Page* near_ = nullptr;
  std::map<Word, std::pair<Word, Cause>> forgotten_;  // whole pages: first -> behind the last
  std::map<Word, Word> extents_;
  std::vector<Entry> journal_;
  std::vector<std::uint64_t> epochs_;  // of the journals that are open
  std::uint64_t next_epoch_ = 0;
};

}  // namespace trikal::predict
