// libmicrohttpd, with its variadic calls made plain. Version 0.9.75 of Debian 12; nothing newer is used.
#pragma once
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <microhttpd.h>

/// What a server is started with; see microhttpd.h, enum MHD_OPTION.
struct cl_mhd_setup {
  int listen_fd;
  unsigned int connections;
  unsigned int connections_per_address;
  unsigned int idle_seconds;
  size_t connection_memory;
  void *_Nullable context;
  MHD_AccessHandlerCallback _Nonnull handle;
  void *_Nullable (*_Nonnull begin)(void *_Nullable, const char *_Nonnull, struct MHD_Connection *_Nonnull);
  MHD_RequestCompletedCallback _Nonnull completed;
  MHD_NotifyConnectionCallback _Nonnull connection;
};

/// A server without threads of its own, driven by `MHD_run`; NULL when it cannot be made.
static inline struct MHD_Daemon *_Nullable cl_mhd_start(const struct cl_mhd_setup *_Nonnull s) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO, 0, NULL, NULL, s->handle, s->context,
      MHD_OPTION_LISTEN_SOCKET, s->listen_fd, MHD_OPTION_CONNECTION_LIMIT, s->connections,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, s->connections_per_address, MHD_OPTION_CONNECTION_TIMEOUT, s->idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->connection_memory, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_URI_LOG_CALLBACK, s->begin, s->context, MHD_OPTION_NOTIFY_COMPLETED, s->completed, s->context,
      MHD_OPTION_NOTIFY_CONNECTION, s->connection, s->context, MHD_OPTION_END);
}

/// The descriptor to wait on: readable when `MHD_run` has something to do.
static inline int cl_mhd_epoll(struct MHD_Daemon *_Nonnull d) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(d, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

/// Milliseconds until `MHD_run` must be called again; -1 for never.
static inline int64_t cl_mhd_timeout(struct MHD_Daemon *_Nonnull d) {
  MHD_UNSIGNED_LONG_LONG left = 0;
  if (MHD_get_timeout(d, &left) == MHD_NO) return -1;
  return left > 86400000 ? 86400000 : (int64_t)left;
}

static inline int cl_mhd_socket(struct MHD_Connection *_Nonnull c) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// What the connection callback stored when the connection began.
static inline void *_Nullable cl_mhd_socket_context(struct MHD_Connection *_Nonnull c) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

static inline enum MHD_Result cl_mhd_look_at_framing(
    void *_Nullable counts, enum MHD_ValueKind kind, const char *_Nullable name, const char *_Nullable value) {
  (void)kind;
  if (!name) return MHD_YES;
  int *doubts = counts, *lengths = doubts + 1;
  if (!strcasecmp(name, "Content-Length")) ++*lengths;
  if (!strcasecmp(name, "Transfer-Encoding")) {
    ++*lengths;
    if (!value || strcasecmp(value, "chunked")) ++*doubts;
  }
  if (name[strcspn(name, " \t")]) ++*doubts;
  return MHD_YES;
}

/// Whether it can be doubted where the body ends: several lengths, a coding that is not known, or a name that ends in a space,
/// which this library takes for another name.
static inline int cl_mhd_framing_is_doubtful(struct MHD_Connection *_Nonnull c) {
  int counts[2] = {0, 0};
  MHD_get_connection_values(c, MHD_HEADER_KIND, cl_mhd_look_at_framing, counts);
  return counts[0] > 0 || counts[1] > 1;
}

static inline const struct sockaddr *_Nullable cl_mhd_peer(struct MHD_Connection *_Nonnull c) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}
