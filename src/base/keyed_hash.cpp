#include "base/keyed_hash.hpp"

#include <bit>
#include <chrono>
#include <exception>
#include <random>

namespace trikal {
namespace {

struct State {
  std::uint64_t a, b, c, d;

  void round() noexcept {
    a += b, b = std::rotl(b, 13) ^ a, a = std::rotl(a, 32);
    c += d, d = std::rotl(d, 16) ^ c;
    a += d, d = std::rotl(d, 21) ^ a;
    c += b, b = std::rotl(b, 17) ^ c, c = std::rotl(c, 32);
  }
  void absorb(std::uint64_t word) noexcept {
    d ^= word;
    round();
    a ^= word;
  }
};

struct Key {
  std::uint64_t first = 0, second = 0;
};

Key draw_key() noexcept {
  const int here = 0;  // where the stack lies is chance too, should the system have no better
  const Key key{reinterpret_cast<std::uintptr_t>(&here),
                static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count())};
  try {
    std::random_device chance;
    const auto word = [&] { return (std::uint64_t{chance()} << 32) | chance(); };
    return {key.first ^ word(), key.second ^ word()};
  } catch (const std::exception&) {
    return key;  // no source of randomness in this container: what we have must do
  }
}

}  // namespace

KeyedHash::KeyedHash() noexcept {
  static const Key kKey = draw_key();
  first_ = kKey.first;
  second_ = kKey.second;
}

std::size_t KeyedHash::operator()(std::uint64_t value) const noexcept {
  State state{first_ ^ 0x736f6d6570736575U, second_ ^ 0x646f72616e646f6dU, first_ ^ 0x6c7967656e657261U,
              second_ ^ 0x7465646279746573U};
  state.absorb(value);
  state.absorb(std::uint64_t{8} << 56);  // the length of what was hashed
  state.c ^= 0xff;
  state.round();
  state.round();
  state.round();
  return static_cast<std::size_t>(state.a ^ state.b ^ state.c ^ state.d);
}

}  // namespace trikal
