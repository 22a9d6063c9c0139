// HDF5's own classes for C++: files, groups, dataspaces, datasets, attributes, types.
#include <H5Cpp.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

const std::string kName = "cpp_classes.h5";  // made before main
const H5::StrType kText(H5::PredType::C_S1, 16);

struct Particle {
  double x, y;
  int id;
};

H5::CompType particle_type() {
  H5::CompType type(sizeof(Particle));
  type.insertMember("x", offsetof(Particle, x), H5::PredType::NATIVE_DOUBLE);
  type.insertMember("y", offsetof(Particle, y), H5::PredType::NATIVE_DOUBLE);
  type.insertMember("id", offsetof(Particle, id), H5::PredType::NATIVE_INT);
  return type;
}

class Series {
 public:
  Series(const H5::Group& where, const std::string& name, hsize_t steps, hsize_t width)
      : width_(width), values_(width, 1.5) {
    const hsize_t extent[] = {steps, width}, chunk[] = {1, width}, row[] = {1, width};
    H5::DSetCreatPropList how;
    how.setChunk(2, chunk);
    space_ = std::make_unique<H5::DataSpace>(2, extent);
    row_ = H5::DataSpace(2, row);
    data_ = where.createDataSet(name, H5::PredType::NATIVE_DOUBLE, *space_, how);
    data_.createAttribute("unit", kText, H5::DataSpace()).write(kText, std::string("metre per second"));
  }
  void put(hsize_t step) {
    const hsize_t start[] = {step, 0}, count[] = {1, width_};
    space_->selectHyperslab(H5S_SELECT_SET, count, start);
    data_.write(values_.data(), H5::PredType::NATIVE_DOUBLE, row_, *space_);
  }

 private:
  hsize_t width_;
  std::vector<double> values_;
  std::unique_ptr<H5::DataSpace> space_;
  H5::DataSpace row_;
  H5::DataSet data_;
};

void write_all(hsize_t steps) {
  H5::H5File file(kName, H5F_ACC_TRUNC);
  H5::Group group = file.createGroup("fields");
  Series wind(group, "wind", steps, 64);
  for (hsize_t step = 0; step < steps; ++step) {
    wind.put(step);
    if (step % 100 == 99) file.flush(H5F_SCOPE_GLOBAL);
  }
  const hsize_t number = 20;
  const H5::CompType type = particle_type();
  const std::vector<Particle> particles(number);
  H5::DataSet data = file.createDataSet("particles", type, H5::DataSpace(1, &number));
  data.write(particles.data(), type);
}

long read_all() {
  H5::H5File file(kName, H5F_ACC_RDONLY);
  const H5::DataSet data = file.openDataSet("/fields/wind");
  H5::DataSpace space = data.getSpace();
  hsize_t extent[2] = {0, 0};
  space.getSimpleExtentDims(extent);
  std::vector<double> all(extent[0] * extent[1]);
  data.read(all.data(), H5::PredType::NATIVE_DOUBLE);
  const hsize_t points[][2] = {{0, 0}, {1, 5}};
  space.selectElements(H5S_SELECT_SET, 2, &points[0][0]);
  const hsize_t two = 2;
  data.read(all.data(), H5::PredType::NATIVE_DOUBLE, H5::DataSpace(1, &two), space);
  std::string unit;
  data.openAttribute("unit").read(kText, unit);
  H5::Group* group = new H5::Group(file.openGroup("fields"));
  const hsize_t there = group->getNumObjs();
  delete group;
  return static_cast<long>(there + (file.nameExists("particles") ? 1 : 0) + (unit == "metre per second" ? 1 : 0));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    write_all(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10);
    return read_all() == 3 ? 0 : 3;
  } catch (const H5::Exception& error) {
    error.printErrorStack();
    return 1;
  }
}
