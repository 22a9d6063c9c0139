#pragma once
// What is around the program: files, open descriptors and streams, the heap, a clock. Copied where both sides of a
// branch are tried, so it is kept small; memory's contents are not here.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyze/dataset/prediction.hpp"
#include "predict/machine/value.hpp"
#include "predict/world/fortran.hpp"
#include "predict/world/hdf5.hpp"
#include "predict/world/netcdf.hpp"
#include "predict/world/random.hpp"

namespace trikal::predict {

inline constexpr std::uint32_t kNoFile = ~std::uint32_t{0};
inline constexpr Word kKeptContent = Word{1} << 16;  // of files that the program writes

// A stream into memory: where open_memstream tells its text and size, or the buffer that fmemopen was given.
struct InMemory {
  Word text_at = 0, size_at = 0;
  Word buffer = 0, capacity = 0;
};

// What names that lead to the same file have in common.
struct FileState {
  Word size = 0;
  bool exists = false;
  bool size_known = true;
  bool original = false;  // as it lies on the disk: its bytes can be read
  std::string lies;       // where, if the program has given it another name since
  std::shared_ptr<const std::string> content;  // what the program wrote, where it is known and small
  bool directory = false;
  bool guessed = false;   // its size: a loop that was not understood wrote to it
  std::uint32_t mode = 0;  // its permissions, where the program has set them; 0: as on the disk, or usual ones
  bool times_set = false;  // by the program: they are not followed
  std::shared_ptr<const std::map<Word, Word>> records;  // lengths of Fortran's, by where they begin
  friend bool operator==(const FileState&, const FileState&) = default;
};

struct File : FileState {
  std::string name;       // as logs have it: links are not followed, and dots are left in it
  bool opened = false;    // ever, by the program
  bool standard = false;  // stdin, stdout, stderr
  bool looked_up = false;  // what it leads to is known
  bool left_behind = false;  // the file went on under another name; who has it open still means that one
  std::uint32_t real = kNoFile;  // the file that this name leads to, by dots or links; none: itself
  std::uint32_t same = kNoFile;  // World::same_: names of one file
  int last_direction = 0;  // 1 read, 2 write
  Word last_read = 0, last_written = 0;  // the last byte of the access before
  std::uint16_t flags = 0;  // analyze::UseFlag, of how it was opened last
  double like_it = 0;     // files that iterations of a loop opened which were not run
  std::optional<analyze::PredictedDataset> dataset{};  // it is one of HDF5's
  bool parallel = false;  // HDF5 opened it by way of MPI-IO
  bool unwatched = false;  // no file: a run does not count what is done to it
  bool pipe = false;
  std::optional<InMemory> in_memory{};
  Doubt doubt = 0;  // its size, and where those who have it open are
  Doubt content_doubt = 0;
};

// A thread that had to wait for others before it did anything.
struct WaitingThread {
  Word number = 0, function = 0;
  Value argument;
};

// An open file with its position; several descriptors may share one.
struct Opened {
  std::uint32_t file = kNoFile;
  Word position = 0;
  bool append = false, stream = false, reads = true, writes = true;
  bool listed = false;  // by opendir: logs have neither its open nor its close
  bool end_seen = false;
  Word pushed = 0;  // bytes put back, which will be read once more
  int users = 0;
  Word address = 0;  // of the stream
  int descriptor = -1;
};

// The buffer of a C++ stream.
struct FileBuffer {
  int descriptor = -1;
  Word pending = 0;       // bytes that wait to be written
  Word left = 0;          // bytes that were read and not taken
  bool writing = false, reading = false, known = true;
  Word capacity = 8191;       // bytes that it holds: BUFSIZ less one, or what pubsetbuf said; 0: it is not used
  bool guessed = false;   // lines of an assumed length were taken
  std::string text;       // what is pending, where it is known
};

class World {
 public:
  World();

  std::uint32_t file_named(const std::string& name);  // looked up on the disk when it is new
  std::uint32_t standard(std::string_view name);
  std::uint32_t nameless(const std::string& name);  // a new file that logs know by that name, and nobody else
  [[nodiscard]] std::optional<std::uint32_t> find(const std::string& name) const;

  // A name as logs have it: absolute, "//" and "/./" left out. Relative to a folder, or to the current one.
  [[nodiscard]] std::string full_name(const std::string& name) const { return full_name(here, name); }
  [[nodiscard]] static std::string full_name(const std::string& folder, const std::string& name);
  // The same without dots and links, but for the last part where that is not to be followed.
  [[nodiscard]] std::string real_name(const std::string& name, bool follow = true);
  // What is in a link; empty: there is none of that name.
  [[nodiscard]] std::string link_at(const std::string& name) { return target_of(real_name(name, false)); }
  [[nodiscard]] std::vector<std::string> links() const;  // all that are known
  void make_link(const std::string& name, const std::string& target);
  // Another name for a file.
  void join(const std::string& name, std::uint32_t file);
  // The name is gone. Whoever has the file open keeps it.
  void remove(const std::string& name);
  // Replaces what has that name; all that is in a folder moves with it.
  void rename(const std::string& from, const std::string& to);
  [[nodiscard]] Word count_names(const File& file) const;  // that lead to it without a link
  // What one name of a file shows, all others show as well.
  void meet(std::uint32_t file);
  void meet_all();

  // A loop opened more files with names like this one than were followed one by one.
  void note_family(std::uint32_t file);
  // Whether files in that folder are among those.
  [[nodiscard]] bool has_families_in(const std::string& folder) const;

  // Files have numbers that stay: what another way through the program came to know, this one knows as well, as it is
  // on the disk (or, of a child process, as that left it).
  void know(const World& other, bool as_it_left_them = false);

  // Slots are reused like descriptors, so that a loop that opens and closes looks the same each time.
  int open(std::uint32_t file);
  int duplicate(int descriptor, int least = 0);  // -1: it is not open
  bool duplicate_onto(int descriptor, int onto);
  bool close(int descriptor);
  // An open file that is kept without a descriptor, as io_uring registers them; -1: there is none.
  int hold(int descriptor);
  [[nodiscard]] Opened* held(int slot);
  void release(int slot);
  [[nodiscard]] Opened* at(int descriptor);
  [[nodiscard]] Opened* stream(Word address);
  [[nodiscard]] Opened* standard_stream(std::size_t number) { return &opened[number]; }  // stdin, stdout, stderr
  Word make_stream(int descriptor);
  bool close_stream(Word address);

  // Whether somebody may still write into a pipe.
  [[nodiscard]] bool has_writer(std::uint32_t file) const;

  Word take(Word bytes);  // from the heap
  void give_back(Word address);
  // The piece of the heap that an address lies in: where it begins, and its bytes.
  [[nodiscard]] std::optional<std::pair<Word, Word>> block_around(Word address) const;
  [[nodiscard]] std::optional<Word> size_at(Word address) const;  // of the object on the heap that begins there

  // Everything that grows while a loop runs, in an order that does not change while nothing is opened or closed.
  void numbers(std::vector<Word>& out) const;
  void add(const std::vector<Word>& steps, Word iterations);
  // Whether so many iterations would put text into a C++ stream that is known, and short enough to be kept.
  // Whether that function puts text into a buffer of C++ or Fortran, which is written some other time.
  [[nodiscard]] static bool keeps_text(std::string_view function) {
    return function.starts_with("_Z") || function.starts_with("_FortranA");
  }
  [[nodiscard]] bool forgets_text(const std::vector<Word>& steps, double iterations) const;

  // Shared by copies of the world until one of them changes it.
  [[nodiscard]] const Hdf5& hdf5() const { return *hdf5_; }
  [[nodiscard]] Hdf5& change_hdf5();
  [[nodiscard]] NetCdf& netcdf();  // to be changed

  std::vector<File> files;
  std::string here;  // the current folder
  std::uint32_t mask = 0;  // of permissions: umask
  std::map<Word, FileBuffer> buffers;  // by address
  std::map<int, FortranUnit> units;  // by number
  std::vector<FortranStatement> statements;  // that are being carried out, the outermost first
  std::vector<int> table;  // descriptor -> opened, or -1
  std::vector<Opened> opened;
  Word ticks = 1'700'000'000'000'000'000;  // the clock, in nanoseconds
  Random random;
  Word largest_file = ~Word{0};  // that the process may write (RLIMIT_FSIZE)
  std::vector<std::pair<Word, Word>> at_exit;  // functions with their arguments
  Doubt text_doubt = 0;  // what waits in buffers
  Word children = 0;  // that nobody has waited for
  std::optional<Word> child_status = 0;  // of all that have ended; nothing: they differ, or it is not known
  bool became_another = false;  // the process runs another program by now (exec)
  std::vector<WaitingThread> waiting;
  Word heap = Word{1} << 50;  // where the next object comes to lie
  Word live = 0, most_live = 0;  // bytes of the heap that are in use, and were at once

 private:
  struct Same {
    FileState state;
    std::vector<std::uint32_t> names;
  };
  int free_slot(int least = 0);
  void look_up(std::uint32_t number);
  void look_on_disk(File& file) const;
  [[nodiscard]] std::string target_of(const std::string& real);
  std::vector<std::uint32_t> leading_to(std::uint32_t number) const;
  void leave(std::uint32_t number);
  void bind(std::uint32_t number, std::uint32_t file);
  void move(const std::string& from, const std::string& to);
  void forget_ways(const std::string& name);
  [[nodiscard]] bool is_open(std::uint32_t file) const;
  std::shared_ptr<Hdf5> hdf5_ = std::make_shared<Hdf5>();
  std::shared_ptr<NetCdf> netcdf_ = std::make_shared<NetCdf>();
  std::unordered_map<std::string, std::uint32_t> families_;  // by names without their numbers
  std::unordered_map<std::string, std::uint32_t> names_;
  std::unordered_map<std::string, std::string> links_;  // what is in them, by name; empty: it is none
  std::vector<Same> same_;
  std::map<Word, std::vector<Word>> free_;  // by size
  std::map<Word, Word> sizes_;
};

}  // namespace trikal::predict
