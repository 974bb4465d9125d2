import Foundation
import Testing
import Transport

/// A server that was started in a folder, and a client to it.
struct NexusServer {
    let process: RunningNexus
    let url: String
    private let transport: CurlTransport

    /// Starts a server on a free port and waits until it listens.
    ///
    /// - Parameters:
    ///   - binary: The program and its folder.
    ///   - arguments: Added to the command line.
    ///   - environment: Added to the environment.
    ///   - shellPrefix: Run by a shell before, for limits.
    /// - Throws: When it does not come up.
    init(
        _ binary: NexusBinary, _ arguments: [String] = [], environment: [String: String] = [:],
        shellPrefix: String? = nil
    ) async throws {
        process = try binary.start(
            ["serve", "--port", "0", "--log-level", "warning", "--set", "http.drain-seconds=0"] + arguments,
            environment: environment, shellPrefix: shellPrefix)
        try await process.waitForOutput("\n")
        let line = try #require(process.outputText.split(separator: "\n").first)
        url = String(try #require(line.split(separator: " ").last))
        transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
    }

    /// Sends a request with a JSON body.
    func send(
        _ method: String, _ path: String, _ body: Any? = nil, user: String? = nil, idempotencyKey: String? = nil
    ) async throws -> (status: Int, json: [String: Any]) {
        let (status, data) = try await exchange(method, path, body, user: user, idempotencyKey: idempotencyKey)
        let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        return (status, json ?? [:])
    }

    /// Sends a request with a JSON body; the reply as it came.
    func exchange(
        _ method: String, _ path: String, _ body: Any? = nil, user: String? = nil, accept: String? = nil,
        idempotencyKey: String? = nil
    ) async throws -> (status: Int, body: Data) {
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        if let user { headers.append(name: "X-Nexus-User", value: user) }
        if let accept { headers.append(name: "Accept", value: accept) }
        if let idempotencyKey { headers.append(name: "Idempotency-Key", value: idempotencyKey) }
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        let response = try await transport.send(
            HTTPExchangeRequest(
                method: method, url: url + path, headers: headers, body: data,
                deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900))))
        return (response.status, response.body)
    }

    /// Follows the feed of a user and returns its events, the last one being the first that `isEnough` accepts.
    func follow(
        _ cursor: String?, user: String, until isEnough: ([String: Any]) -> Bool
    ) async throws -> [[String: Any]] {
        let query = cursor.map { "?cursor=\($0)" } ?? ""
        let response = try await transport.stream(
            HTTPExchangeRequest(
                method: "GET", url: url + "/v1/feed" + query, headers: ["X-Nexus-User": user],
                deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900))))
        var events: [[String: Any]] = []
        var rest = ""
        for try await chunk in response.body {
            rest += String(decoding: chunk, as: UTF8.self)
            while let end = rest.firstRange(of: "\n\n") {
                let lines = rest[..<end.lowerBound].split(separator: "\n")
                rest = String(rest[end.upperBound...])
                guard let data = lines.first(where: { $0.hasPrefix("data: ") }),
                    var event = try JSONSerialization.jsonObject(with: Data(data.dropFirst(6).utf8)) as? [String: Any]
                else { continue }
                event["event"] = lines.first { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
                events.append(event)
                if isEnough(event) { return events }
            }
        }
        return events
    }

    /// Stops it as a service manager does.
    func stop() async -> RunResult {
        process.signal(SIGTERM)
        return await process.result()
    }
}
