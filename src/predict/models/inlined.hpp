#pragma once
// Characters that go through a stream without a call: the compiler puts getc_unlocked and putc_unlocked into the program.

#include "predict/machine/machine.hpp"

namespace trikal::predict {

// A row of such characters ends: the stream is used by other functions, goes elsewhere or is closed. They are counted now.
void end_inlined(Machine& machine, const Call& call, Opened& one);
// At the end of the program, of all streams that are open.
void settle_streams(Machine& machine, const Call& call);
// How much the buffer of a stream holds, from now on.
void set_buffer(Machine& machine, const Opened& one, Word bytes);

}  // namespace trikal::predict
