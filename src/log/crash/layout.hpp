#pragma once
// The crash map: what an observed process writes while it runs. A file in node-local memory, mapped shared, so
// that whatever ends the process, everything up to its last call is still there. Written by src/capture inside
// the application, read by `trikal run` and `trikal recover`, which must take it for hostile input.
//
// A header, then chunks one behind the other. A chunk holds slots of one stride; slots below `count` are valid.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace trikal::log::crash {

inline constexpr std::uint64_t kMagic = 0x50414d4c414b5254ULL;  // "TRKALMAP"
inline constexpr std::uint32_t kLayout = 10;
inline constexpr std::size_t kChunkAlign = 64;
inline constexpr std::uint32_t kChunkMark = 0x4b4e4843;  // "CHNK": where to go on behind a chunk that is damaged

enum class State : std::uint32_t {
  kRunning = 1,  // or killed, if no such process exists any more
  kEnded = 2,    // came to its end by itself
  kExec = 3,     // replaced itself by another program
};

// How a chunk's slots are to be read.
enum class ChunkKind : std::uint32_t {
  kRecords = 1,  // `record_bytes` of each slot are a record of module `module`, its counters in live order
  kNames = 2,    // packed: u64 id, u32 length, bytes, padded to 8
  kExtras = 3,   // as kRecords, of the module's counters that go to the trailer
  kOther = 4,    // private to the process
  kUnseen = 5,   // UnseenSlot: programs that were started and cannot be observed
  kPhases = 6,   // PhaseSlot: parts of the run that the program named
  kErrors = 7,   // slots are ErrorSlot
  kHints = 8,    // HintSlot: hints that MPI was given with a file
  kRuns = 9,     // slots are runs of module `module`, each with what a record may lack (schema/live.hpp)
  kSites = 10,   // SiteSlot (call_sites.hpp): where calls came from
  kObjects = 11,  // ObjectSlot: the programs and libraries they came from
  kBriefs = 12,   // as kRecords, but only the front of a record, which has nothing else yet
  kValues = 13,   // ValuesSlot: all values of which a record has the four most common
  kOperations = 14,  // OperationSlot (operation.hpp): what operations of modules are called that no list names
  kStacks = 15,   // StackSlot: how calls came from there, through libraries
  kScripts = 16,  // ScriptSlot: lines of programs that an interpreter runs
  kTrace = 17,  // events of stream `module`, coded (trace_code.hpp)
  kTraced = 18,  // TracedSlot: what was traced, and how much of it was kept
  kTraceRules = 19,  // TraceRules: which of the traces are to be in the log
};

// How often calls on one file failed with one errno.
struct ErrorSlot {
  std::uint64_t id = 0;  // of the file; 0: no file that is in the log
  std::uint32_t error = 0;
  std::uint32_t module = 0;
  std::int64_t count = 0;
};
static_assert(sizeof(ErrorSlot) == 24);

// The rank of a brief record whose file has a whole one by now: it counts no more.
inline constexpr std::int64_t kMoved = -2;

// One file through one interface, as the trace knows it: events name it by the number of its slot.
struct TracedSlot {
  std::uint64_t id = 0;  // of the file; 0: all files for which there was no slot
  std::uint32_t interface = 0;  // a TraceInterface
  std::atomic<std::uint32_t> one_of{1};  // one event of so many is kept
  std::atomic<std::uint64_t> events{0};  // that were to be traced
  std::atomic<std::uint64_t> lost{0};  // of those, not kept
};
static_assert(sizeof(TracedSlot) == 32);

// Only of files of whose reads and writes so many (from 0 to 1) are small, or are not aligned. 0: that is no condition.
struct TraceRules {
  double small = 0, unaligned = 0;
};

inline constexpr std::uint32_t kMostRuns = 64;  // of one module and process

struct Chunk {
  ChunkKind kind;
  std::uint32_t module;
  std::uint32_t stride;  // bytes from slot to slot; 1 for kNames
  std::uint32_t record_bytes;  // of each slot that belong to the log
  std::uint32_t capacity;  // slots
  std::atomic<std::uint32_t> count;
  std::uint32_t bytes;  // of this chunk: chunk_bytes() of its slots
  std::uint32_t mark;
};
static_assert(sizeof(Chunk) == 32 && std::atomic<std::uint32_t>::is_always_lock_free);
inline constexpr std::size_t kChunkHeader = 64;  // slots begin here, on a cache line of their own

// What so many slots take, header included.
[[nodiscard]] constexpr std::uint64_t chunk_bytes(std::uint32_t stride, std::uint32_t slots) noexcept {
  return (kChunkHeader + std::uint64_t{stride} * slots + kChunkAlign - 1) / kChunkAlign * kChunkAlign;
}

// How often each value of one counter of one record came, from the fifth value on that came at all. Later ones than kMost
// are not followed. Zero is followed, though no record shows it.
struct ValuesHead {
  std::uint64_t id = 0;  // of the record
  std::uint32_t module = 0;
  std::uint16_t counter = 0;  // the slot of the values in the record, as logs have it
  std::uint16_t words = 1;  // of a value
  std::atomic<std::uint32_t> size{0};
  std::uint32_t zero = 0;
};
template <std::size_t Words>
struct ValuesSlot {
  static constexpr std::size_t kMost = 32;
  ValuesHead head;
  std::int64_t values[kMost][Words];
  std::int64_t counts[kMost];
};
inline constexpr std::size_t kMostValues = ValuesSlot<1>::kMost;
[[nodiscard]] constexpr std::size_t values_bytes(std::size_t words) noexcept {
  return sizeof(ValuesHead) + 8 * kMostValues * (words + 1);
}
static_assert(sizeof(ValuesHead) == 24 && sizeof(ValuesSlot<1>) == values_bytes(1) &&
              sizeof(ValuesSlot<11>) == values_bytes(11));

struct UnseenSlot {
  static constexpr std::size_t kPathBytes = 240;
  std::uint32_t why = 0;  // base/program_kind.hpp's Unseen
  std::uint32_t path_bytes = 0;
  std::atomic<std::uint64_t> count{0};
  char path[kPathBytes] = {};
};
static_assert(sizeof(UnseenSlot) == 256);

// Times in seconds since the session began; `end` is 0 until the phase has ended.
struct PhaseSlot {
  static constexpr std::size_t kNameBytes = 96;
  double begin = 0, end = 0;
  std::uint32_t thread = 0;
  std::uint32_t depth = 0;  // phases around this one in the same thread
  std::uint32_t name_bytes = 0;
  std::uint32_t zero = 0;
  char name[kNameBytes] = {};
};
static_assert(sizeof(PhaseSlot) == 128);

// A hint of MPI_File_open or MPI_File_set_view; each once a file.
struct HintSlot {
  static constexpr std::size_t kKeyBytes = 80, kValueBytes = 160;
  std::uint64_t id = 0;  // of the file
  std::uint32_t key_bytes = 0, value_bytes = 0;
  char key[kKeyBytes] = {};
  char value[kValueBytes] = {};
};
static_assert(sizeof(HintSlot) == 256);

// Who wrote the map: enough never to take a living process for a dead one, whatever became of its pid.
// Whether a process can reach the directory of its `trikal run`; if not, whether that run knows of it.
inline constexpr std::uint32_t kNear = 0, kRemote = 1, kAnnounced = 2;

struct Identity {
  std::uint64_t boot[2] = {};  // the kernel's boot id
  std::uint64_t pid_namespace = 0;
  std::int64_t pid = 0;
  std::uint64_t start_ticks = 0;  // when the process started, in clock ticks since boot
  std::uint32_t generation = 0;  // how often it has replaced itself by exec
  std::uint32_t zero = 0;
};

struct JobFacts {
  std::int64_t uid = 0;
  std::int64_t parent_pid = 0;
  std::int64_t job_id = 0;
  std::int64_t rank = 0;  // MPI's, or the launcher's; -1: it has none
  std::int64_t ranks = 0;  // of its MPI job; 0: none that is known
  std::int64_t launched = 0;  // ranks of the step that it, or what started it, is part of; 0: a launcher did not say
  std::uint64_t mpi_job = 0;  // the same for all ranks that one launcher started together; 0: not known
  std::uint64_t spawned = 0;  // 1: by MPI_Comm_spawn
  std::int64_t start_sec = 0, start_nsec = 0;
  std::int64_t end_sec = 0, end_nsec = 0;  // 0 while running
};

// What noting one call of a module takes, measured when the process began.
struct CallCost {
  std::uint32_t module = 0;
  std::uint32_t picoseconds = 0;
};

// What the runtime knows of itself.
struct SelfFacts {
  static constexpr std::size_t kMostCosts = 4;
  std::atomic<std::uint64_t> missed{0};  // calls not counted: a signal landed in our own code
  std::atomic<std::uint64_t> folded{0};  // files without a record of their own: memory ran out
  std::atomic<std::uint64_t> unobserved{0};  // forked children that found no memory to be observed with
  std::atomic<std::uint64_t> events_lost{0};  // asked for, and there was no file for rings
  std::atomic<std::uint64_t> session{0};  // nanoseconds that starting and stopping to observe took
  CallCost costs[kMostCosts];  // picoseconds 0: none
  static constexpr std::size_t kMostPrefixes = 4;
  // Uses of files below kDataPrefixes of schema/system_paths.hpp.
  std::atomic<std::uint32_t> excluded[kMostPrefixes] = {};
};

inline constexpr std::size_t kTextBytes = 4096;
inline constexpr std::size_t kHostBytes = 64;

struct Header {
  std::uint64_t magic = 0;  // written last when the map is made
  std::uint32_t layout = 0;
  std::uint32_t header_bytes = 0;
  std::atomic<std::uint64_t> used{0};  // bytes, header included
  std::atomic<State> state{State::kRunning};
  std::int32_t exit_status = 0;
  Identity identity;
  JobFacts job;
  SelfFacts self;
  std::uint32_t arguments_bytes = 0;  // of `text`: the command line, each argument ended by a NUL
  std::uint32_t program_bytes = 0;  // then the program's file
  std::uint32_t mounts_bytes = 0;  // then "\n<type>\t<path>" for every mount
  std::uint32_t remote = kNear;
  char host[kHostBytes] = {};  // ended by a NUL, if it is shorter
  char text[kTextBytes] = {};
};
inline constexpr std::size_t kHeaderBytes = (sizeof(Header) + kChunkAlign - 1) / kChunkAlign * kChunkAlign;

}  // namespace trikal::log::crash
