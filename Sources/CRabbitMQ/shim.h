// librabbitmq, its one variadic call with fixed arguments, and the part of OpenSSL that it hides.
#pragma once
#include <sys/time.h>
#include <stdint.h>
#include <string.h>
#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline amqp_rpc_reply_t cl_amqp_login(
    amqp_connection_state_t _Nonnull connection, const char *_Nonnull vhost, int frame_max, int heartbeat,
    const amqp_table_t *_Nonnull properties, const char *_Nonnull user, const char *_Nonnull password) {
  return amqp_login_with_properties(
      connection, vhost, 0, frame_max, heartbeat, properties, AMQP_SASL_METHOD_PLAIN, user, password);
}

// The library's own writes wait without a limit when the broker does not read (rabbitmq-c issues 519 and 780), so after
// the login we write our frames ourselves, and never wait. Over TLS that takes its SSL object, which it does not hand
// out: OpenSSL does, in the handshake's callback.
static inline void cl_amqp_note_tls(const SSL *ssl, int where, int result) {
  (void)where;
  (void)result;
  SSL **note = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
  if (note) *note = (SSL *)ssl;
}

/// Makes the socket put its SSL object into `*note` when it connects, and lets a write be retried from another buffer.
static inline void cl_amqp_watch_tls(amqp_socket_t *_Nonnull socket, void *_Nullable *_Nonnull note) {
  SSL_CTX *context = amqp_ssl_socket_get_context(socket);
  SSL_CTX_set_app_data(context, (SSL **)note);
  SSL_CTX_set_info_callback(context, cl_amqp_note_tls);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

/// Stops it from doing so: the note's memory is about to go.
static inline void cl_amqp_unwatch_tls(amqp_socket_t *_Nonnull socket) {
  SSL_CTX *context = amqp_ssl_socket_get_context(socket);
  SSL_CTX_set_info_callback(context, NULL);
  SSL_CTX_set_app_data(context, NULL);
}

/// Bytes written, 0 where the socket is full, -1 where the connection is broken.
static inline long cl_amqp_tls_write(void *_Nonnull tls, const void *_Nonnull bytes, size_t count) {
  ERR_clear_error();
  int written = SSL_write((SSL *)tls, bytes, count > 1 << 20 ? 1 << 20 : (int)count);
  if (written > 0) return written;
  int error = SSL_get_error((SSL *)tls, written);
  return error == SSL_ERROR_WANT_WRITE || error == SSL_ERROR_WANT_READ ? 0 : -1;
}

/// Whether the certificate is for this host: a name, or an address, which the library's own check does not know.
static inline int cl_amqp_tls_names(void *_Nonnull tls, const char *_Nonnull host) {
  X509 *certificate = SSL_get1_peer_certificate((SSL *)tls);
  if (!certificate) return 0;
  int named = X509_check_ip_asc(certificate, host, 0) == 1 ||
              X509_check_host(certificate, host, strlen(host), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS, NULL) == 1;
  X509_free(certificate);
  return named;
}

/// Why the certificate chain was not accepted; NULL where it was.
static inline const char *_Nullable cl_amqp_tls_fault(void *_Nonnull tls) {
  long result = SSL_get_verify_result((SSL *)tls);
  return result == X509_V_OK ? NULL : X509_verify_cert_error_string(result);
}
