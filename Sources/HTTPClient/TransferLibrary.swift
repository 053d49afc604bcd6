internal import CLibCurl

/// The C library that makes HTTP requests.
public enum TransferLibrary {
    /// libcurl's version with those of what it is built on (TLS, HTTP/2), as they are loaded.
    public static var version: String {
        let text = String(cString: curl_version())
        return text.hasPrefix("libcurl/") ? String(text.dropFirst("libcurl/".count)) : text
    }
}
