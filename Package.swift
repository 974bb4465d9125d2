// swift-tools-version: 6.2

import PackageDescription

// Targets stand in the order in which a message flows through them. What a target may import beside its own
// dependencies is kept in Tests/PackageTests/Modules.json and tested.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

extension Target.Dependency {
    /// A product that only the server needs.
    static func server(_ name: String, _ package: String) -> Target.Dependency {
        .product(name: name, package: package, condition: .when(traits: ["Server"]))
    }

    /// A product that only the clients' transport over SwiftNIO needs.
    static func nio(_ name: String, _ package: String) -> Target.Dependency {
        .product(name: name, package: package, condition: .when(traits: ["NIO"]))
    }
}

let crypto = Target.Dependency.server("Crypto", "swift-crypto")
let logging = Target.Dependency.server("Logging", "swift-log")
let lifecycle = Target.Dependency.server("ServiceLifecycle", "swift-service-lifecycle")
let metrics = Target.Dependency.server("Metrics", "swift-metrics")
let tracing = Target.Dependency.server("Tracing", "swift-distributed-tracing")
let algorithms = Target.Dependency.server("AsyncAlgorithms", "swift-async-algorithms")

let package = Package(
    name: "nexus",
    // The client products need no more; the server uses macOS 15 and is developed and run on Linux.
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .executable(name: "nexus", targets: ["nexus"]),
        .executable(name: "bench", targets: ["bench"]),
        .library(name: "VectorIndex", targets: ["VectorIndex"]),
        .library(name: "LexicalIndex", targets: ["LexicalIndex"]),
        .library(name: "NexusModel", targets: ["NexusModel"]),
        .library(name: "NexusClient", targets: ["NexusClient"]),
        .library(name: "NexusClientTesting", targets: ["NexusClientTesting"]),
        .library(name: "NexusTransportNIO", targets: ["NexusTransportNIO"]),
        .library(name: "NexusTransportURLSession", targets: ["NexusTransportURLSession"]),
    ],
    // An app that leaves both out fetches GRDB alone: docs/client.md.
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(name: "Server", description: "The server, its commands and tests.", enabledTraits: ["NIO"]),
        .trait(name: "NIO", description: "The client's transport over SwiftNIO."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // Foundations: the system's libraries and our C kernels.
        .target(name: "CBLAS"),
        .systemLibrary(name: "CCurl"),
        .systemLibrary(name: "CArchive"),
        .systemLibrary(name: "CPostgres"),
        .target(name: "CKernels", cSettings: [.unsafeFlags(["-O3"])]),
        // To be watched: metrics as Prometheus reads them, spans and log lines as JSON.
        .target(name: "Telemetry", dependencies: [logging, metrics, tracing], swiftSettings: settings),
        // What both indexes share: keys, groups, predicates, and the files that they keep.
        .target(name: "IndexCore", dependencies: ["CKernels"], swiftSettings: settings),
        // Domain values and the boundary protocols that the stages meet at.
        .target(name: "ChatCore", dependencies: [crypto], swiftSettings: settings),
        // The objects of the API, which the server fills and clients read, and what a client knows; Foundation only.
        .target(name: "NexusModel", swiftSettings: settings),
        // Words, stems, passages, names and dates in texts of any language; pure.
        .target(name: "TextAnalysis", dependencies: ["ChatCore"], swiftSettings: settings),

        // transport: one HTTP exchange over libcurl.
        .target(name: "Transport", dependencies: ["CCurl"], swiftSettings: settings),
        // transport: embeddings and chat of OpenAI-compatible services.
        .target(name: "ModelClients", dependencies: ["ChatCore", "Transport", tracing], swiftSettings: settings),
        // transport: the embedder that needs no service.
        .target(
            name: "SentenceEncoder", dependencies: ["ChatCore", "CKernels", crypto],
            swiftSettings: settings),
        // ingest: safe, streamed reading of zip and tar files.
        .target(name: "Archive", dependencies: ["CArchive"], swiftSettings: settings),
        // ingest: reads exports of other chats.
        .target(
            name: "Histories", dependencies: ["ChatCore", "TextAnalysis", "Archive", crypto, algorithms],
            swiftSettings: settings),
        // ingest: the words of documents and mails, read in a separate process.
        .target(
            name: "Documents",
            dependencies: [
                "ChatCore", "Archive", "CArchive", .server("Subprocess", "swift-subprocess"),
                .server("SystemPackage", "swift-system"),
            ], swiftSettings: settings),
        // ingest: follows the chats of other servers.
        .target(
            name: "Connectors",
            dependencies: ["ChatCore", "TextAnalysis", "Histories", "Transport", crypto, logging, lifecycle],
            swiftSettings: settings),
        // ingest: claim, prepare, embed, commit.
        .target(
            name: "Ingest", dependencies: ["ChatCore", "TextAnalysis", logging, lifecycle, metrics, tracing],
            swiftSettings: settings),
        // store: the rows of the truth, by topic; knows no database.
        .target(name: "MessageStore", dependencies: ["ChatCore", crypto], swiftSettings: settings),
        // store: SQLite over GRDB, in a data folder.
        .target(
            name: "SQLiteStore",
            dependencies: [
                "ChatCore", "MessageStore", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        // store: PostgreSQL over libpq, for several nodes.
        .target(
            name: "PostgresStore", dependencies: ["ChatCore", "MessageStore", "CPostgres", crypto],
            swiftSettings: settings),
        // index: exact cosine top-K over grouped rows; stands alone.
        .target(name: "VectorIndex", dependencies: ["CBLAS", "CKernels", "IndexCore"], swiftSettings: settings),
        // index: BM25 over grouped rows and their neighbours; stands alone.
        .target(name: "LexicalIndex", dependencies: ["IndexCore"], swiftSettings: settings),
        // retrieve: keeps the indexes up to date, and finds messages by meaning and words.
        .target(
            name: "Retrieval",
            dependencies: [
                "ChatCore", "TextAnalysis", "IndexCore", "VectorIndex", "LexicalIndex", algorithms, crypto, logging,
                lifecycle, tracing,
            ],
            swiftSettings: settings),
        // prompt: templates, token budget, numbered sources.
        .target(
            name: "Prompting",
            dependencies: ["ChatCore", "TextAnalysis", .server("Mustache", "swift-mustache")],
            swiftSettings: settings),
        // answer: reads what a model takes out of messages: tasks, decisions, deadlines; pure functions.
        .target(name: "Extraction", dependencies: ["ChatCore", "TextAnalysis"], swiftSettings: settings),
        // answer: checks each sentence of an answer against messages; pure.
        .target(name: "AnswerSupport", dependencies: ["ChatCore", "TextAnalysis"], swiftSettings: settings),
        // answer: retrieve, prompt, generate, check citations.
        .target(
            name: "Assistant",
            dependencies: [
                "ChatCore", "TextAnalysis", "Retrieval", "Prompting", "Extraction", "AnswerSupport", logging, tracing,
                algorithms, crypto, lifecycle, metrics,
            ],
            swiftSettings: settings),
        // live: the feed that clients follow, presence, notifications, push.
        .target(
            name: "LiveChat",
            dependencies: [
                "ChatCore", "TextAnalysis", crypto, .server("CryptoExtras", "swift-crypto"), logging, metrics,
            ],
            swiftSettings: settings),
        // use: accounts of the data folder: passwords, links, sessions.
        .target(
            name: "Accounts",
            dependencies: ["ChatCore", crypto, .server("CryptoExtras", "swift-crypto")],
            swiftSettings: settings),
        // use: what people and operators can do, one function for each action; HTTP and commands are adapters.
        .target(
            name: "UseCases", dependencies: ["ChatCore", "Histories", "Retrieval", "Assistant", crypto],
            swiftSettings: settings),
        // measure: datasets, metrics, runs, judges, comparison and report.
        .target(
            name: "Evaluation", dependencies: ["ChatCore", "TextAnalysis", "Prompting", "AnswerSupport", crypto],
            swiftSettings: settings),
        // serve: the page that browsers show, and its files.
        .target(name: "CWebPage"),
        .target(
            name: "WebPage", dependencies: ["CArchive", "CWebPage", crypto], exclude: ["Files"],
            swiftSettings: settings),
        // serve: connections, their limits, sockets and TLS; knows no route.
        .target(
            name: "WebServer",
            dependencies: [
                "ChatCore", crypto, logging, lifecycle, metrics, tracing,
                .server("HTTPTypes", "swift-http-types"),
                .server("Hummingbird", "hummingbird"),
                .server("HummingbirdCore", "hummingbird"),
                .server("HummingbirdHTTP2", "hummingbird"),
                .server("NIOCore", "swift-nio"),
                .server("NIOHTTP1", "swift-nio"),
                .server("NIOHTTPTypes", "swift-nio-extras"),
                .server("NIOPosix", "swift-nio"),
                .server("NIOSSL", "swift-nio-ssl"),
                .server("NIOTLS", "swift-nio"),
                .server("NIOWebSocket", "swift-nio"),
            ], swiftSettings: settings),
        // serve: the HTTP API.
        .target(
            name: "HTTPAPI",
            dependencies: [
                "ChatCore", "NexusModel", "TextAnalysis", "Retrieval", "AnswerSupport", "Assistant", "LiveChat",
                "Accounts",
                "UseCases", "WebPage", "WebServer", crypto, logging, lifecycle,
                .server("HTTPTypes", "swift-http-types"),
                .server("Hummingbird", "hummingbird"),
                .server("JWTKit", "jwt-kit"),
                metrics,
                .server("NIOCore", "swift-nio"),
            ], swiftSettings: settings),
        // client: connects, loads, keeps and sends; nothing of the server.
        .target(
            name: "NexusClient", dependencies: ["NexusModel", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: settings),
        // client: a server in memory, for the tests and previews of apps.
        .target(name: "NexusClientTesting", dependencies: ["NexusModel", "NexusClient"], swiftSettings: settings),
        // client: HTTP and WebSockets on Linux and servers.
        .target(
            name: "NexusTransportNIO",
            dependencies: [
                "NexusClient",
                .nio("NIOConcurrencyHelpers", "swift-nio"),
                .nio("NIOCore", "swift-nio"),
                .nio("NIOHTTP1", "swift-nio"),
                .nio("NIOPosix", "swift-nio"),
                .nio("NIOSSL", "swift-nio-ssl"),
                .nio("NIOWebSocket", "swift-nio"),
            ], swiftSettings: settings),
        // client: HTTP and sockets on Apple platforms, HTTP on Linux.
        .target(name: "NexusTransportURLSession", dependencies: ["NexusClient"], swiftSettings: settings),
        // Settings, assembly and commands: the only place that names concrete types of all stages.
        .target(
            name: "App",
            dependencies: [
                "ChatCore", "TextAnalysis", "Transport", "ModelClients", "SentenceEncoder", "Archive", "Histories",
                "Documents", "Connectors", "Ingest", "MessageStore", "SQLiteStore", "PostgresStore", "Retrieval",
                "Prompting",
                "AnswerSupport", "Assistant", "LiveChat",
                "Accounts", "UseCases", "Evaluation", "WebServer", "HTTPAPI", "WebPage",
                "Telemetry", "NexusModel", "NexusClient", "NexusTransportNIO",
                "CBLAS", "IndexCore", "VectorIndex", "LexicalIndex", logging, lifecycle, metrics, tracing, algorithms,
                crypto,
                .server("ArgumentParser", "swift-argument-parser"),
                .server("Configuration", "swift-configuration"),
                .server("SystemPackage", "swift-system"),
                .server("UnixSignals", "swift-service-lifecycle"),
            ], swiftSettings: settings),
        .executableTarget(name: "nexus", dependencies: ["App"], swiftSettings: settings),
        // The part of the example app that draws nothing, so that it is compiled and tested here.
        .target(
            name: "ChatAppCore", dependencies: ["NexusModel", "NexusClient"], path: "Examples/ChatApp/Core",
            swiftSettings: settings),
        // The index, the store, the load of a live chat and the store of a client, and the servers that ours is compared with.
        .executableTarget(
            name: "bench",
            dependencies: [
                "IndexCore", "VectorIndex", "ChatCore", "MessageStore", "SQLiteStore", "NexusClient", "NexusModel",
                .server("ArgumentParser", "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .server("Hummingbird", "hummingbird"),
                .server("NIOCore", "swift-nio"),
                .server("NIOHTTP1", "swift-nio"),
                .server("NIOPosix", "swift-nio"),
                .server("NIOWebSocket", "swift-nio"),
            ], swiftSettings: settings),

        // Fakes, builders, contract suites, the stub server.
        .target(
            name: "TestSupport", dependencies: ["ChatCore", "Retrieval", "Transport", logging], path: "Tests/Support",
            swiftSettings: settings),
        .testTarget(
            name: "TelemetryTests", dependencies: ["Telemetry", "TestSupport", logging, metrics, tracing],
            swiftSettings: settings),
        .testTarget(name: "ChatCoreTests", dependencies: ["ChatCore", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "TextAnalysisTests", dependencies: ["ChatCore", "TextAnalysis"], swiftSettings: settings),
        .testTarget(
            name: "WebPageTests", dependencies: ["WebPage", "CArchive", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "TransportTests", dependencies: ["Transport", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ModelClientsTests", dependencies: ["ChatCore", "Transport", "ModelClients", "TestSupport"],
            swiftSettings: settings),
        .testTarget(name: "CKernelsTests", dependencies: ["CKernels"], swiftSettings: settings),
        .testTarget(
            name: "SentenceEncoderTests", dependencies: ["ChatCore", "TextAnalysis", "SentenceEncoder", crypto],
            exclude: ["Fixtures"],
            swiftSettings: settings),
        .testTarget(
            name: "ArchiveTests", dependencies: ["CArchive", "Archive", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "HistoriesTests",
            dependencies: ["ChatCore", "Archive", "Histories", "MessageStore", "SQLiteStore", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "DocumentsTests", dependencies: ["ChatCore", "Documents", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ConnectorsTests",
            dependencies: [
                "ChatCore", "Connectors", "MessageStore", "SQLiteStore", "PostgresStore", "Transport",
                "PostgresTestSupport", "TestSupport", logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "IngestTests",
            dependencies: [
                "ChatCore", "Ingest", "MessageStore", "SQLiteStore", "ModelClients", "Retrieval", "Transport",
                "Telemetry", "PostgresTestSupport", "TestSupport", logging, lifecycle,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MessageStoreTests",
            dependencies: [
                "ChatCore", "MessageStore", "SQLiteStore", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        // A PostgreSQL server for tests.
        .target(
            name: "PostgresTestSupport",
            dependencies: ["ChatCore", "MessageStore", "SQLiteStore", "PostgresStore", "TestSupport"],
            path: "Tests/PostgresSupport", swiftSettings: settings),
        .testTarget(
            name: "PostgresStoreTests",
            dependencies: [
                "ChatCore", "MessageStore", "SQLiteStore", "PostgresStore", "PostgresTestSupport", "Retrieval",
                "TestSupport", logging,
            ],
            swiftSettings: settings),
        .target(name: "IndexTestSupport", path: "Tests/IndexSupport", swiftSettings: settings),
        .testTarget(
            name: "VectorIndexTests", dependencies: ["IndexCore", "VectorIndex", "IndexTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "LexicalIndexTests", dependencies: ["IndexCore", "LexicalIndex", "IndexTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "RetrievalTests",
            dependencies: [
                "ChatCore", "TextAnalysis", "Ingest", "Retrieval", "IndexCore", "VectorIndex", "LexicalIndex",
                "TestSupport", logging,
            ],
            swiftSettings: settings),
        .testTarget(name: "PromptingTests", dependencies: ["ChatCore", "Prompting"], swiftSettings: settings),
        .testTarget(
            name: "ExtractionTests", dependencies: ["ChatCore", "TextAnalysis", "Extraction"], swiftSettings: settings),
        .testTarget(
            name: "AnswerSupportTests", dependencies: ["ChatCore", "TextAnalysis", "AnswerSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AssistantTests",
            dependencies: [
                "ChatCore", "Transport", "ModelClients", "MessageStore", "SQLiteStore", "Ingest", "Retrieval",
                "Prompting", "AnswerSupport", "Assistant", "TextAnalysis", "TestSupport", logging, metrics,
            ], swiftSettings: settings),
        .testTarget(
            name: "LiveChatTests",
            dependencies: [
                "ChatCore", "LiveChat", "MessageStore", "SQLiteStore", "Transport", "PostgresTestSupport",
                "TestSupport", crypto,
                logging, .server("CryptoExtras", "swift-crypto"),
            ], swiftSettings: settings),
        .testTarget(
            name: "AccountsTests",
            dependencies: ["ChatCore", "Accounts", "MessageStore", "SQLiteStore", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "EvaluationTests",
            dependencies: ["ChatCore", "TextAnalysis", "Prompting", "AnswerSupport", "Evaluation", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "UseCasesTests",
            dependencies: [
                "ChatCore", "MessageStore", "SQLiteStore", "Prompting", "Assistant", "UseCases", "TestSupport", logging,
            ], swiftSettings: settings),
        .testTarget(name: "NexusModelTests", dependencies: ["NexusModel", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "NexusClientTests",
            dependencies: [
                "NexusModel", "NexusClient", "NexusClientTesting", "NexusTransportNIO", "NexusTransportURLSession",
                "TestSupport",
                .server("NIOCore", "swift-nio"),
                .server("NIOHTTP1", "swift-nio"),
                .server("NIOPosix", "swift-nio"),
                .server("NIOWebSocket", "swift-nio"),
            ], swiftSettings: settings),
        .testTarget(
            name: "ChatAppCoreTests", dependencies: ["ChatAppCore", "NexusModel", "NexusClient", "TestSupport"],
            swiftSettings: settings),
        // A server with stubs for tests, and clients that send it any bytes.
        .target(
            name: "ServerTestSupport",
            dependencies: [
                "ChatCore", "Accounts", "Assistant", "HTTPAPI", "LiveChat", "MessageStore", "Prompting", "Retrieval",
                "Telemetry", "Transport", "UseCases", "WebPage", "WebServer", "TestSupport", logging, lifecycle,
                metrics,
                .server("NIOCore", "swift-nio"),
                .server("NIOPosix", "swift-nio"),
                .server("NIOSSL", "swift-nio-ssl"),
            ], path: "Tests/ServerSupport", swiftSettings: settings),
        .testTarget(
            name: "WebServerTests",
            dependencies: [
                "ChatCore", "Assistant", "WebServer", "HTTPAPI", "Transport", "NexusClient", "NexusTransportNIO",
                "ServerTestSupport", "TestSupport", crypto,
                .server("NIOSSL", "swift-nio-ssl"),
                .server("SwiftASN1", "swift-asn1"),
                .server("X509", "swift-certificates"),
            ], swiftSettings: settings),
        .testTarget(
            name: "HTTPAPITests",
            dependencies: [
                "ChatCore", "NexusModel", "Connectors", "Ingest", "MessageStore", "SQLiteStore", "PostgresStore",
                "Retrieval",
                "Prompting",
                "Assistant", "LiveChat", "Accounts", "UseCases", "WebServer", "HTTPAPI", "WebPage", "Transport",
                "ModelClients", "Telemetry", "PostgresTestSupport", "ServerTestSupport", "TestSupport", crypto,
                logging, lifecycle, metrics, tracing,
                .server("CryptoExtras", "swift-crypto"),
                .server("HTTPTypes", "swift-http-types"),
                .server("JWTKit", "jwt-kit"),
            ], swiftSettings: settings),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "App", "nexus", "ChatCore", "Accounts", "MessageStore", "SQLiteStore", "ModelClients", "Transport",
                "Assistant",
                "Retrieval", "Telemetry",
                "Archive", "Evaluation", "Histories", "HTTPAPI", "WebServer", "IndexCore", "Ingest", "LexicalIndex",
                "NexusClient", "NexusModel", "NexusTransportNIO", "Prompting", "SentenceEncoder", "TextAnalysis",
                "VectorIndex", "TestSupport", "PostgresStore", "PostgresTestSupport", crypto,
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: settings),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "App", "Assistant", "ChatCore", "Extraction", "Histories", "HTTPAPI", "WebServer", "ModelClients",
                "Retrieval", "TextAnalysis", "Transport", "TestSupport",
                .server("ArgumentParser", "swift-argument-parser"),
            ], swiftSettings: settings),
        .testTarget(
            name: "PackageTests", dependencies: ["App", "Telemetry"], exclude: ["Modules.json"], swiftSettings: settings
        ),
    ]
)

// The rooms of Sources, and of Tests: the folders in which the targets are.
let rooms = [
    "Core": ["ChatCore", "Telemetry"],
    "Wire": ["NexusModel"],
    "Language": ["TextAnalysis"],
    "Models": ["CCurl", "Transport", "ModelClients", "SentenceEncoder"],
    "Index": ["CBLAS", "CKernels", "IndexCore", "VectorIndex", "LexicalIndex"],
    "Ingest": ["CArchive", "Archive", "Histories", "Documents", "Connectors", "Ingest"],
    "Store": ["CPostgres", "MessageStore", "SQLiteStore", "SQLiteStore", "PostgresStore"],
    "Search": ["Retrieval"],
    "Assistant": ["Prompting", "Extraction", "AnswerSupport", "Assistant"],
    "UseCases": ["Accounts", "UseCases"],
    "Server": ["LiveChat", "CWebPage", "WebPage", "WebServer", "HTTPAPI"],
    "Client": ["NexusClient", "NexusClientTesting", "NexusTransportNIO", "NexusTransportURLSession", "ChatAppCore"],
    "App": ["App", "nexus"],
    "Lab": ["Evaluation", "bench"],
]
for (room, names) in rooms {
    for target in package.targets where target.path == nil {
        if names.contains(target.name) { target.path = "Sources/\(room)/\(target.name)" }
        if target.type == .test, names.contains(where: { "\($0)Tests" == target.name }) {
            target.path = "Tests/\(room)/\(target.name)"
        }
    }
}

// Tests of a release build test what is released; the tests themselves need no optimisation, which takes longer than they run.
// Those that compute the right result in a slow way keep it.
let computing: Set = ["CKernelsTests", "VectorIndexTests", "LexicalIndexTests", "SentenceEncoderTests"]
for target in package.targets where target.type == .test && !computing.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
}
