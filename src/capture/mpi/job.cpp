#include "capture/mpi/job.hpp"

namespace trikal::capture {
namespace {

void note_rank(const MpiLibrary::RankInJob& known, bool spawned) noexcept {
  log::crash::Header* header = session.arena.header();
  if (header == nullptr || header->job.ranks != 0 || known.rank < 0 || known.ranks <= 0) return;
  header->job.spawned = spawned ? 1 : 0;
  header->job.rank = known.rank;
  header->job.ranks = known.ranks;
  // A rank has its map from now on, whatever it does: its job's log has a row for it.
  (void)session.arena.add_chunk({.slots = 1}, Arena::Use::kNormal);
}

template <FixedString Name>
struct Init {
  using Call = MpiCall<Name, int(int*, char***)>;
  static int wrapper(int* argc, char*** argv) noexcept {
    return Call::call([](Span, int, int*, char***) noexcept { note_mpi_rank(); }, argc, argv);
  }
};

template <FixedString Name>
struct InitThread {
  using Call = MpiCall<Name, int(int*, char***, int, int*)>;
  static int wrapper(int* argc, char*** argv, int required, int* provided) noexcept {
    return Call::call([](Span, int, int*, char***, int, int*) noexcept { note_mpi_rank(); }, argc, argv, required,
                      provided);
  }
};

// Programs that never call MPI_Init.
template <FixedString Name>
struct SessionInit {
  using Call = MpiCall<Name, int(MpiHandle, MpiHandle, void*)>;
  static int wrapper(MpiHandle info, MpiHandle errors, void* opened) noexcept {
    return Call::call(
        [](Span, int result, MpiHandle, MpiHandle, void* s) noexcept {
          if (result == 0) note_rank(mpi.rank_in_session(mpi.handle_at(s)), false);
        },
        info, errors, opened);
  }
};

// The last moment at which ranks can speak to each other. A program whose MPI_Init was not seen, because its library
// was loaded later than we could look, is asked for its rank here.
template <FixedString Name>
struct Finalize {
  using Call = MpiCall<Name, int()>;
  static int wrapper() noexcept {
    if (session.running() && !is_inside()) {
      const Inside inside;
      static constinit std::atomic<bool> left{false};
      note_mpi_rank();
      if (!left.exchange(true)) session.leave_mpi();  // some libraries come here by two names
    }
    return Call::real();
  }
};

constexpr ImportGroup kWrappers =
    tell_imports<imports_of<Init, "MPI_Init">, imports_of<InitThread, "MPI_Init_thread">,
                 imports_of<SessionInit, "MPI_Session_init">, imports_of<Finalize, "MPI_Finalize">>;

}  // namespace

void job_wrappers(const ImportUse& use) noexcept { kWrappers(use); }

bool find_mpi() noexcept {
  mpi.look();
  if (mpi.known()) return true;
  session.say("MPI-IO is not observed", "this MPI library is unknown");
  return false;
}

void note_mpi_rank() noexcept {
  const log::crash::Header* header = session.arena.header();
  if (header == nullptr || header->job.ranks != 0) return;
  const MpiLibrary::RankInJob known = mpi.rank_in_job();
  if (known.rank >= 0) note_rank(known, mpi.is_spawned());
}

}  // namespace trikal::capture
