// The same records as rows of a dataset of HDF5's, behind classes: handles that close themselves, a store with virtual
// functions, a template for the type.
#include <hdf5.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
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
struct TypeOf;
template <>
struct TypeOf<char> {
  static hid_t id() { return H5T_NATIVE_CHAR; }
};

class Store {
 public:
  virtual ~Store() = default;
  virtual bool put(long step) = 0;
  virtual bool get(long step) = 0;
};

template <class T>
class Rows : public Store {
 public:
  Rows(const std::string& path, hsize_t rows, hsize_t width)
      : record_(width),
        file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose),
        whole_(space({rows, width}), H5Sclose),
        row_(space({1, width}), H5Sclose),
        data_(H5Dcreate2(file_, "records", TypeOf<T>::id(), whole_, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose) {}

  bool put(long step) override {
    select(step);
    return H5Dwrite(data_, TypeOf<T>::id(), row_, whole_, H5P_DEFAULT, record_.data()) >= 0;
  }
  bool get(long step) override {
    select(step);
    return H5Dread(data_, TypeOf<T>::id(), row_, whole_, H5P_DEFAULT, record_.data()) >= 0;
  }

 private:
  static hid_t space(const std::vector<hsize_t>& extent) {
    return H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  }
  void select(long step) {
    const std::vector<hsize_t> start{static_cast<hsize_t>(step), 0}, count{1, record_.size()};
    H5Sselect_hyperslab(whole_, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  }

  std::vector<T> record_;
  Handle file_, whole_, row_, data_;
};

int main(int argc, char** argv) {
  const long steps = argc > 1 ? std::atol(argv[1]) : 100;
  const std::unique_ptr<Store> store = std::make_unique<Rows<char>>("records.h5", static_cast<hsize_t>(steps), 4096);
  for (long step = 0; step < steps; ++step)
    if (!store->put(step) || !store->get(step)) return 1;
  return 0;
}
