#include "capture/hdf5/library.hpp"

#include <algorithm>

#include "capture/hdf5/call.hpp"
#include "capture/loader/symbols.hpp"

namespace trikal::capture {

constinit Hdf5Library hdf5;
constinit thread_local std::uint32_t Hdf5Calls::depth = 0;

namespace {

// Of the enumerations of H5Ipublic.h, H5Dpublic.h, H5Spublic.h and H5FDmpi.h, unchanged since 1.8.
constexpr int kDatasetType = 5;
constexpr int kChunkedLayout = 2;
constexpr int kPointSelection = 1, kHyperslabSelection = 2;
constexpr int kCollectiveMode = 1;

template <class Function>
bool find(Function*& function, const char* name) noexcept {
  function = reinterpret_cast<Function*>(find_function(name));
  return function != nullptr;
}

std::size_t cut(std::ptrdiff_t length, std::size_t capacity) noexcept {
  return length <= 0 ? 0 : std::min(static_cast<std::size_t>(length), capacity - 1);
}

}  // namespace

// HDF5 prints what goes wrong unless it is told not to; of our questions nobody wants to know. Programs that use the
// interface of 1.6 for this are left as they are: one cannot be asked for through the other.
class Hdf5Library::Quiet {
 public:
  explicit Quiet(const Hdf5Library& library) noexcept : library_(library) {
    unsigned is_new = 0;
    on_ = library_.errors_are_new_(0, &is_new) >= 0 && is_new != 0 && library_.get_report_(0, &report_, &data_) >= 0 &&
          library_.set_report_(0, nullptr, nullptr) >= 0;
  }
  ~Quiet() {
    if (on_) (void)library_.set_report_(0, report_, data_);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  const Hdf5Library& library_;
  void* report_ = nullptr;
  void* data_ = nullptr;
  bool on_ = false;
};

bool Hdf5Library::look() noexcept {
  // H5Sget_regular_hyperslab came with 1.10.0, and so did handles of 64 bits.
  const bool whole =
      find(hyperslab_, "H5Sget_regular_hyperslab") && find(is_regular_, "H5Sis_regular_hyperslab") &&
      find(type_of_, "H5Iget_type") && find(name_of_, "H5Iget_name") && find(file_name_, "H5Fget_name") &&
      find(get_file_, "H5Iget_file_id") && find(release_, "H5Idec_ref") && find(get_space_, "H5Dget_space") &&
      find(get_type_, "H5Dget_type") && find(get_creation_, "H5Dget_create_plist") && find(close_space_, "H5Sclose") &&
      find(close_type_, "H5Tclose") && find(close_list_, "H5Pclose") && find(type_bytes_, "H5Tget_size") &&
      find(dimensions_, "H5Sget_simple_extent_ndims") && find(elements_, "H5Sget_simple_extent_npoints") &&
      find(selected_, "H5Sget_select_npoints") && find(selection_kind_, "H5Sget_select_type") &&
      find(layout_, "H5Pget_layout") && find(chunk_, "H5Pget_chunk") && find(errors_are_new_, "H5Eauto_is_v2") &&
      find(get_report_, "H5Eget_auto2") && find(set_report_, "H5Eset_auto2") && find(driver_, "H5Pget_driver");
  find(transfer_mode_, "H5Pget_dxpl_mpio");
  find(mpi_driver_, "H5FD_mpio_init");
  mpi_driver_id_ = static_cast<const Hdf5Id*>(find_data("H5FD_MPIO_id_g"));  // since 2.0
  return whole;
}

bool Hdf5Library::is_dataset(Hdf5Id object) const noexcept { return type_of_(object) == kDatasetType; }

Hdf5Id Hdf5Library::file_of(Hdf5Id object) const noexcept {
  const Quiet quiet(*this);
  const Hdf5Id file = get_file_(object);
  if (file > 0) release_(file);
  return file > 0 ? file : 0;
}

std::size_t Hdf5Library::path_of_file(Hdf5Id object, char* out, std::size_t capacity) const noexcept {
  const Quiet quiet(*this);
  return cut(file_name_(object, out, capacity), capacity);
}

std::size_t Hdf5Library::name_in_file(Hdf5Id object, char* out, std::size_t capacity) const noexcept {
  const Quiet quiet(*this);
  return cut(name_of_(object, out, capacity), capacity);
}

void Hdf5Library::describe_space(Hdf5Id space, Hdf5Shape& shape) const noexcept {
  shape.dimensions = std::max(dimensions_(space), 0);
  shape.elements = std::max(elements_(space), 0LL);
}

void Hdf5Library::describe_chunks(Hdf5Id creation, Hdf5Shape& shape) const noexcept {
  if (!is_hdf5_handle(creation) || layout_(creation) != kChunkedLayout) return;
  Hdf5Size extent[kHdf5MostDimensions] = {};
  const int dimensions = std::min<int>(chunk_(creation, kHdf5MostDimensions, extent), kHdf5MostDimensions);
  for (int i = 0; i < std::min<int>(dimensions, kHdf5Dimensions); ++i)
    shape.chunk[i] = static_cast<std::int64_t>(extent[dimensions - 1 - i]);
}

Hdf5Shape Hdf5Library::shape_of(Hdf5Id type, Hdf5Id space, Hdf5Id creation) const noexcept {
  const Quiet quiet(*this);
  Hdf5Shape shape;
  shape.element_bytes = static_cast<std::int64_t>(type_bytes_(type));
  describe_space(space, shape);
  describe_chunks(creation, shape);
  return shape;
}

Hdf5Shape Hdf5Library::shape_of(Hdf5Id dataset) const noexcept {
  const Quiet quiet(*this);
  const Hdf5Id type = get_type_(dataset), space = get_space_(dataset), creation = get_creation_(dataset);
  Hdf5Shape shape;
  if (type > 0) shape.element_bytes = static_cast<std::int64_t>(type_bytes_(type)), close_type_(type);
  if (space > 0) describe_space(space, shape), close_space_(space);
  if (creation > 0) describe_chunks(creation, shape), close_list_(creation);
  return shape;
}

// Where there are fewer than five dimensions, records have always had the slowest in the last slot; of more, we keep the
// fastest five.
void Hdf5Library::describe_hyperslab(Hdf5Id space, Hdf5Selection& selection) const noexcept {
  if (is_regular_(space) <= 0) {
    selection.kind = Hdf5Selection::Kind::kIrregular;
    return;
  }
  selection.kind = Hdf5Selection::Kind::kRegular;
  Hdf5Size start[kHdf5MostDimensions] = {}, stride[kHdf5MostDimensions] = {};
  Hdf5Size count[kHdf5MostDimensions] = {}, block[kHdf5MostDimensions] = {};
  const std::size_t dimensions = static_cast<std::size_t>(std::max(dimensions_(space), 0));
  if (dimensions > kHdf5MostDimensions || hyperslab_(space, start, stride, count, block) < 0) return;
  const std::size_t first = dimensions > kHdf5Dimensions ? dimensions - kHdf5Dimensions : 0;
  for (std::size_t i = 0; i < kHdf5Dimensions; ++i) {
    const std::size_t from = first + kHdf5Dimensions - 1 - i;
    selection.length[i] = static_cast<std::int64_t>(count[from] * block[from]);
    selection.stride[i] = static_cast<std::int64_t>(stride[from]);
  }
}

Hdf5Selection Hdf5Library::selection_of(Hdf5Id dataset, Hdf5Id file_space) const noexcept {
  Hdf5Selection selection;
  const Quiet quiet(*this);
  if (!is_hdf5_handle(file_space)) {  // asked for now: it may have grown since it was opened
    const Hdf5Id space = get_space_(dataset);
    if (space > 0) selection.elements = std::max(elements_(space), 0LL), close_space_(space);
    return selection;
  }
  selection.elements = std::max(selected_(file_space), 0LL);
  const int kind = selection_kind_(file_space);
  if (kind == kPointSelection) selection.kind = Hdf5Selection::Kind::kPoints;
  if (kind == kHyperslabSelection) describe_hyperslab(file_space, selection);
  return selection;
}

bool Hdf5Library::is_collective(Hdf5Id transfer_list) const noexcept {
  int mode = 0;
  if (!is_hdf5_handle(transfer_list) || transfer_mode_ == nullptr) return false;
  const Quiet quiet(*this);
  return transfer_mode_(transfer_list, &mode) >= 0 && mode == kCollectiveMode;
}

bool Hdf5Library::is_parallel(Hdf5Id access_list) const noexcept {
  if (!is_hdf5_handle(access_list) || (mpi_driver_ == nullptr && mpi_driver_id_ == nullptr)) return false;
  const Quiet quiet(*this);
  const Hdf5Id parallel = mpi_driver_id_ != nullptr ? *mpi_driver_id_ : mpi_driver_();
  return parallel > 0 && driver_(access_list) == parallel;
}

}  // namespace trikal::capture
