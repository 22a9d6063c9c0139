// trikal run: observe a program and everything it starts; one log, one screen.

#include "cli/run_program.hpp"
#include "cli/verbs.hpp"

namespace trikal::cli {
namespace {

void attach_run(CommandLine& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  app.add_option("COMMAND", options->command, "the program and its arguments")->required()->type_name("");
  options->declare(app, RunOptions::EventsTo::kFile);
  app.positionals_at_end();
  app.prefix_command(false);
  action = [options] { return run_program(*options); };
}

constexpr Example kRunExamples[] = {
    {"trikal run -- ./simulate input.nml", "observe a program and everything it starts"},
    {"trikal run --log job.darshan -- make -j8", "name the log"},
    {"trikal run --report job.html -- ./simulate", "and write the page of it"},
    {"trikal run --call-sites -- ./simulate", "findings then name lines of the source (build with -g)"},
    {"trikal run --events=1/100,interface=posix -- ./simulate", "also write one in a hundred calls as an event"},
    {"trikal run --publish file:messages.json -- ./simulate", "every call as a message of the LDMS Darshan connector"},
    {"trikal run -- mpirun -np 4 ./simulate", "an MPI job; mpirun -np 4 trikal run -- ./simulate gives the same"},
};

}  // namespace

const Verb kRun = {
    "run",
    "observe a program: one log for all its processes",
    "Runs the command with libtrikal.so preloaded, which observes the I/O calls of the program and of every process it "
    "starts. The command's output, exit status and signals are passed through unchanged. At the end trikal writes one "
    "log "
    "of all processes, even of those that were killed, and prints a summary to standard error.",
    kRunExamples,
    attach_run,
    kWatchingSection,
    kAnswers};

}  // namespace trikal::cli
