// What Glibc's Swift module leaves out of Linux: epoll, eventfd, signalfd, and a few variadic or macro calls.
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline int cl_epoll_set(int epoll, int operation, int fd, uint32_t events) {
  struct epoll_event e;
  memset(&e, 0, sizeof e);
  e.events = events;
  e.data.fd = fd;
  return epoll_ctl(epoll, operation, fd, &e);
}
static inline int cl_event_fd(const struct epoll_event *_Nonnull e) { return e->data.fd; }
static inline uint32_t cl_event_bits(const struct epoll_event *_Nonnull e) { return e->events; }
static inline int cl_errno(void) { return errno; }
static inline int64_t cl_nanoseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
/// The environment as it is now, a null pointer at its end (Swift's own `environ` is a global variable, and refused).
static inline char *_Nullable *_Nonnull cl_environment(void) { return __environ; }
static inline int cl_set_nonblocking(int fd) { return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }
static inline int cl_set_cloexec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }
/// How many columns a terminal has; 0 where it is none.
static inline int cl_terminal_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
/// A name shown by `ps -L`; Linux keeps 15 bytes.
static inline void cl_name_thread(const char *_Nonnull name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
/// No core file and no /proc/PID/mem for others: tokens and keys live in this memory (prctl(2), PR_SET_DUMPABLE).
static inline int cl_refuse_dumps(void) {
  struct rlimit none = {0, 0};
  int limited = setrlimit(RLIMIT_CORE, &none);
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) | limited;
}
/// Opens what is missing of standard input, output and error: a socket that got such a number would be sent what is meant for a
/// log.
static inline void cl_open_standard_descriptors(void) {
  int fd;
  do fd = open("/dev/null", O_RDWR); while (fd >= 0 && fd <= 2);
  if (fd > 2) close(fd);
}
/// Lets the process open as many descriptors as it may: shells start programs with 1,024, for the sake of select(2), which nothing
/// here uses. Returns how many.
static inline int64_t cl_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit)) return -1;
  struct rlimit raised = {limit.rlim_max, limit.rlim_max};
  if (limit.rlim_cur < limit.rlim_max && !setrlimit(RLIMIT_NOFILE, &raised)) limit = raised;
  return limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}
