internal import CMicroHTTPD

/// The C library that serves HTTP.
public enum ServerLibrary {
    /// libmicrohttpd's version, as it is loaded.
    public static var version: String { String(cString: MHD_get_version()) }
}
