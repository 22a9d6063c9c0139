// Exceptions that are thrown and caught: what is written on the way and behind depends on who catches.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Base {
  virtual ~Base() = default;
  int kind = 0;
};
struct Other {
  virtual ~Other() = default;
  int more = 5;
};
struct Derived : Other, Base {
  explicit Derived(int which) { kind = which; }
};
struct Named : std::runtime_error {
  explicit Named(const std::string& name) : std::runtime_error("named " + name) {}
};
struct Closes {  // a destructor that does I/O
  FILE* file;
  explicit Closes(const char* name) : file(std::fopen(name, "w")) {}
  ~Closes() {
    std::fputs("closed\n", file);
    std::fclose(file);
  }
};

void say(FILE* out, const char* what) { std::fprintf(out, "%s\n", what); }

void deep(int depth, int which) {
  Closes here(("deep." + std::to_string(depth)).c_str());
  if (depth > 0) return deep(depth - 1, which);
  switch (which) {
    case 0: throw 7;
    case 1: throw "text";
    case 2: throw Derived(9);
    case 3: throw Named("one");
    case 4: throw std::out_of_range("too far");
    default: return;
  }
}

void passes_on(int which) {
  try {
    deep(2, which);
  } catch (const std::logic_error& error) {
    Closes again("passed");
    throw;
  } catch (double) {
    std::exit(3);
  }
}

void kinds(FILE* out) {
  for (int which = 0; which < 6; ++which) {
    try {
      passes_on(which);
      say(out, "nothing");
    } catch (int number) {
      std::fprintf(out, "number %d\n", number);
    } catch (const char* text) {
      say(out, text);
    } catch (const Base& base) {
      std::fprintf(out, "base %d\n", base.kind);
    } catch (const std::exception& error) {
      say(out, error.what());
    }
  }
}

void library(FILE* out) {
  const auto attempt = [&](auto work) {
    try {
      work();
      say(out, "fine");
    } catch (const std::out_of_range& error) {
      std::fprintf(out, "out of range: %s\n", error.what());
    } catch (const std::invalid_argument& error) {
      std::fprintf(out, "invalid: %s\n", error.what());
    } catch (const std::ios_base::failure&) {
      say(out, "a stream");
    } catch (const std::bad_alloc& error) {
      say(out, error.what());
    } catch (...) {
      say(out, "something");
    }
  };
  std::vector<int> few(3);
  std::map<std::string, int> table{{"a", 1}};
  attempt([&] { few.at(10) = 1; });
  attempt([&] { table.at("b") = 1; });
  attempt([&] { few[0] = std::stoi("x1"); });
  attempt([&] { few[0] = std::stoi("99999999999999"); });
  attempt([&] { few[0] = std::stoi("12"); });
  attempt([&] { std::string("abc").substr(7); });
  attempt([&] {
    std::ifstream none;
    none.exceptions(std::ios::failbit);
    none.open("absent");
  });
  attempt([&] { ::operator delete(::operator new(std::size_t{1} << 60)); });
  attempt([&] { throw std::unique_ptr<int>(); });
}

// Each iteration throws, and cleans up a file.
long iterations(int count) {
  FILE* out = std::fopen("iterations.log", "w");
  long caught = 0;
  for (int i = 0; i < count; ++i) {
    try {
      std::fputs("iteration\n", out);
      if (i % 2 == 0) throw std::runtime_error("even");
      throw i;
    } catch (const std::exception& error) {
      std::fprintf(out, "caught %s\n", error.what());
      ++caught;
    } catch (int) {
      std::fputs("odd\n", out);
    }
  }
  std::fclose(out);
  return caught;
}

void kept(FILE* out) {
  std::exception_ptr later;
  try {
    throw Named("kept");
  } catch (...) {
    later = std::current_exception();
  }
  try {
    std::rethrow_exception(later);
  } catch (const std::runtime_error& error) {
    say(out, error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 10;
  FILE* out = std::fopen("caught.log", "w");
  kinds(out);
  library(out);
  kept(out);
  std::fprintf(out, "%ld iterations\n", iterations(count));
  std::fclose(out);
}
