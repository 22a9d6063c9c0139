#pragma once
// io_uring through liburing. Its inline functions are part of the program and work on memory: so a ring lies there, too,
// with what the kernel would keep of it behind the part that both sides share.

#include <optional>
#include <vector>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

struct Submission {  // of struct io_uring_sqe
  Value opcode, flags, descriptor, offset, address, length, how, data, buffer, file_index;
};

class Ring {
 public:
  struct Shape {
    Word entries = 0, completions = 0, flags = 0;
  };
  // Lays a ring out for a struct io_uring.
  static Ring make(Machine& machine, Word object, const Shape& shape);
  // Nothing: what lies there is no ring, or is not known.
  static std::optional<Ring> at(Machine& machine, Value object);
  void destroy();
  void describe(Word parameters) const;  // in a struct io_uring_params

  // Everything that waits, in order; nothing: that is not known.
  [[nodiscard]] std::optional<std::vector<Submission>> take(const Call& call);
  void post(const Call& call, Value data, Value result);
  void flush(const Call& call);  // completions that did not fit before
  [[nodiscard]] Value ready() const;  // completions
  [[nodiscard]] Value completion(Word i) const;  // the address of the i-th that is ready

  // Files and buffers that were registered; false: they were before.
  bool register_files(Word count);
  [[nodiscard]] Word files() const;
  [[nodiscard]] int file(Word slot) const;  // as World::held knows it; -1: none
  void set_file(Word slot, int held);
  bool unregister_files();
  bool register_buffers(Value vectors, Word count);
  [[nodiscard]] bool in_buffer(Value index, Value address, Word bytes) const;
  bool unregister_buffers();

  [[nodiscard]] Value descriptor() const;

 private:
  Ring(Machine& machine, Word object, Word block) : machine_(machine), object_(object), block_(block) {}
  [[nodiscard]] Value own(Word location) const;
  void set(const Call& call, Word location, Value value);
  [[nodiscard]] Word flags() const;
  [[nodiscard]] Word completions() const;

  Machine& machine_;
  Word object_, block_;
};

struct Completion {
  Value result;
  bool failed = false;  // or less than asked for: what is linked to it is not done
};
[[nodiscard]] Completion carry_out(Machine& machine, const Call& call, Ring& ring, const Submission& one);

}  // namespace trikal::predict
