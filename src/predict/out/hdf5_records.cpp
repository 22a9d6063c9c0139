// Records of HDF5 files and datasets, as a run would leave them.

#include "modules/h5d/schema.hpp"
#include "modules/h5f/schema.hpp"
#include "predict/out/said.hpp"

namespace trikal::predict {
namespace {

using analyze::Operation;

constexpr auto kH5f = said_of(
    modules::h5f::kSchema,
    {{"H5F_OPENS", calls<Operation::kHdf5Open>},
     {"H5F_FLUSHES", calls<Operation::kHdf5Flush>},
     {"H5F_USE_MPIIO", [](const Seen& seen, std::size_t) -> std::int64_t { return seen.uses.parallel ? 1 : 0; }}});

// What is known of the dataset itself; 0 where nothing is.
template <auto Member>
std::int64_t of_dataset(const Seen& seen, std::size_t /*bucket*/) {
  return seen.uses.dataset ? static_cast<std::int64_t>((*seen.uses.dataset).*Member) : 0;
}
template <auto Member>
std::int64_t of_moves(const Seen& seen, std::size_t /*bucket*/) {
  return whole(seen.moves.*Member);
}

using analyze::PredictedDataset;
using analyze::PredictedUse;

constexpr auto kH5d =
    said_of(modules::h5d::kSchema,
            {{"H5D_OPENS", calls<Operation::kHdf5DatasetOpen>},
             {"H5D_READS", [](const Seen& seen, std::size_t) { return whole(seen.reads.count); }},
             {"H5D_WRITES", [](const Seen& seen, std::size_t) { return whole(seen.writes.count); }},
             {"H5D_FLUSHES", calls<Operation::kHdf5DatasetFlush>},
             {"H5D_BYTES_READ", [](const Seen& seen, std::size_t) { return whole(seen.reads.bytes); }},
             {"H5D_BYTES_WRITTEN", [](const Seen& seen, std::size_t) { return whole(seen.writes.bytes); }},
             {"H5D_RW_SWITCHES", of_moves<&PredictedUse::switches>},
             {"H5D_REGULAR_HYPERSLAB_SELECTS", of_moves<&PredictedUse::regular>},
             {"H5D_IRREGULAR_HYPERSLAB_SELECTS", of_moves<&PredictedUse::irregular>},
             {"H5D_POINT_SELECTS", of_moves<&PredictedUse::points>},
             {"H5D_SIZE_READ_AGG_#", [](const Seen& seen, std::size_t i) { return whole(seen.reads.classes[i]); }},
             {"H5D_SIZE_WRITE_AGG_#", [](const Seen& seen, std::size_t i) { return whole(seen.writes.classes[i]); }},
             {"H5D_ACCESS#", [](const Seen& seen, std::size_t i) { return seen.shapes[i / 11].second[i % 11]; }},
             {"H5D_ACCESS#_COUNT", [](const Seen& seen, std::size_t i) { return whole(seen.shapes[i].first); }},
             {"H5D_DATASPACE_NDIMS", of_dataset<&PredictedDataset::dimensions>},
             {"H5D_DATASPACE_NPOINTS", of_dataset<&PredictedDataset::elements>},
             {"H5D_DATATYPE_SIZE", of_dataset<&PredictedDataset::element_bytes>},
             {"H5D_CHUNK_SIZE_D#",
              [](const Seen& seen, std::size_t i) { return seen.uses.dataset ? seen.uses.dataset->chunk[i] : 0; }},
             {"H5D_USE_DEPRECATED", of_dataset<&PredictedDataset::deprecated>},
             {"H5D_USE_MPIIO_COLLECTIVE", [](const Seen& seen, std::size_t) -> std::int64_t {
                return (seen.moves.flags & analyze::kUseCollective) != 0 ? 1 : 0;
              }}});

}  // namespace

const SaidModule kSaidH5f = {&modules::h5f::kSchema, kH5f, ""};
const SaidModule kSaidH5d = {&modules::h5d::kSchema, kH5d, ""};

}  // namespace trikal::predict
