#include "analyze/rules/advice.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace trikal::analyze {
namespace {

constexpr std::array<std::string_view, 4> kSmallOutput = {"flushed-lines", "small-writes", "flush-per-write",
                                                          "tiny-stream-buffer"};
constexpr std::array<std::string_view, 4> kSmallData = {"small-writes", "small-reads", "seek-per-access", "reread"};
constexpr std::array<std::string_view, 3> kNumPy = {"small-writes", "reopen", "flush-per-write"};
constexpr std::array<std::string_view, 2> kPythonFlush = {"flushed-lines", "flush-per-write"};
constexpr std::array<std::string_view, 1> kSmallWrites = {"small-writes"}, kReopen = {"reopen"};
constexpr std::array<std::string_view, 4> kDatabase = {"small-writes", "sync-per-write", "lock-per-access",
                                                       "no-transactions"};
constexpr std::array<std::string_view, 4> kMpi = {"no-collectives", "small-writes", "data-sieving",
                                                  "unaggregated-collectives"};

struct Advice {
  std::span<const std::string_view> codes;
  std::string_view library;   // in what the call came through, or the end of the line's source
  std::string_view function;  // there as well
  std::string_view fix;
};

// The first that fits.
constexpr Advice kAdvice[] = {
    {kSmallOutput, "libstdc++", "flush",
     "Write '\\n' where std::endl or std::flush is: the stream then writes 8 KiB at a time; "
     "out.rdbuf()->pubsetbuf(buffer, 1 << 20) before "
     "it is opened makes that a megabyte."},
    {kSmallOutput, "libgfortran", "flush",
     "Remove FLUSH(unit) from the loop and do it once behind it; GFORTRAN_FORMATTED_BUFFER_SIZE=1048576 in the "
     "environment makes the "
     "unit's buffer larger."},
    {kSmallOutput, "libgfortran", "",
     "Unset GFORTRAN_UNBUFFERED_ALL and GFORTRAN_UNBUFFERED_PRECONNECTED; write whole arrays with one WRITE statement, "
     "and with "
     "ACCESS='STREAM', FORM='UNFORMATTED' where nobody reads the text."},
    {kReopen, "libgfortran", "",
     "OPEN the unit before the loop and CLOSE it behind; POSITION='APPEND' is not needed then."},
    {kDatabase, "libsqlite3", "",
     "BEGIN before the loop and COMMIT behind it (Python: with connection: around executemany); PRAGMA "
     "journal_mode=WAL where readers "
     "must go on meanwhile."},
    {kNumPy, "_multiarray_umath", "",
     "Hand NumPy the whole array: a.tofile(f) or np.save(name, a) once instead of row by row; np.load(name, "
     "mmap_mode='r') to read parts."},
    {kNumPy, "pandas", "", "Collect the rows and call to_csv or to_parquet once: pd.concat(parts).to_csv(name)."},
    {kSmallData, "libhdf5", "",
     "HDF5 made these calls. Transfer larger selections; for chunked data chunks of 256 KiB to 4 MiB (H5Pset_chunk; "
     "h5py: chunks=) and a "
     "cache that holds a row of them (H5Pset_chunk_cache; h5py: rdcc_nbytes=64 * 2**20); for contiguous data "
     "H5Pset_sieve_buf_size(1 << 20); "
     "for many objects H5Pset_libver_bounds(latest) and H5Pset_meta_block_size(1 << 20)."},
    {kMpi, "libmpich", "",
     "Call MPI_File_write_all or read_all with a view (MPI_File_set_view); ROMIO takes the hints "
     "romio_cb_write=enable, cb_nodes=<storage "
     "targets>, cb_buffer_size=16777216 and, where it reads before it writes, romio_ds_write=disable."},
    {kMpi, "mca_io_ompio", "",
     "Call MPI_File_write_all or read_all with a view (MPI_File_set_view); Open MPI's own I/O takes cb_nodes and "
     "cb_buffer_size as hints, "
     "mpirun --mca io romio321 gives ROMIO's instead."},
    {kPythonFlush, ".py", "",
     "print without flush=True, open(name, 'w') without buffering=1 or 0, python3 without -u; call flush() once where "
     "another program "
     "must see the lines."},
    {kSmallWrites, ".py", "",
     "open(name, 'wb', buffering=1 << 20), or collect the pieces in a list and write b''.join(pieces)."},
    {kReopen, ".py", "", "Open the file once before the loop: with open(name, 'a') as out: around it."},
};

bool fits(const Advice& advice, const SiteUse& site) {
  const bool is_source = advice.library.starts_with('.');
  if (is_source) return site.source.ends_with(advice.library);
  return site.through.find(advice.library) != std::string::npos &&
         site.through.find(advice.function) != std::string::npos;
}

// MPI's own calls are observed at the program's line; what they came through is at those below, of the same file.
bool fits_below(const Run& run, const Advice& advice, const SiteUse& site) {
  if (site.interface != "MPI-IO") return false;
  return std::ranges::any_of(run.sites,
                             [&](const SiteUse& below) { return below.file == site.file && fits(advice, below); });
}

}  // namespace

void advise_by_caller(const Run& run, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.files.empty() || finding.files.front().sites.empty()) continue;
    const SiteUse& site = finding.files.front().sites.front();
    const auto found = std::ranges::find_if(kAdvice, [&](const Advice& advice) {
      return std::ranges::find(advice.codes, finding.code) != advice.codes.end() &&
             (fits(advice, site) || fits_below(run, advice, site));
    });
    if (found != std::end(kAdvice)) finding.fix = found->fix;
  }
}

}  // namespace trikal::analyze
