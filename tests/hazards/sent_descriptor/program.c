// The child opens files and sends their descriptors; the parent writes to files that it never opened.
#include "../check.h"

#include <sys/socket.h>

union Control {
  struct cmsghdr head;
  char bytes[CMSG_SPACE(sizeof(int))];
};

static void send_descriptor(int socket, int fd) {
  char byte = 'x';
  union Control control;
  memset(&control, 0, sizeof control);
  struct iovec data = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr* part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET, part->cmsg_type = SCM_RIGHTS, part->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(part), &fd, sizeof fd);
  CHECK(sendmsg(socket, &message, 0) == 1);
}

static int received(struct msghdr* message) {
  int fd = -1;
  const struct cmsghdr* part = CMSG_FIRSTHDR(message);
  CHECK(part != NULL && part->cmsg_type == SCM_RIGHTS);
  memcpy(&fd, CMSG_DATA(part), sizeof fd);
  return fd;
}

int main(void) {
  int pair[2];
  CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
  const pid_t child = fork();
  if (child == 0) {
    send_descriptor(pair[1], open_new("sent"));
    send_descriptor(pair[1], open_new("many"));
    _exit(0);
  }
  char byte;
  union Control control;
  struct iovec data = {&byte, 1};
  struct mmsghdr message = {.msg_hdr = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control}};
  message.msg_hdr.msg_controllen = sizeof control;
  CHECK(recvmsg(pair[0], &message.msg_hdr, 0) == 1);
  const int sent = received(&message.msg_hdr);
  write_tens(sent, 3);
  message.msg_hdr.msg_controllen = sizeof control;
  CHECK(recvmmsg(pair[0], &message, 1, 0, NULL) == 1);
  write_tens(received(&message.msg_hdr), 2);
  CHECK(close(sent) == 0);
  const int seen = open_new("seen");
  CHECK(seen == sent);
  write_tens(seen, 1);
  wait_for(child);
  return 0;
}
