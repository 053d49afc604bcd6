internal import CCrypto

/// The C library that makes hashes.
public enum DigestLibrary {
    /// OpenSSL's version, as it is loaded.
    public static var version: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
}
