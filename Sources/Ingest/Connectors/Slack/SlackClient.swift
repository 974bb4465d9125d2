import ChatCore
import Foundation
import Histories
import Synchronization
import Transport

/// Calls Slack's Web API: refusals come with status 200, and each method has its own limit.
final class SlackClient: Sendable {
    private struct State {
        /// Until when methods may not be called.
        var limits: [String: Timestamp] = [:]
        /// The permissions that the app was refused for.
        var missingScopes: Set<String> = []
        /// The setting of the token that Slack does not know.
        var unknownToken: String?
    }

    private static let unknownTokens: Set<String> = [
        "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "no_permission",
        "not_allowed_token_type", "org_login_required", "app_uninstalled",
    ]
    private static let absences: Set<String> = [
        "thread_not_found", "message_not_found", "user_not_found", "file_not_found", "file_deleted",
    ]
    private static let failures: Set<String> = [
        "internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org",
        "fetch_members_failed",
    ]
    /// The pause after a limit without a time.
    private static let limitPause = Duration.seconds(30)

    private let bot: ConnectorClient
    /// Opens live connections; nil if events come over HTTP.
    private let app: ConnectorClient?
    /// The addresses from which files are fetched, with the token.
    private let files: [ConnectorClient]
    private let now: @Sendable () -> Timestamp
    private let status: ConnectorStatus
    private let state = Mutex(State())

    init(
        _ settings: SlackSettings, transport: any HTTPTransport, status: ConnectorStatus,
        now: @escaping @Sendable () -> Timestamp, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.status, self.now) = (status, now)
        func client(_ token: SecretText, root: String? = nil) -> ConnectorClient {
            ConnectorClient(
                root: root ?? settings.url, token: token, codeField: "error", transport: transport, status: status,
                now: now,
                sleep: sleep)
        }
        bot = client(settings.botToken)
        app = if case .socketMode(let token) = settings.delivery { client(token) } else { nil }
        let own = settings.url.hasSuffix("/api") ? String(settings.url.dropLast(4)) : settings.url
        files = ["https://files.slack.com", own].map { client(settings.botToken, root: $0) }
    }

    /// The permissions that the app lacks, in order.
    var missingScopes: [String] { state.withLock { $0.missingScopes.sorted() } }
    /// The setting of the token that Slack does not know; nil if it knows both.
    var unknownToken: String? { state.withLock { $0.unknownToken } }
    /// The end of the longest limit.
    var limitedUntil: Timestamp? { state.withLock { $0.limits.values.max() } }

    /// Forgets which permissions were missing, so that only those count that still are.
    func forgetScopes() { state.withLock { $0.missingScopes = [] } }

    /// Calls a method that reads.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - query: Its arguments.
    ///   - patience: The longest time that a limit may ask for; the method is not called again before a longer one ends.
    /// - Returns: The reply.
    /// - Throws: ``ConnectorError``, `CancellationError`.
    func read(
        _ method: String, _ query: [(String, String)] = [], patience: Duration = .seconds(20)
    ) async throws -> JSONFields {
        try await call(method, setting: "slack.bot-token") {
            try await self.bot.call("GET", [method], query: query, patience: patience)
        }
    }

    /// Calls a method that writes.
    @discardableResult
    func write(_ method: String, _ body: [String: JSONValue]) async throws -> JSONFields {
        try await call(method, setting: "slack.bot-token") {
            try await self.bot.call("POST", [method], body: .object(body))
        }
    }

    /// Begins to read a file; the token is shown to Slack only.
    func file(at address: String, limit: Int) async throws -> RemoteBytes {
        guard let client = files.first(where: { address.hasPrefix($0.root + "/") }) else {
            throw ConnectorError.refused(status: 403, code: "foreign_address")
        }
        let path = address.dropFirst(client.root.utf8.count + 1).prefix { $0 != "?" && $0 != "#" }
        let segments = path.split(separator: "/").map { String($0).removingPercentEncoding ?? String($0) }
        guard !segments.contains("..") else { throw ConnectorError.refused(status: 403, code: "foreign_address") }
        return try await client.file(segments, limit: limit)
    }

    /// Returns the address of a new live connection, which can be used once.
    func openConnection() async throws -> String {
        guard let app else { throw ConnectorError.unreadable }
        let reply = try await call("apps.connections.open", setting: "slack.app-token") {
            try await app.call("POST", ["apps.connections.open"], body: .object([:]), patience: .seconds(90))
        }
        guard let address = reply.text("url") else { throw ConnectorError.unreadable }
        return address
    }

    /// Reads all pages of a list.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - query: Its arguments without the cursor.
    ///   - key: The field of the list.
    /// - Returns: The elements of all pages.
    /// - Throws: ``ConnectorError``, `CancellationError`.
    func list(_ method: String, _ query: [(String, String)], _ key: String) async throws -> [JSONValue] {
        var (values, cursors, cursor): ([JSONValue], Set<String>, String?) = ([], [], nil)
        repeat {
            let reply = try await read(method, query + (cursor.map { [("cursor", $0)] } ?? []))
            values += reply.list(key)
            cursor = Self.nextCursor(reply)
            // A cursor that comes again would never end.
            if let cursor, !cursors.insert(cursor).inserted { throw ConnectorError.unreadable }
        } while cursor != nil
        return values
    }

    /// The cursor of the next page; nil at the end.
    static func nextCursor(_ reply: JSONFields) -> String? { reply.object("response_metadata")?.text("next_cursor") }

    private func call(
        _ method: String, setting: String, _ body: () async throws -> JSONFields
    ) async throws -> JSONFields {
        let end = state.withLock { $0.limits[method] }
        if let end, end > now() { throw ConnectorError.limited(until: end) }
        do {
            let reply = try await body()
            guard reply.isTrue("ok") else { throw refusal(reply, setting: setting) }
            state.withLock { state in
                state.limits[method] = nil
                if state.unknownToken == setting { state.unknownToken = nil }
            }
            return reply
        } catch ConnectorError.limited(let end) {
            state.withLock { $0.limits[method] = end }
            throw ConnectorError.limited(until: end)
        }
    }

    private func refusal(_ reply: JSONFields, setting: String) -> ConnectorError {
        let code = reply.text("error") ?? "unknown"
        switch code {
        case "ratelimited", "rate_limited": return .limited(until: now() + Self.limitPause)
        case "channel_not_found": return .refused(status: 404, code: code)
        case "not_in_channel": return .refused(status: 403, code: code)
        case "missing_scope":
            let scopes = (reply.text("needed") ?? "unknown").split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            state.withLock { $0.missingScopes.formUnion(scopes) }
        case _ where Self.unknownTokens.contains(code):
            status.failed(.token)
            state.withLock { $0.unknownToken = setting }
            return .refused(status: 401, code: code)
        case _ where Self.absences.contains(code): return .refused(status: 410, code: code)
        case _ where Self.failures.contains(code):
            status.failed(.unreachable)
            return .unavailable
        default: break
        }
        return .refused(status: 400, code: code)
    }
}
