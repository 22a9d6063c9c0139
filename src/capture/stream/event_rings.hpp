#pragma once
// The listener that puts events into rings in shared memory (stream/wire/ring.hpp), where TRIKAL_EVENTS asks for them and
// a `trikal run` is there to read them. Each thread has a ring of its own: no lock, no system call and no waiting for an event.
// A ring begins small; a thread that fills it gets one eight times as large, up to three times. What finds no slot is dropped and counted.

#include "capture/events/event.hpp"
#include "capture/guard/spin.hpp"
#include "stream/wire/ring.hpp"

namespace trikal::capture {

class EventRings {
 public:
  // Under the guard, no lock held.
  [[gnu::noinline, gnu::hot]] void hear(const Event& event) noexcept;
  // In the child: it has rings of its own. Its only thread calls this.
  void after_fork() noexcept;

 private:
  using Ring = stream::Ring;

  struct Site {
    std::uintptr_t address = 0;
    std::uint64_t call_site = 0;
  };
  struct FileVerdict {
    std::uint64_t file = 0;
    bool is_wanted = false;
  };
  // What a thread knows of its ring.
  struct Mine {
    static constexpr std::size_t kSites = 16, kVerdicts = 16;
    Ring* ring = nullptr;
    std::uint64_t tail = 0;  // of the ring when it was last looked at
    std::uint32_t mask = 0;
    std::uint32_t until_next = 0;  // events of a sample to pass over
    std::uint32_t backoff = 0;  // events to drop before a ring is asked for again
    std::uint32_t sites_of = 0;  // which state of the loaded objects `sites` is about
    std::uint32_t sequence = 0;  // of the next event
    std::uint64_t filtered = 0;  // before there was a ring
    Site sites[kSites];
    FileVerdict verdicts[kVerdicts];
  };
  static constinit thread_local Mine this_ring;

  static constexpr std::size_t kMostRings = 2048, kMostScanned = 16;
  static constexpr std::uint32_t kGrowth = 8, kDropsBetweenTries = 4096;

  [[gnu::noinline, gnu::cold]] void hear_first(Mine& mine, const Event& event) noexcept;
  [[gnu::noinline, gnu::cold]] bool find_slot(Mine& mine) noexcept;
  [[nodiscard]] bool wants(Mine& mine, const Event& event) noexcept;
  [[gnu::noinline]] bool wants_file(Mine& mine, std::uint64_t file) noexcept;
  [[gnu::noinline]] void put_details(std::byte* slot, const Event& event) noexcept;
  [[nodiscard]] std::uint64_t call_site(Mine& mine) noexcept;
  void put(Mine& mine, const Event& event) noexcept;
  void drop_without_ring() noexcept;

  bool begin() noexcept;
  void choose_operations() noexcept;
  void choose_window() noexcept;
  bool make_file() noexcept;
  bool take(Mine& mine, std::uint32_t slots) noexcept;
  [[nodiscard]] Ring* find_free(const Ring* current, std::uint32_t me, std::uint32_t slots) noexcept;
  [[nodiscard]] Ring* add(std::uint32_t slots) noexcept;
  [[nodiscard]] bool has_space(std::size_t bytes) const noexcept;

  enum class State : std::uint8_t { kCold, kReady, kWithoutFile };
  std::atomic<State> state_{State::kCold};
  std::uint32_t sample_ = 1;
  std::uint32_t stride_ = sizeof(stream::EventRecord);
  bool filters_files_ = false;
  double from_ = 0, until_ = 0;  // seconds of the session
  std::int64_t epoch_ = 0;
  std::uint64_t operations_[32] = {};  // a bit for each number
  Spin lock_;  // of all below
  stream::RingFileHeader* header_ = nullptr;
  std::uint64_t inode_ = 0;
  std::size_t rings_used_ = 0, scan_at_ = 0;
  Ring* rings_[kMostRings] = {};
  char path_[512] = {};
};
extern constinit EventRings event_rings;

}  // namespace trikal::capture
