// Descriptors that another process sends over a socket: files that are open from then on, as those are that a program
// inherits.

#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "capture/interpose/interposed.hpp"
#include "capture/session/inherited.hpp"

namespace {

using namespace trikal::capture;  // NOLINT: a file of wrappers

void adopt_from(const std::byte* descriptors, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    int descriptor = -1;
    std::memcpy(&descriptor, descriptors + i * sizeof descriptor, sizeof descriptor);
    adopt_descriptor(session, descriptor);
  }
}

// As CMSG_NXTHDR goes on, which is a function of libc that not every libc has.
[[gnu::noinline]] void adopt_received(const msghdr& message) noexcept {
  if (!session.running()) return;
  if (is_inside()) return session.missed();
  const Inside inside;
  const auto* control = static_cast<const std::byte*>(message.msg_control);
  for (std::size_t at = 0; message.msg_controllen - at >= sizeof(cmsghdr);) {
    cmsghdr part;
    std::memcpy(&part, control + at, sizeof part);
    if (part.cmsg_len < sizeof part || part.cmsg_len > message.msg_controllen - at) return;
    if (part.cmsg_level == SOL_SOCKET && part.cmsg_type == SCM_RIGHTS)
      adopt_from(control + at + CMSG_LEN(0), (part.cmsg_len - CMSG_LEN(0)) / sizeof(int));
    at += std::min(CMSG_ALIGN(part.cmsg_len), message.msg_controllen - at);
  }
}

void look_at(const msghdr& message) noexcept {
  if (message.msg_controllen >= sizeof(cmsghdr)) adopt_received(message);
}

}  // namespace

TRIKAL_WRAPPER ssize_t recvmsg(int socket, msghdr* message, int flags) {
  const ssize_t result = Interposed<"recvmsg", ssize_t(int, msghdr*, int)>::real()(socket, message, flags);
  if (result >= 0) look_at(*message);
  return result;
}
TRIKAL_WRAPPER int recvmmsg(int socket, mmsghdr* messages, unsigned count, int flags, timespec* timeout) {
  using Wrapper = Interposed<"recvmmsg", int(int, mmsghdr*, unsigned, int, timespec*)>;
  const int result = Wrapper::real()(socket, messages, count, flags, timeout);
  for (int i = 0; i < result; ++i) look_at(messages[i].msg_hdr);
  return result;
}
