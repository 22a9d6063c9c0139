// The same records as rows of a dataset, with HDF5's own classes for C++ (H5Cpp.h) beneath a store with virtual functions.
#include <H5Cpp.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

class Store {
 public:
  virtual ~Store() = default;
  virtual void put(hsize_t step) = 0;
  virtual void get(hsize_t step) = 0;
};

class Rows : public Store {
 public:
  Rows(const std::string& path, hsize_t rows, hsize_t width)
      : record_(width),
        file_(path, H5F_ACC_TRUNC),
        whole_(space({rows, width})),
        row_(space({1, width})),
        data_(file_.createDataSet("records", H5::PredType::NATIVE_CHAR, whole_)) {}

  void put(hsize_t step) override {
    select(step);
    data_.write(record_.data(), H5::PredType::NATIVE_CHAR, row_, whole_);
  }
  void get(hsize_t step) override {
    select(step);
    data_.read(record_.data(), H5::PredType::NATIVE_CHAR, row_, whole_);
  }

 private:
  static H5::DataSpace space(const std::vector<hsize_t>& extent) {
    return H5::DataSpace(static_cast<int>(extent.size()), extent.data());
  }
  void select(hsize_t step) {
    const std::vector<hsize_t> start{step, 0}, count{1, record_.size()};
    whole_.selectHyperslab(H5S_SELECT_SET, count.data(), start.data());
  }

  std::vector<char> record_;
  H5::H5File file_;
  H5::DataSpace whole_, row_;
  H5::DataSet data_;
};

int main(int argc, char** argv) {
  const hsize_t steps = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
  try {
    const std::unique_ptr<Store> store = std::make_unique<Rows>("own_records.h5", steps, 4096);
    for (hsize_t step = 0; step < steps; ++step) {
      store->put(step);
      store->get(step);
    }
  } catch (const H5::Exception&) {
    return 1;
  }
  return 0;
}
