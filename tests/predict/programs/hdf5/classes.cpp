// HDF5 as programs in C++ have it: handles in classes that close them, templates for types, exceptions for errors.
#include <hdf5.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace store {

class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id_ < 0) throw std::runtime_error("HDF5 says no");
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

template <class T>
hid_t type_of();
template <>
hid_t type_of<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t type_of<int>() {
  return H5T_NATIVE_INT;
}
template <>
hid_t type_of<float>() {
  return H5T_NATIVE_FLOAT;
}

class Dataset {
 public:
  Dataset(hid_t location, const std::string& name, hid_t type, const std::vector<hsize_t>& extent, hsize_t chunk)
      : space_(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose),
        data_(create(location, name, type, space_, extent, chunk), H5Dclose) {}

  template <class T>
  void put(hsize_t from, const std::vector<T>& values) {
    const std::array<hsize_t, 1> start{from}, count{values.size()};
    Handle memory(H5Screate_simple(1, count.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(space_, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    if (H5Dwrite(data_, type_of<T>(), memory, space_, H5P_DEFAULT, values.data()) < 0)
      throw std::runtime_error("write");
  }
  template <class T>
  std::vector<T> get() const {
    std::vector<T> all(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space_)));
    H5Dread(data_, type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
    return all;
  }

 private:
  static hid_t create(hid_t location, const std::string& name, hid_t type, hid_t space,
                      const std::vector<hsize_t>& extent, hsize_t chunk) {
    Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (chunk > 0) {
      const std::vector<hsize_t> chunks(extent.size(), chunk);
      H5Pset_chunk(how, static_cast<int>(chunks.size()), chunks.data());
    }
    return H5Dcreate2(location, name.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  }
  Handle space_, data_;
};

class File {
 public:
  explicit File(const std::string& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {}
  template <class T>
  std::unique_ptr<Dataset> dataset(const std::string& name, hsize_t size, hsize_t chunk = 0) {
    return std::make_unique<Dataset>(file_, name, type_of<T>(), std::vector<hsize_t>{size}, chunk);
  }
  void flush() { H5Fflush(file_, H5F_SCOPE_GLOBAL); }

 private:
  Handle file_;
};

class Writer {
 public:
  virtual ~Writer() = default;
  virtual void step(int number) = 0;
};

template <class T>
class SeriesWriter : public Writer {
 public:
  SeriesWriter(File& file, const std::string& name, hsize_t steps, hsize_t width, hsize_t chunk)
      : width_(width), values_(width), data_(file.dataset<T>(name, steps * width, chunk)) {}
  void step(int number) override {
    for (auto& value : values_) value = static_cast<T>(number);
    data_->put(static_cast<hsize_t>(number) * width_, values_);
  }
  std::size_t check() const { return data_->template get<T>().size(); }

 private:
  hsize_t width_;
  std::vector<T> values_;
  std::unique_ptr<Dataset> data_;
};

}  // namespace store

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::stoi(argv[1]) : 10;
  store::File file("classes.h5");
  std::vector<std::unique_ptr<store::Writer>> writers;
  writers.push_back(std::make_unique<store::SeriesWriter<double>>(file, "pressure", steps, 128, 0));
  writers.push_back(std::make_unique<store::SeriesWriter<float>>(file, "density", steps, 32, 16));
  writers.push_back(std::make_unique<store::SeriesWriter<int>>(file, "owner", steps, 1, 0));
  for (int step = 0; step < steps; ++step) {
    for (const auto& writer : writers) writer->step(step);
    if (step % 100 == 99) file.flush();
  }
  return 0;
}
