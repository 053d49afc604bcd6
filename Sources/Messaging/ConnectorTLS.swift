internal import CLinux
internal import CRabbitMQ
internal import EventLoop

extension Connector {
    /// Opens a TLS connection and checks the certificate before a password could leave.
    func openTLS(_ handle: ConnectionHandle, _ tls: BrokerEndpoint.TLS, until: Int64) throws(LinkProblem) {
        guard let socket = amqp_ssl_socket_new(handle.connection) else {
            throw LinkProblem(.tls, "OpenSSL cannot make a context")
        }
        handle.noteTLS(of: socket)
        // Both checks are ours, below: the library says neither what is wrong with a chain nor does it know addresses
        // in certificates.
        amqp_ssl_socket_set_verify_peer(socket, 0)
        amqp_ssl_socket_set_verify_hostname(socket, 0)
        amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST)
        try setFiles(socket, tls)
        var timeout = Self.timeLeft(until: until)
        let status = amqp_socket_open_noblock(socket, endpoint.host, Int32(endpoint.port), &timeout)
        if status != AMQP_STATUS_OK.rawValue { throw openProblem(status, until: until) }
        guard tls.isVerified else { return }
        guard let session = handle.tls else { throw LinkProblem(.tls, "\(endpoint.address): no TLS session") }
        if let fault = cl_amqp_tls_fault(session) {
            throw LinkProblem(
                .tls, "\(endpoint.address): its certificate is not trusted: \(String(cString: fault))",
                mend: "name the authority's file in the broker's URL: ?cacertfile=/path/ca.pem")
        }
        if cl_amqp_tls_names(session, endpoint.host) == 0 {
            throw LinkProblem(
                .tls, "\(endpoint.address): its certificate is for another host",
                mend: "connect by a name that the certificate holds")
        }
    }

    private func setFiles(_ socket: OpaquePointer, _ tls: BrokerEndpoint.TLS) throws(LinkProblem) {
        if tls.isVerified, amqp_ssl_socket_set_cacert(socket, tls.authorities) != AMQP_STATUS_OK.rawValue {
            throw LinkProblem(
                .tls, "\(tls.authorities) is no readable PEM file of certificates",
                mend: "install ca-certificates, or name the authority's file: ?cacertfile=/path/ca.pem")
        }
        guard let certificate = tls.certificate else { return }
        if amqp_ssl_socket_set_key(socket, certificate, tls.key ?? certificate) != AMQP_STATUS_OK.rawValue {
            throw LinkProblem(.tls, "\(certificate) and its key are not readable PEM files that fit each other")
        }
    }

    private func openProblem(_ status: Int32, until: Int64) -> LinkProblem {
        switch status {
        case AMQP_STATUS_TIMEOUT.rawValue:
            return LinkProblem(.silent, "\(endpoint.address) did not finish the TLS handshake in time")
        case AMQP_STATUS_SSL_CONNECTION_FAILED.rawValue, AMQP_STATUS_SSL_ERROR.rawValue:
            return LinkProblem(
                .tls, "\(endpoint.address): the TLS handshake failed: \(RPCFailure.text(status))",
                mend: "check that the port speaks TLS 1.2 or later (a plain port needs amqp://)")
        default:
            // The library has no words for these; the kernel has.
            do throws(LinkProblem) {
                let dialer = Dialer(deadline: until)
                close(try dialer.dial(host: endpoint.host, port: endpoint.port, address: endpoint.address))
                return LinkProblem(.unreachable, "\(endpoint.address): \(RPCFailure.text(status))")
            } catch {
                return error
            }
        }
    }
}
