import Foundation
import HTTPClient
import TestSupport
import Testing

/// A certificate of a test's own, made by the openssl program.
struct TestCertificate {
    let directory: String
    var certificate: String { directory + "/cert.pem" }
    var key: String { directory + "/key.pem" }

    /// Takes its files away, and what a server left beside them.
    func remove() {
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Self-signed, for the names of `subjects`, such as `IP:127.0.0.1`.
    static func make(_ subjects: String) async throws -> TestCertificate {
        let made = TestCertificate(directory: try temporaryDirectory("tls"))
        let run = try await ChildProcess.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=test", "-addext", "subjectAltName=\(subjects)", "-keyout", made.key,
                "-out", made.certificate,
            ])
        try #require(run.exit == .status(0), "\(run.errors)")
        return made
    }

    /// An `openssl s_server` that answers every GET with a page; ready when this returns.
    func serve(_ arguments: [String] = []) async throws -> (server: ChildProcess, port: Int) {
        let server = try ChildProcess(
            "/usr/bin/openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"] + arguments)
        let line = try await server.output.first { $0.hasPrefix("ACCEPT") }
        return (server, try #require(line.split(separator: ":").last.flatMap { Int($0) }))
    }

    /// An nginx that speaks HTTP/2 and hands requests on to `upstream`.
    func serveHTTP2(upstream: Int) throws -> (server: ChildProcess, port: RefusingPort) {
        let port = RefusingPort()
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: " ")
        try write(
            """
            daemon off; master_process off; pid \(directory)/pid; error_log stderr error; worker_rlimit_nofile 4096;
            events { worker_connections 2048; }
            http {
              access_log off; \(temporary)
              upstream scripted { server 127.0.0.1:\(upstream); keepalive 256; }
              server {
                listen 127.0.0.1:\(port.number) ssl http2; ssl_certificate \(certificate); ssl_certificate_key \(key);
                location / { proxy_pass http://scripted; proxy_http_version 1.1; proxy_set_header Connection ""; }
              }
            }
            """, to: directory + "/nginx.conf")
        let server = try ChildProcess("/usr/sbin/nginx", ["-p", directory, "-c", directory + "/nginx.conf"])
        return (server, port)
    }
}
