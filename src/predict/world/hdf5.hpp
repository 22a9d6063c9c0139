#pragma once
// HDF5 as a program sees it at one moment: handles, what lies in files that it has made, selections. What the library does to
// the disk is not here.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "predict/machine/value.hpp"

namespace trikal::predict {

inline constexpr std::size_t kHdf5MostDimensions = 32;

// As H5I_type_t numbers them, as far as that stays the same from version to version.
enum class Hdf5Kind : std::uint8_t { kNothing, kFile, kGroup, kType, kSpace, kDataset, kAttribute = 7, kList = 10 };

// As H5T_class_t numbers them.
enum class Hdf5Class : std::uint8_t {
  kInteger,
  kReal,
  kTime,
  kString,
  kBits,
  kOpaque,
  kCompound,
  kReference,
  kEnum,
  kVariable,
  kArray,
};

struct Hdf5Type {
  Word bytes = 0;
  Hdf5Class kind = Hdf5Class::kInteger;
  bool variable = false;  // text of any length: memory holds pointers
  bool has_sign = true;
  Cause cause = kKnown;  // why its size is not known
  std::vector<std::pair<std::string, Word>> members;  // of a compound: where each begins
  Word packed = 0;  // bytes of the members alone
};

struct Hdf5Box {  // from, behind the last, in every dimension
  std::vector<Word> low, high;
  [[nodiscard]] Word points() const;
};

struct Hdf5Selection {
  enum class Kind : std::uint8_t { kAll, kNothing, kPoints, kBlocks };
  Kind kind = Kind::kAll;
  bool regular = true;
  std::vector<Word> start, stride, count, block;  // of regular blocks
  std::vector<Hdf5Box> boxes;  // of others: no two of them overlap
  Word points = 0;  // of kPoints
  Cause cause = kKnown;  // why it is not known
};

struct Hdf5Space {
  std::vector<Word> extent, most;  // none: one element
  bool empty = false;  // H5S_NULL
  Cause cause = kKnown;  // why the extent is not known
  Hdf5Selection selection;

  [[nodiscard]] Word elements() const;
  [[nodiscard]] Word selected() const;
  [[nodiscard]] bool valid() const;  // all that is selected lies within the extent
  [[nodiscard]] Cause why() const { return cause != kKnown ? cause : selection.cause; }
  // Where the first and behind where the last element lie that are selected, in each dimension.
  [[nodiscard]] Hdf5Box bounds() const;
};

// What H5Sselect_hyperslab does: H5S_seloper_t is 0 for set, then or, and, xor, notb, nota.
void select_blocks(Hdf5Space& space, Word operation, const Hdf5Selection& blocks);

struct Hdf5List {
  std::vector<Word> chunk;
  int layout = 1;  // H5D_layout_t: compact, contiguous, chunked
  bool parallel = false, collective = false, makes_groups = false;
};

// Something that lies in a file.
struct Hdf5Node {
  Hdf5Kind kind = Hdf5Kind::kGroup;
  std::string link;  // leads elsewhere: to this name in the same file
  Hdf5Type type;
  Hdf5Space space;
  Hdf5List list;
  std::uint32_t file = 0;  // of World::files: the dataset as something that bytes are moved to
  std::map<std::string, Hdf5Node> attributes;
  std::shared_ptr<const std::string> value;  // of an attribute, where it is known
};

struct Hdf5Object {  // what a handle stands for
  Hdf5Kind kind = Hdf5Kind::kNothing;
  int users = 0;
  bool fixed = false;  // of the library: cannot be closed
  bool writable = true;
  std::uint32_t file = 0;  // of World::files
  std::string path;  // in the file
  std::string attribute;
  Hdf5Type type;
  Hdf5Space space;
  Hdf5List list;
};

class Hdf5 {
 public:
  using Location = std::pair<std::uint32_t, std::string>;  // a file and a path in it

  // Slots are used again, so that a loop that opens and closes looks the same each time.
  Word add(Hdf5Object object);
  [[nodiscard]] Hdf5Object* at(Word handle);
  [[nodiscard]] const Hdf5Object* at(Word handle) const;
  void close(Word handle);

  [[nodiscard]] Hdf5Node* node(const Location& location);  // links are followed
  [[nodiscard]] bool in_use(std::uint32_t file) const;  // something in it is open
  void clear(std::uint32_t file);
  [[nodiscard]] std::vector<std::string> children(const Location& group) const;

  void numbers(std::vector<Word>& out) const;
  void step(const std::vector<Word>& steps, std::size_t at, Word iterations);

  std::vector<Hdf5Object> objects;
  std::map<Location, Hdf5Node> nodes;
  std::map<std::uint32_t, bool> files;  // whether all that lies in it is in `nodes`
};

// Names in a file: absolute, without empty steps and dots.
[[nodiscard]] std::string hdf5_path(const std::string& from, const std::string& name);

}  // namespace trikal::predict
