#include "analyze/dataset/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schema/labels.hpp"

namespace trikal::analyze {
namespace {

struct OperationRow {
  std::string_view name;
  PredictedLayer layer;
  char direction;  // r, w or -
};

constexpr OperationRow kOperations[] = {
    {"open", PredictedLayer::kPosix, '-'},
    {"close", PredictedLayer::kPosix, '-'},
    {"read", PredictedLayer::kPosix, 'r'},
    {"write", PredictedLayer::kPosix, 'w'},
    {"seek", PredictedLayer::kPosix, '-'},
    {"stat", PredictedLayer::kPosix, '-'},
    {"fsync", PredictedLayer::kPosix, '-'},
    {"fdatasync", PredictedLayer::kPosix, '-'},
    {"flush", PredictedLayer::kStdio, '-'},
    {"truncate", PredictedLayer::kPosix, '-'},
    {"mmap", PredictedLayer::kPosix, '-'},
    {"remove", PredictedLayer::kPosix, '-'},
    {"rename", PredictedLayer::kPosix, '-'},
    {"dup", PredictedLayer::kPosix, '-'},
    {"fopen", PredictedLayer::kStdio, '-'},
    {"fclose", PredictedLayer::kStdio, '-'},
    {"stream read", PredictedLayer::kStdio, 'r'},
    {"stream write", PredictedLayer::kStdio, 'w'},
    {"stream seek", PredictedLayer::kStdio, '-'},
    {"MPI open", PredictedLayer::kMpiio, '-'},
    {"MPI collective open", PredictedLayer::kMpiio, '-'},
    {"MPI close", PredictedLayer::kMpiio, '-'},
    {"MPI read", PredictedLayer::kMpiio, 'r'},
    {"MPI write", PredictedLayer::kMpiio, 'w'},
    {"MPI collective read", PredictedLayer::kMpiio, 'r'},
    {"MPI collective write", PredictedLayer::kMpiio, 'w'},
    {"MPI sync", PredictedLayer::kMpiio, '-'},
    {"MPI set view", PredictedLayer::kMpiio, '-'},
    {"MPI nonblocking read", PredictedLayer::kMpiio, 'r'},
    {"MPI nonblocking write", PredictedLayer::kMpiio, 'w'},
    {"HDF5 open", PredictedLayer::kHdf5File, '-'},
    {"HDF5 close", PredictedLayer::kHdf5File, '-'},
    {"HDF5 flush", PredictedLayer::kHdf5File, '-'},
    {"HDF5 dataset open", PredictedLayer::kHdf5Dataset, '-'},
    {"HDF5 dataset close", PredictedLayer::kHdf5Dataset, '-'},
    {"HDF5 read", PredictedLayer::kHdf5Dataset, 'r'},
    {"HDF5 write", PredictedLayer::kHdf5Dataset, 'w'},
    {"HDF5 dataset flush", PredictedLayer::kHdf5Dataset, '-'},
};
static_assert(std::size(kOperations) == kOperationKinds);

const OperationRow& row_of(Operation operation) { return kOperations[static_cast<std::size_t>(operation)]; }

constexpr std::size_t kMostSizes = 64;

}  // namespace

std::string_view name_of(Operation operation) { return row_of(operation).name; }
PredictedLayer layer_of(Operation operation) { return row_of(operation).layer; }
bool reads(Operation operation) { return row_of(operation).direction == 'r'; }
bool writes(Operation operation) { return row_of(operation).direction == 'w'; }
bool opens(Operation operation) {
  return operation == Operation::kOpen || operation == Operation::kStreamOpen || operation == Operation::kMpiOpen ||
         operation == Operation::kMpiCollectiveOpen || operation == Operation::kHdf5Open ||
         operation == Operation::kHdf5DatasetOpen;
}

std::string_view name_of(Work work) {
  constexpr std::string_view kNames[] = {"arithmetic",  "real",         "divide",     "memory",       "indirect",
                                         "choice",      "tight",        "call",       "library",      "math",
                                         "text",        "allocate",     "heap bytes", "moved bytes",  "sorted",
                                         "message",     "start",        "far",        "stream call",  "stream text",
                                         "chain",       "far indirect", "file pages", "synced bytes", "replaced bytes",
                                         "Fortran text"};
  static_assert(std::size(kNames) == kWorkKinds);
  return kNames[static_cast<std::size_t>(work)];
}

std::string_view name_of(Certainty certainty) {
  constexpr std::string_view kNames[] = {"exact", "extrapolated", "assumed"};
  return kNames[static_cast<std::size_t>(certainty)];
}

std::string_view name_of(BlockKind kind) {
  constexpr std::string_view kNames[] = {"program", "file", "class", "function", "loop", "branch", "line"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(EdgeKind kind) { return kind == EdgeKind::kCall ? "call" : "order"; }

std::vector<std::string_view> names_of_flags(std::uint16_t flags) {
  constexpr std::string_view kNames[] = {"synchronous", "direct",     "append", "text",
                                         "numbers",     "unbuffered", "endl",   "collective"};
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    if ((flags >> i & 1) != 0) names.push_back(kNames[i]);
  return names;
}

std::string_view pattern_of(const PredictedUse& use) {
  constexpr double kMostly = 0.9;
  if (use.bytes <= 0 || use.count <= 0) return "";
  if (use.count < 2) return "one";
  const double pairs = use.count - 1;  // the first access follows nothing
  if (use.consecutive >= kMostly * pairs) return "consecutive";
  return use.sequential >= kMostly * pairs ? "forward" : "random";
}

void PredictedUse::add(double times, double size, Certainty how) {
  count += times;
  bytes += times * size;
  classes[size_class(static_cast<std::int64_t>(size))] += times;
  if (const auto known = sizes.find(static_cast<std::uint64_t>(size)); known != sizes.end()) known->second += times;
  else if (sizes.size() < kMostSizes) sizes[static_cast<std::uint64_t>(size)] = times;
  certainty = std::max(certainty, how);
}

void PredictedUse::merge(const PredictedUse& other) {
  count += other.count, bytes += other.bytes;
  if (first < 0) first = other.first;
  flags |= other.flags;
  sequential += other.sequential, consecutive += other.consecutive, switches += other.switches;
  highest = std::max(highest, other.highest);
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i] += other.classes[i];
  for (const auto& [size, times] : other.sizes)
    if (sizes.contains(size) || sizes.size() < kMostSizes) sizes[size] += times;
  points += other.points, regular += other.regular, irregular += other.irregular, pieces += other.pieces;
  for (const auto& [shape, times] : other.shapes)
    if (shapes.contains(shape) || shapes.size() < kMostSizes) shapes[shape] += times;
  size_unknown = size_unknown || other.size_unknown;
  certainty = std::max(certainty, other.certainty);
}

void PredictedUse::describe(const PredictedSelection& selection) {
  using Kind = PredictedSelection::Kind;
  if (selection.kind == Kind::kNone) return;
  if (selection.kind == Kind::kPoints) points = count;
  if (selection.kind == Kind::kRegular) regular = count;
  if (selection.kind == Kind::kIrregular) irregular = count;
  if (selection.collective) flags |= kUseCollective;
  pieces = count * static_cast<double>(selection.pieces);
  std::array<std::int64_t, 11> shape{};
  std::ranges::copy(selection.length, shape.begin() + 1);
  std::ranges::copy(selection.stride, shape.begin() + 6);
  for (const auto& [size, times] : sizes) {
    shape[0] = static_cast<std::int64_t>(size);
    if (size > 0) shapes[shape] += times;
  }
}

std::optional<Operation> below_stream(Operation operation) {
  if (operation == Operation::kStreamRead) return Operation::kRead;
  if (operation == Operation::kStreamWrite) return Operation::kWrite;
  return std::nullopt;
}

constexpr double kStreamBuffer = 4096;

// Large writes get large pages.
double file_pages(const PredictedUse& use) {
  constexpr double kPage = 4096, kMostOfCall = 4;
  return std::min(use.bytes / kPage, kMostOfCall * use.count);
}

double calls_below(const PredictedUse& use) { return std::min(use.count, use.bytes / kStreamBuffer); }
bool goes_past_buffer(const PredictedUse& use) { return use.bytes >= kStreamBuffer * use.count; }

bool waits_for_device(Operation operation, const PredictedUse& use) {
  return (use.flags & kUseSynchronous) != 0 && writes(operation);
}

void guess_hdf5_prices(std::vector<Costs::Price>& prices) {
  constexpr double kCall = 4e-6, kDataset = 25e-6, kClosing = 5e-6, kFile = 200e-6;
  prices.resize(kOperationKinds);
  const auto price = [&](Operation one) -> Costs::Price& { return prices[static_cast<std::size_t>(one)]; };
  const auto guess = [&](Operation one, Operation below, double more) {
    if (price(one).each <= 0) price(one) = {price(below).each + more, price(below).byte};
  };
  guess(Operation::kHdf5Open, Operation::kOpen, kFile);
  guess(Operation::kHdf5Close, Operation::kClose, kFile);
  guess(Operation::kHdf5Flush, Operation::kWrite, kFile);
  guess(Operation::kHdf5DatasetOpen, Operation::kWrite, kDataset);
  guess(Operation::kHdf5DatasetClose, Operation::kWrite, kClosing);
  guess(Operation::kHdf5Read, Operation::kRead, kCall);
  guess(Operation::kHdf5Write, Operation::kWrite, kCall);
  guess(Operation::kHdf5DatasetFlush, Operation::kWrite, kDataset);
}

namespace {

// Where nothing was measured.
double plain_price(Operation operation, const PredictedUse& use, const Costs& costs) {
  if (opens(operation)) return costs.open;
  const bool syncs =
      operation == Operation::kSync || operation == Operation::kDataSync || operation == Operation::kMpiSync;
  if (syncs || waits_for_device(operation, use)) return costs.sync;
  return costs.operation;
}

}  // namespace

double seconds_of(Operation operation, const PredictedUse& use, const Costs& costs) {
  const double pieces = std::max(0.0, use.pieces - use.count);  // one is the access itself
  if (costs.prices.empty())
    return use.count * plain_price(operation, use, costs) + pieces * costs.operation + use.bytes * costs.bytes;
  const auto price = [&](Operation one) { return costs.prices[static_cast<std::size_t>(one)]; };
  const auto below = below_stream(operation);
  const double byte = price(below && goes_past_buffer(use) ? *below : operation).byte;
  const double waits = waits_for_device(operation, use) ? price(Operation::kDataSync).each : 0;
  return use.count * (price(operation).each + waits) + use.bytes * byte +
         (below ? calls_below(use) * price(*below).each : 0) +
         pieces * price(reads(operation) ? Operation::kRead : Operation::kWrite).each;
}

bool does_io(const CodeBlock& block) {
  constexpr Work kStreams[] = {Work::kStreamCall, Work::kStreamText, Work::kFortranText};
  return !block.io.empty() ||
         std::ranges::any_of(kStreams, [&](Work one) { return block.work[static_cast<std::size_t>(one)] > 0; });
}

std::string path_of(const std::vector<CodeBlock>& blocks, std::uint32_t block) {
  std::string path;
  for (; blocks[block].parent != block; block = blocks[block].parent) {
    const std::string step =
        fmt::format("{} {}:{}", name_of(blocks[block].kind), blocks[block].name, blocks[block].line);
    path = path.empty() ? step : step + "/" + path;
  }
  return path;
}

std::string_view intensity_of(double score) {
  constexpr double kBalanced = 0.2, kIntensive = 0.5;
  return score > kIntensive ? "I/O-intensive" : score > kBalanced ? "balanced" : "compute";
}

void estimate(Prediction& prediction, const Costs& costs) {
  for (CodeBlock& block : prediction.blocks) {
    block.seconds_io = 0;
    for (const auto& [operation, use] : block.io) block.seconds_io += seconds_of(operation, use, costs);
    block.seconds_compute = costs.work.empty() ? block.instructions * costs.instruction : 0;
    for (std::size_t i = 0; i < costs.work.size() && i < kWorkKinds; ++i)
      (is_io(static_cast<Work>(i)) ? block.seconds_io : block.seconds_compute) += block.work[i] * costs.work[i];
    const double all = block.seconds_io + block.seconds_compute;
    block.score = !does_io(block) || all <= 0 ? 0 : block.seconds_io / all;
  }
}

void SurenessSum::add(Certainty certainty, double count, double bytes, const std::string& because) {
  const auto kind = static_cast<std::size_t>(certainty);
  counts_[kind] += count, bytes_[kind] += bytes;
  if (certainty == Certainty::kAssumed) reasons_[because.empty() ? "something is not known" : because] += count;
}

Sureness SurenessSum::shares() const {
  const double all = counts_[0] + counts_[1] + counts_[2], moved = bytes_[0] + bytes_[1] + bytes_[2];
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  Sureness out{all, share(counts_[0], all), share(counts_[1], all), share(counts_[2], all), share(bytes_[2], moved),
               {}};
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [reason, count] : reasons_) order.emplace_back(-count, reason);
  std::ranges::sort(order);
  for (const auto& [count, reason] : order) out.because.push_back(reason);
  return out;
}

Sureness sureness_of(const Prediction& prediction) {
  SurenessSum sum;
  for (const PredictedAccess& one : prediction.accesses)
    sum.add(one.use.certainty, one.use.count, one.use.bytes, one.because);
  return sum.shares();
}

}  // namespace trikal::analyze
