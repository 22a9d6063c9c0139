#pragma once
// What models of MPI share with each other and with those of libraries above it.

#include <optional>

#include "predict/machine/meeting.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {

struct Communicator {
  Word id = 0;
  std::vector<int> ranks;  // by their numbers in the whole program
  int mine = 0;            // the number of this one in it
  Word calls = 0;          // that all of its ranks made together
  std::vector<int> sides, periodic;  // of a grid
};

// Where in memory the bytes of a datatype lie, from where one begins to where the next does.
struct TypeLayout {
  std::vector<std::pair<std::int64_t, Word>> pieces;  // offset, bytes
  Word extent = 0;
  bool known = true;
};

struct PendingRequest {
  bool receives = false;
  Word communicator = 0, address = 0, count = 0;
  Value type;
  int source = 0, tag = 0;
  unsigned width = 8;
};

struct MpiState {
  bool open_mpi = false;
  std::map<Word, Communicator> communicators;  // by handle
  std::map<Word, TypeLayout> layouts;              // by handle
  std::map<Word, PendingRequest> requests;
  Word next_handle = 1;
};

[[nodiscard]] MpiState& mpi_of(Machine& machine);
// Null: it is not known.
[[nodiscard]] Communicator* communicator_at(Machine& machine, Value handle);
// Whether a communicator has one rank only.
[[nodiscard]] bool alone(Machine& machine, Value communicator);
[[nodiscard]] Word type_bytes(Machine& machine, Value type);
[[nodiscard]] TypeLayout layout_of(Machine& machine, Value type);
void put_number(Machine& machine, Value where, Word value);
// Whether messages of other ranks can be followed from here.
[[nodiscard]] bool followed(Machine& machine, const Communicator* communicator);

[[nodiscard]] Parcel pack(Machine& machine, Value address, Value count, Value type);
void unpack(Machine& machine, const Call& call, Value address, Word count, Value type, const Parcel& parcel);
// Of what another rank that is not followed would put there: what this one has, but nobody knows.
void assume_there(Machine& machine, const Call& call, Value address, Word count, Value type);
// All ranks of it bring something, and see what the others brought. Null: they cannot be followed.
[[nodiscard]] std::shared_ptr<Meeting::Together> meet(Machine& machine, Call& call, Communicator& communicator,
                                                      Contribution mine);
// What this rank has left in files is there for the others.
void publish(Machine& machine);
// Waits for another rank; a deadlock ends the program.
void wait_for_others(Machine& machine, Call& call, const std::function<bool()>& ready);
void put_status(Machine& machine, Value where, int source, int tag, Word bytes);
[[nodiscard]] std::optional<Word> bytes_in_status(Machine& machine, Value where);
// A result of an operation on two numbers of that type; nothing: not one that is known.
[[nodiscard]] std::optional<Word> combined(Machine& machine, Value operation, Value type, Word a, Word b);
[[nodiscard]] bool shares_buffer(Machine& machine, Value address);

std::span<const NamedModel> mpi_message_models();
std::span<const NamedModel> mpi_together_models();
std::span<const NamedModel> mpi_group_models();
// A model of any of the families by its name in C.
[[nodiscard]] Model mpi_model_of(std::string_view name);

}  // namespace trikal::predict
