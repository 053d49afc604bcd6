// libcurl's setopt and getinfo are variadic, which Swift cannot call: typed stand-ins for those this project uses.
#pragma once
#include <curl/curl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Prepares the library. A write to a closed connection inside OpenSSL raises SIGPIPE, which CURLOPT_NOSIGNAL leaves to
/// us.
static inline CURLcode clc_prepare(void) {
  struct sigaction now;
  if (!sigaction(SIGPIPE, NULL, &now) && now.sa_handler == SIG_DFL) signal(SIGPIPE, SIG_IGN);
  return curl_global_init(CURL_GLOBAL_ALL);
}

static inline CURLcode clc_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode clc_set_offset(CURL *_Nonnull easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode clc_set_pointer(CURL *_Nonnull easy, CURLoption option, const void *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode clc_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode clc_set_answer(
    CURL *_Nonnull easy, curl_write_callback _Nonnull body, curl_write_callback _Nonnull header,
    void *_Nonnull context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  return code;
}
static inline CURLcode clc_set_sockets(
    CURL *_Nonnull easy, curl_opensocket_callback _Nonnull open, curl_closesocket_callback _Nonnull close,
    void *_Nonnull context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
  return code;
}

static inline long clc_long(CURL *_Nonnull easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}
static inline curl_off_t clc_offset(CURL *_Nonnull easy, CURLINFO info) {
  curl_off_t value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}
static inline void *_Nullable clc_context(CURL *_Nonnull easy) {
  char *value = NULL;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
  return value;
}

static inline void clc_multi_set(
    CURLM *_Nonnull multi, curl_socket_callback _Nonnull socket, curl_multi_timer_callback _Nonnull timer,
    void *_Nonnull context, long connections) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
}
/// The next transfer that is over, and how it ended.
static inline CURL *_Nullable clc_next_done(CURLM *_Nonnull multi, CURLcode *_Nonnull result) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}
static inline void clc_share(CURLSH *_Nonnull share, curl_lock_data what) {
  curl_share_setopt(share, CURLSHOPT_SHARE, what);
}
