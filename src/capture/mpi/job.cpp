#include "capture/mpi/job.hpp"

namespace trikal::capture {
namespace {

template <FixedString Name>
struct Init {
  static constexpr auto kName = Name;
  using Call = MpiCall<Name, int(int*, char***)>;
  static int door(int* argc, char*** argv) noexcept {
    return Call::call([](Span, int, int*, char***) noexcept { note_mpi_place(); }, argc, argv);
  }
};

template <FixedString Name>
struct InitThread {
  static constexpr auto kName = Name;
  using Call = MpiCall<Name, int(int*, char***, int, int*)>;
  static int door(int* argc, char*** argv, int required, int* provided) noexcept {
    return Call::call([](Span, int, int*, char***, int, int*) noexcept { note_mpi_place(); }, argc, argv, required,
                      provided);
  }
};

// For processes whose MPI_Init was not seen: the library was loaded later than we could look.
template <FixedString Name>
struct Finalize {
  static constexpr auto kName = Name;
  using Call = MpiCall<Name, int()>;
  static int door() noexcept {
    if (session.running() && inside_depth == 0) {
      const Inside inside;
      note_mpi_place();
    }
    return Call::real();
  }
};

constexpr ImportPair kDoors[] = {
    imports_of<Init, "MPI_Init">(),
    imports_of<InitThread, "MPI_Init_thread">(),
    imports_of<Finalize, "MPI_Finalize">(),
};

}  // namespace

std::span<const ImportPair> job_doors() noexcept { return kDoors; }

bool find_mpi() noexcept {
  mpi.look();
  if (mpi.known()) return true;
  session.say("MPI-IO is not observed", "this MPI library is unknown");
  return false;
}

void note_mpi_place() noexcept {
  log::crash::Header* header = session.arena.header();
  if (header == nullptr || header->job.ranks != 0) return;
  const MpiLibrary::Place place = mpi.place();
  if (place.rank < 0 || place.ranks <= 0) return;
  header->job.rank = place.rank;
  header->job.ranks = place.ranks;
}

}  // namespace trikal::capture
