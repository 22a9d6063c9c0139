// Records of HDF5 files and datasets, as a run would leave them.

#include "predict/out/uses.hpp"

namespace trikal::predict {

using analyze::Operation;
using analyze::PredictedUse;

Record<modules::h5f::kSchema> h5f_record(const Uses& uses) {
  Record<modules::h5f::kSchema> record;
  record.at<"H5F_OPENS">() = uses.count({Operation::kHdf5Open});
  record.at<"H5F_FLUSHES">() = uses.count({Operation::kHdf5Flush});
  record.at<"H5F_USE_MPIIO">() = uses.parallel ? 1 : 0;
  record.set_real<"H5F_F_META_TIME">(times_of(uses).meta);
  return record;
}

namespace {

using DatasetRecord = Record<modules::h5d::kSchema>;

void put_shape(DatasetRecord& record, const analyze::PredictedDataset& dataset) {
  record.at<"H5D_DATASPACE_NDIMS">() = dataset.dimensions;
  record.at<"H5D_DATASPACE_NPOINTS">() = dataset.elements;
  record.at<"H5D_DATATYPE_SIZE">() = dataset.element_bytes;
  for (std::size_t i = 0; i < dataset.chunk.size(); ++i) record.at<"H5D_CHUNK_SIZE_D#">(i) = dataset.chunk[i];
  record.at<"H5D_USE_DEPRECATED">() = dataset.deprecated ? 1 : 0;
}

void put_accesses(DatasetRecord& record, const PredictedUse& moves) {
  std::vector<std::pair<double, std::array<std::int64_t, 11>>> ranked;
  for (const auto& [shape, times] : moves.shapes) ranked.emplace_back(times, shape);
  std::ranges::sort(ranked, std::greater{});
  for (std::size_t i = 0; i < 4 && i < ranked.size(); ++i) {
    for (std::size_t k = 0; k < 11; ++k) record.at<"H5D_ACCESS#">(11 * i + k) = ranked[i].second[k];
    record.at<"H5D_ACCESS#_COUNT">(i) = whole(ranked[i].first);
  }
}

}  // namespace

DatasetRecord h5d_record(const Uses& uses) {
  DatasetRecord record;
  const PredictedUse reads = uses.all(analyze::reads), writes = uses.all(analyze::writes);
  PredictedUse moves = reads;
  moves.merge(writes);
  record.words[2] = static_cast<std::int64_t>(uses.container);
  record.at<"H5D_OPENS">() = uses.count({Operation::kHdf5DatasetOpen});
  record.at<"H5D_READS">() = whole(reads.count);
  record.at<"H5D_WRITES">() = whole(writes.count);
  record.at<"H5D_FLUSHES">() = uses.count({Operation::kHdf5DatasetFlush});
  record.at<"H5D_BYTES_READ">() = whole(reads.bytes);
  record.at<"H5D_BYTES_WRITTEN">() = whole(writes.bytes);
  record.at<"H5D_RW_SWITCHES">() = whole(moves.switches);
  record.at<"H5D_REGULAR_HYPERSLAB_SELECTS">() = whole(moves.regular);
  record.at<"H5D_IRREGULAR_HYPERSLAB_SELECTS">() = whole(moves.irregular);
  record.at<"H5D_POINT_SELECTS">() = whole(moves.points);
  for (std::size_t i = 0; i < reads.classes.size(); ++i) {
    record.at<"H5D_SIZE_READ_AGG_#">(i) = whole(reads.classes[i]);
    record.at<"H5D_SIZE_WRITE_AGG_#">(i) = whole(writes.classes[i]);
  }
  put_accesses(record, moves);
  if (uses.dataset) put_shape(record, *uses.dataset);
  record.at<"H5D_USE_MPIIO_COLLECTIVE">() = (moves.flags & analyze::kUseCollective) != 0 ? 1 : 0;
  const Times times = times_of(uses);
  record.set_real<"H5D_F_READ_TIME">(times.read);
  record.set_real<"H5D_F_WRITE_TIME">(times.write);
  record.set_real<"H5D_F_META_TIME">(times.meta);
  return record;
}

}  // namespace trikal::predict
