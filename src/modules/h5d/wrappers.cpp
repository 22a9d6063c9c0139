#include "modules/h5d/wrappers.hpp"

#include "capture/hdf5/call.hpp"
#include "modules/h5d/capture.hpp"
#include "modules/h5f/capture.hpp"

namespace trikal::modules::h5d {
namespace {

using namespace capture;  // NOLINT: a file of wrappers

void note_open(Span when, Hdf5Id dataset, const Hdf5Shape& shape, bool deprecated) noexcept {
  Hdf5Dataset* record = record_of(dataset);
  datasets.set(dataset, {record, shape.element_bytes});
  if (record != nullptr) opened(*record, when, shape, deprecated);
}

template <FixedString Name>
struct Create {
  using Call = Hdf5Call<Name, Hdf5Id(Hdf5Id, const char*, Hdf5Id, Hdf5Id, Hdf5Id, Hdf5Id, Hdf5Id)>;
  static Hdf5Id wrapper(Hdf5Id parent, const char* name, Hdf5Id type, Hdf5Id space, Hdf5Id link, Hdf5Id creation,
                        Hdf5Id access) noexcept {
    return Call::call([](Span when, Hdf5Id dataset, Hdf5Id, const char*, Hdf5Id t, Hdf5Id s, Hdf5Id, Hdf5Id c,
                         Hdf5Id) noexcept { note_open(when, dataset, hdf5.shape_of(t, s, c), false); },
                      parent, name, type, space, link, creation, access);
  }
};

template <FixedString Name>
struct OldCreate {
  using Call = Hdf5Call<Name, Hdf5Id(Hdf5Id, const char*, Hdf5Id, Hdf5Id, Hdf5Id)>;
  static Hdf5Id wrapper(Hdf5Id parent, const char* name, Hdf5Id type, Hdf5Id space, Hdf5Id creation) noexcept {
    return Call::call([](Span when, Hdf5Id dataset, Hdf5Id, const char*, Hdf5Id t, Hdf5Id s,
                         Hdf5Id c) noexcept { note_open(when, dataset, hdf5.shape_of(t, s, c), true); },
                      parent, name, type, space, creation);
  }
};

template <FixedString Name>
struct Open {
  using Call = Hdf5Call<Name, Hdf5Id(Hdf5Id, const char*, Hdf5Id)>;
  static Hdf5Id wrapper(Hdf5Id parent, const char* name, Hdf5Id access) noexcept {
    return Call::call([](Span when, Hdf5Id dataset, Hdf5Id, const char*,
                         Hdf5Id) noexcept { note_open(when, dataset, hdf5.shape_of(dataset), false); },
                      parent, name, access);
  }
};

template <FixedString Name>
struct OldOpen {
  using Call = Hdf5Call<Name, Hdf5Id(Hdf5Id, const char*)>;
  static Hdf5Id wrapper(Hdf5Id parent, const char* name) noexcept {
    return Call::call([](Span when, Hdf5Id dataset, Hdf5Id,
                         const char*) noexcept { note_open(when, dataset, hdf5.shape_of(dataset), true); },
                      parent, name);
  }
};

// H5Oopen and its kin open anything, by a name, an address, a number or a token of two words.
template <FixedString Name, class... A>
struct OpenAny {
  using Call = Hdf5Call<Name, Hdf5Id(Hdf5Id, A...)>;
  static Hdf5Id wrapper(Hdf5Id parent, A... how) noexcept {
    return Call::call(
        [](Span when, Hdf5Id object, Hdf5Id, A...) noexcept {
          if (hdf5.is_dataset(object)) note_open(when, object, hdf5.shape_of(object), false);
        },
        parent, how...);
  }
};
struct Token {
  std::uint64_t words[2];
};
template <FixedString N> using OpenByName = OpenAny<N, const char*, Hdf5Id>;
template <FixedString N> using OpenByAddress = OpenAny<N, std::uint64_t>;
template <FixedString N> using OpenByIndex = OpenAny<N, const char*, int, int, Hdf5Size, Hdf5Id>;
template <FixedString N> using OpenByToken = OpenAny<N, Token>;

// What a transfer is about.
struct Asked {
  Hdf5Dataset* dataset;
  std::int64_t bytes = 0;
  bool collective = false;
  Hdf5Selection selection;

  Asked(Hdf5Id of, Hdf5Id space, Hdf5Id transfer) noexcept {
    const Opened found = known(of);
    dataset = found.dataset;
    if (dataset == nullptr) return;
    selection = hdf5.selection_of(of, space);
    bytes = selection.elements * found.element_bytes;
    collective = hdf5.is_collective(transfer);
  }
};

template <FixedString Name, Direction D>
struct Move {
  using Call = Hdf5Call<Name, int(Hdf5Id, Hdf5Id, Hdf5Id, Hdf5Id, Hdf5Id, void*)>;
  static int wrapper(Hdf5Id dataset, Hdf5Id type, Hdf5Id memory, Hdf5Id space, Hdf5Id transfer, void* data) noexcept {
    return Call::call_asking(
        [](Hdf5Id d, Hdf5Id, Hdf5Id, Hdf5Id s, Hdf5Id t, void*) noexcept { return Asked(d, s, t); },
        [](const Asked& asked, Span when, int, Hdf5Id, Hdf5Id, Hdf5Id, Hdf5Id, Hdf5Id, void*) noexcept {
          if (asked.dataset != nullptr)
            moved(*asked.dataset, when, {D, asked.bytes, asked.collective}, asked.selection);
        },
        dataset, type, memory, space, transfer, data);
  }
};
template <FixedString N> using Read = Move<N, Direction::kRead>;
template <FixedString N> using Write = Move<N, Direction::kWrite>;

template <FixedString Name>
struct Flush {
  using Call = Hdf5Call<Name, int(Hdf5Id)>;
  static int wrapper(Hdf5Id dataset) noexcept {
    return Call::call_asking([](Hdf5Id d) noexcept { return known(d).dataset; },
                             [](Hdf5Dataset* record, Span when, int, Hdf5Id) noexcept {
                               if (record != nullptr) flushed(*record, when);
                             },
                             dataset);
  }
};

void note_close(Span when, Hdf5Id object) noexcept {
  Opened found;
  if (datasets.take(object, found) && found.dataset != nullptr) closed(*found.dataset, when);
}

template <FixedString Name>
struct Close {
  using Call = Hdf5Call<Name, int(Hdf5Id)>;
  static int wrapper(Hdf5Id object) noexcept {
    return Call::call([](Span when, int, Hdf5Id o) noexcept { note_close(when, o); }, object);
  }
};

// How h5py closes everything: what has no references left is closed. Files as well.
template <FixedString Name>
struct Release {
  using Call = Hdf5Call<Name, int(Hdf5Id)>;
  static int wrapper(Hdf5Id object) noexcept {
    return Call::call(
        [](Span when, int references, Hdf5Id o) noexcept {
          if (references > 0) return;
          note_close(when, o);
          if (h5f::Hdf5File* record = h5f::record_of(h5f::take(o))) h5f::closed(*record, when);
        },
        object);
  }
};

constexpr ImportGroup kWrappers =
    tell_imports<import_of<Create, "H5Dcreate2">, import_of<OldCreate, "H5Dcreate1">, import_of<Open, "H5Dopen2">,
                 import_of<OldOpen, "H5Dopen1">, import_of<OpenByName, "H5Oopen">,
                 import_of<OpenByAddress, "H5Oopen_by_addr">, import_of<OpenByIndex, "H5Oopen_by_idx">,
                 import_of<OpenByToken, "H5Oopen_by_token">, import_of<Read, "H5Dread">, import_of<Write, "H5Dwrite">,
                 import_of<Flush, "H5Dflush">, import_of<Close, "H5Dclose">, import_of<Close, "H5Oclose">,
                 import_of<Release, "H5Idec_ref">>;

}  // namespace

void wrappers(const ImportUse& use) noexcept { kWrappers(use); }

}  // namespace trikal::modules::h5d
