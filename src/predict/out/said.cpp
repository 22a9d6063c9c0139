#include "predict/out/said.hpp"

#include <algorithm>
#include <functional>

#include "modules/mpiio/schema.hpp"
#include "modules/posix/schema.hpp"
#include "modules/stdio/schema.hpp"

namespace trikal::predict {
namespace {

using analyze::Operation;

// The four most common keys of a map from key to how often; of equally common ones the larger.
template <class Key>
std::array<std::pair<double, Key>, 4> most_common(const std::map<Key, double>& all) {
  std::vector<std::pair<double, Key>> ranked;
  for (const auto& [key, times] : all) ranked.emplace_back(times, key);
  std::ranges::sort(ranked, std::greater{});
  std::array<std::pair<double, Key>, 4> front{};
  std::copy_n(ranked.begin(), std::min(ranked.size(), front.size()), front.begin());
  return front;
}

// What modules of files have alike.
std::int64_t reads(const Seen& seen, std::size_t) { return whole(seen.reads.count); }
std::int64_t writes(const Seen& seen, std::size_t) { return whole(seen.writes.count); }
std::int64_t bytes_read(const Seen& seen, std::size_t) { return whole(seen.reads.bytes); }
std::int64_t bytes_written(const Seen& seen, std::size_t) { return whole(seen.writes.bytes); }
std::int64_t max_byte_read(const Seen& seen, std::size_t) { return whole(std::max(0.0, seen.reads.highest)); }
std::int64_t max_byte_written(const Seen& seen, std::size_t) { return whole(std::max(0.0, seen.writes.highest)); }
std::int64_t switches(const Seen& seen, std::size_t) { return whole(seen.moves.switches); }
std::int64_t read_sizes(const Seen& seen, std::size_t i) { return whole(seen.reads.classes[i]); }
std::int64_t write_sizes(const Seen& seen, std::size_t i) { return whole(seen.writes.classes[i]); }
std::int64_t common_size(const Seen& seen, std::size_t i) { return static_cast<std::int64_t>(seen.sizes[i].second); }
std::int64_t common_count(const Seen& seen, std::size_t i) { return whole(seen.sizes[i].first); }

constexpr auto kPosix =
    said_of(modules::posix::kSchema,
            {{"POSIX_OPENS",
              [](const Seen& seen, std::size_t) { return seen.uses.count({Operation::kOpen, Operation::kDuplicate}); }},
             {"POSIX_DUPS", calls<Operation::kDuplicate>},
             {"POSIX_READS", reads},
             {"POSIX_WRITES", writes},
             {"POSIX_SEEKS", calls<Operation::kSeek>},
             {"POSIX_STATS", calls<Operation::kStat>},
             {"POSIX_MMAPS", calls<Operation::kMap>},
             {"POSIX_FSYNCS", calls<Operation::kSync>},
             {"POSIX_FDSYNCS", calls<Operation::kDataSync>},
             {"POSIX_RENAME_SOURCES", calls<Operation::kRename>},
             {"POSIX_BYTES_READ", bytes_read},
             {"POSIX_BYTES_WRITTEN", bytes_written},
             {"POSIX_MAX_BYTE_READ", max_byte_read},
             {"POSIX_MAX_BYTE_WRITTEN", max_byte_written},
             {"POSIX_CONSEC_READS", [](const Seen& seen, std::size_t) { return whole(seen.reads.consecutive); }},
             {"POSIX_CONSEC_WRITES", [](const Seen& seen, std::size_t) { return whole(seen.writes.consecutive); }},
             {"POSIX_SEQ_READS", [](const Seen& seen, std::size_t) { return whole(seen.reads.sequential); }},
             {"POSIX_SEQ_WRITES", [](const Seen& seen, std::size_t) { return whole(seen.writes.sequential); }},
             {"POSIX_RW_SWITCHES", switches},
             {"POSIX_SIZE_READ_#", read_sizes},
             {"POSIX_SIZE_WRITE_#", write_sizes},
             {"POSIX_ACCESS#_ACCESS", common_size},
             {"POSIX_ACCESS#_COUNT", common_count}});

constexpr auto kStdio = said_of(
    modules::stdio::kSchema,
    // The streams that every program has are opened once, by nobody.
    {{"STDIO_OPENS",
      [](const Seen& seen, std::size_t) { return seen.uses.standard ? 1 : seen.uses.count({Operation::kStreamOpen}); }},
     {"STDIO_READS", reads},
     {"STDIO_WRITES", writes},
     {"STDIO_SEEKS", calls<Operation::kStreamSeek>},
     {"STDIO_FLUSHES", calls<Operation::kFlush>},
     {"STDIO_BYTES_READ", bytes_read},
     {"STDIO_BYTES_WRITTEN", bytes_written},
     {"STDIO_MAX_BYTE_READ", max_byte_read},
     {"STDIO_MAX_BYTE_WRITTEN", max_byte_written}});

constexpr auto kMpiio = said_of(modules::mpiio::kSchema, {{"MPIIO_INDEP_OPENS", calls<Operation::kMpiOpen>},
                                                          {"MPIIO_COLL_OPENS", calls<Operation::kMpiCollectiveOpen>},
                                                          {"MPIIO_INDEP_READS", calls<Operation::kMpiRead>},
                                                          {"MPIIO_INDEP_WRITES", calls<Operation::kMpiWrite>},
                                                          {"MPIIO_COLL_READS", calls<Operation::kMpiCollectiveRead>},
                                                          {"MPIIO_COLL_WRITES", calls<Operation::kMpiCollectiveWrite>},
                                                          {"MPIIO_NB_READS", calls<Operation::kMpiNonblockingRead>},
                                                          {"MPIIO_NB_WRITES", calls<Operation::kMpiNonblockingWrite>},
                                                          {"MPIIO_SYNCS", calls<Operation::kMpiSync>},
                                                          {"MPIIO_VIEWS", calls<Operation::kMpiSetView>},
                                                          {"MPIIO_BYTES_READ", bytes_read},
                                                          {"MPIIO_BYTES_WRITTEN", bytes_written},
                                                          {"MPIIO_RW_SWITCHES", switches},
                                                          {"MPIIO_SIZE_READ_AGG_#", read_sizes},
                                                          {"MPIIO_SIZE_WRITE_AGG_#", write_sizes},
                                                          {"MPIIO_ACCESS#_ACCESS", common_size},
                                                          {"MPIIO_ACCESS#_COUNT", common_count}});

}  // namespace

Seen::Seen(const Uses& all)
    : uses(all), reads(all.all(analyze::reads)), writes(all.all(analyze::writes)), moves(reads) {
  moves.merge(writes);
  std::map<std::uint64_t, double> moved = moves.sizes;
  moved.erase(0);  // nothing was moved
  sizes = most_common(moved);
  shapes = most_common(moves.shapes);
}

const SaidModule kSaidPosix = {&modules::posix::kSchema, kPosix, "MPI-IO,H5F"};
const SaidModule kSaidStdio = {&modules::stdio::kSchema, kStdio, ""};
const SaidModule kSaidMpiio = {&modules::mpiio::kSchema, kMpiio, "H5F"};

}  // namespace trikal::predict
