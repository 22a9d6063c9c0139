// Exceptions of less common kinds: virtual bases, nested ones, casts that fail, folders that are not there.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

struct Base {
  virtual ~Base() = default;
  int value = 1;
};
struct Left : virtual Base {
  int left = 2;
};
struct Right : virtual Base {
  int right = 3;
};
struct Both : Left, Right {};

class Error : public std::exception {
 public:
  explicit Error(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

struct Guard {
  ~Guard() { std::ofstream("guard", std::ios::app) << "left\n"; }
};

static void write_one(int i) {
  std::ofstream file("file." + std::to_string(i));
  file << "first " << i << "\n";
  if (i == 3) throw Error("the third");
  file << "second\n";
}

static int write_all(int count) {
  Guard guard;
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("a name that is long enough " + std::to_string(i));
  for (int i = 0; i < count; ++i) write_one(i);
  return 0;
}

static void nested(std::ostream& out) {
  try {
    try {
      throw std::length_error("inner");
    } catch (...) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (const std::exception& error) {
    out << error.what() << '\n';
    try {
      std::rethrow_if_nested(error);
    } catch (const std::exception& inside) {
      out << inside.what() << '\n';
    }
  }
}

int main(int argc, char** argv) {
  std::ofstream out("kinds.log");
  int code = 0;
  try {
    code = write_all(argc > 1 ? std::atoi(argv[1]) : 5);
  } catch (const Error& error) {
    out << error.what() << '\n';
    code = 2;
  }
  try {
    throw Both();
  } catch (const Base& base) {
    out << base.value << '\n';
  }
  nested(out);
  try {
    Base plain;
    Base& base = plain;
    out << dynamic_cast<Both&>(base).right;
  } catch (const std::bad_cast& error) {
    out << error.what() << '\n';
  }
  Both both;
  out << dynamic_cast<Right&>(static_cast<Base&>(both)).right << '\n';
  try {
    for (const auto& entry : std::filesystem::directory_iterator("nowhere")) out << entry.path();
  } catch (const std::filesystem::filesystem_error&) {
    out << "no folder\n";
  }
  try {
    std::ifstream in("kinds.log");
    in.exceptions(std::ios::failbit);
    for (std::string line; std::getline(in, line);) out << line.size();
  } catch (const std::ios_base::failure&) {
    out << "no more\n";
  }
  return code;
}
