// swift-tools-version: 6.2

import PackageDescription

// Open this folder in Xcode. The drawing is for Apple platforms; elsewhere the program only says so.
let package = Package(
    name: "ChatApp",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [.package(name: "nexus", path: "../..", traits: [])],
    targets: [
        .target(
            name: "ChatAppCore",
            dependencies: [
                .product(name: "NexusClient", package: "nexus"), .product(name: "NexusModel", package: "nexus"),
            ], path: "Core"),
        .executableTarget(
            name: "ChatApp",
            dependencies: ["ChatAppCore", .product(name: "NexusTransportURLSession", package: "nexus")], path: "App"),
    ]
)
