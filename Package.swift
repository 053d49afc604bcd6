// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    // Else every access to a field of a class asks a table of its thread, 4 % of a charge. Debug builds, which the tests
    // are, still do.
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// A library of ours: its folder under Sources, and the modules of lower layers that it may import.
func module(_ name: String, _ uses: [String] = []) -> Target {
    .target(name: name, dependencies: uses.map { .byName(name: $0) }, swiftSettings: settings)
}

/// Helpers that several test targets share: an ordinary target under Tests, in no product.
func testKit(_ name: String, _ uses: [String]) -> Target {
    .target(
        name: name, dependencies: uses.map { .byName(name: $0) }, path: "Tests/\(name)", swiftSettings: settings)
}

func tests(_ name: String, _ uses: [String], data: [String] = []) -> Target {
    .testTarget(name: name, dependencies: uses.map { .byName(name: $0) }, exclude: data, swiftSettings: settings)
}

func debian(_ name: String, _ pkgConfig: String?, _ package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

// The layers of docs/architecture.md, lowest first; Tests/TidyTests holds the sources to them.
let package = Package(
    name: "chargeline",
    products: [.executable(name: "chargeline", targets: ["chargeline"])],
    targets: [
        // 0: text, and C libraries behind header-only shims
        module("JSONText"),
        debian("CLinux", nil, "libc6-dev"),
        debian("CCrypto", "libcrypto", "libssl-dev"),
        debian("CRabbitMQ", "librabbitmq", "librabbitmq-dev"),
        debian("CLibCurl", "libcurl", "libcurl4-openssl-dev"),
        debian("CMicroHTTPD", "libmicrohttpd", "libmicrohttpd-dev"),

        // 1: the loop, the domain, and what every role needs
        module("EventLoop", ["CLinux"]),
        module("Charging", ["JSONText", "CCrypto"]),
        module("Telemetry", ["JSONText", "CLinux"]),
        module("Settings", ["CLinux"]),

        // 2: each the only one to import its C library
        module("Messaging", ["EventLoop", "CRabbitMQ", "CLinux"]),
        module("HTTPClient", ["EventLoop", "CLibCurl", "CLinux"]),
        module("HTTPServer", ["EventLoop", "CMicroHTTPD", "CLinux"]),

        // 3
        module("StripeClient", ["HTTPClient", "EventLoop", "Charging", "JSONText", "Settings"]),

        module("ChargeWire", ["Messaging", "Charging"]),

        // 4: the roles, and the tools of those who run them
        module(
            "ChargeAPI",
            [
                "ChargeWire", "Messaging", "HTTPServer", "StripeClient", "EventLoop", "Charging", "Telemetry",
                "Settings",
                "JSONText",
            ]),
        module(
            "ChargeWorker",
            [
                "ChargeWire", "Messaging", "HTTPServer", "StripeClient", "EventLoop", "Charging", "Telemetry",
                "Settings",
                "JSONText",
            ]),
        module("StripeSandbox", ["HTTPServer", "EventLoop", "Telemetry", "Settings", "JSONText"]),
        module(
            "Operator",
            [
                "ChargeWire", "Messaging", "HTTPClient", "StripeClient", "EventLoop", "Charging", "Telemetry",
                "Settings",
                "JSONText", "CLinux",
            ]),

        // 5: the command line and the wiring
        .executableTarget(
            name: "chargeline",
            dependencies: [
                "ChargeAPI", "ChargeWorker", "StripeSandbox", "Operator", "ChargeWire", "Messaging", "HTTPClient",
                "HTTPServer",
                "StripeClient",
                "EventLoop", "Charging", "Telemetry", "Settings", "JSONText", "CLinux",
            ],
            swiftSettings: settings),

        testKit("TestSupport", ["EventLoop", "CLinux"]),
        testKit("SimulationKit", ["Charging", "JSONText"]),
        tests("JSONTextTests", ["JSONText"]),
        tests("EventLoopTests", ["EventLoop", "CLinux", "TestSupport"]),
        tests("ChargingTests", ["Charging", "JSONText"], data: ["Golden"]),
        tests("TelemetryTests", ["Telemetry"]),
        tests("SettingsTests", ["Settings"]),
        tests("MessagingTests", ["Messaging", "EventLoop", "TestSupport"]),
        tests("HTTPClientTests", ["HTTPClient", "EventLoop", "CLibCurl", "CLinux", "TestSupport"]),
        tests("HTTPServerTests", ["HTTPServer", "EventLoop", "CLinux", "TestSupport"]),
        tests("StripeClientTests", ["StripeClient", "HTTPClient", "EventLoop", "Charging", "Settings", "TestSupport"]),
        tests(
            "ChargeAPITests",
            [
                "ChargeAPI", "ChargeWire", "Messaging", "HTTPServer", "EventLoop", "Charging", "Telemetry", "Settings",
                "JSONText", "CLinux", "TestSupport",
            ]),
        tests(
            "StripeSandboxTests",
            ["StripeSandbox", "HTTPClient", "EventLoop", "Settings", "JSONText", "TestSupport"]),
        tests(
            "ChargeWorkerTests",
            [
                "ChargeWorker", "ChargeWire", "StripeSandbox", "Messaging", "Charging", "Telemetry", "Settings",
                "EventLoop", "JSONText", "TestSupport",
            ]),
        tests("SimulationTests", ["SimulationKit", "Charging", "JSONText", "TestSupport"]),
        tests(
            "OperatorTests",
            [
                "Operator", "ChargeWire", "Messaging", "EventLoop", "Charging", "Settings", "JSONText", "TestSupport",
                "CRabbitMQ",
            ]),
        tests("IntegrationTests", ["chargeline", "TestSupport"]),
        tests(
            "FuzzTests",
            [
                "Charging", "StripeClient", "HTTPClient", "Messaging", "Operator", "StripeSandbox", "Settings",
                "JSONText",
                "TestSupport",
            ]),
        tests("TidyTests", []),
    ]
)
