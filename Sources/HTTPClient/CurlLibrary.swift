internal import CLibCurl

/// The library as a whole: prepared once, before its first use.
enum CurlLibrary {
    /// Whether libcurl could be prepared.
    static let isReady = clc_prepare() == CURLE_OK
}
