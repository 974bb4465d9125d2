import ChatCore
import Connectors
import Foundation
import Logging
import MessageStore
import Synchronization
import TestSupport
import Transport

/// A Matrix homeserver with one room, in this process, and the connector that follows it.
final class SmallHomeserver: HTTPTransport {
    static let room = "!placeq7"
    static let bot = "@nexus:home.test"

    private struct State {
        /// The room's state, by type and key.
        var events: [String: String] = [:]
        var files: [String: Data] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let clock: ManualNow

    /// - Parameter clock: The time of its events.
    init(clock: ManualNow) {
        self.clock = clock
        for (type, content) in [
            ("m.room.create", #"{"room_version":"12"}"#),
            ("m.room.history_visibility", #"{"history_visibility":"shared"}"#), ("m.room.name", #"{"name":"Plans"}"#),
        ] { _ = set(type, content, by: "@ada:home.test") }
        for name in ["ada", "bob", "eve", "nexus"] { _ = setMember(name, "join") }
    }

    static func person(_ name: String) -> String { "@\(name):home.test" }

    /// Changes the room's state; returns the event.
    func set(_ type: String, key: String = "", _ content: String, by sender: String) -> String {
        let event = event(type, content, by: sender, more: #","state_key":"\#(key)""#).text
        state.withLock { $0.events["\(type) \(key)"] = event }
        return event
    }

    /// Changes somebody's membership; returns the event.
    func setMember(_ name: String, _ membership: String, shown: String? = nil) -> String {
        let person = Self.person(name)
        let content = #"{"membership":"\#(membership)","displayname":"\#(shown ?? name.capitalized)"}"#
        return set("m.room.member", key: person, content, by: person)
    }

    /// Returns an event with a new id.
    func event(
        _ type: String, _ content: String, by sender: String, id: String? = nil, more: String = ""
    ) -> (id: String, text: String) {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let id = id ?? "$event\(number)"
        let time = clock.now().milliseconds
        let text = #"""
            {"event_id":"\#(id)","room_id":"\#(Self.room)","type":"\#(type)","sender":"\#(sender)",\#
            "origin_server_ts":\#(time),"content":\#(content),"unsigned":{}\#(more)}
            """#
        return (id, text)
    }

    /// Stores a file; returns its URI.
    func upload(_ content: String) -> String {
        state.withLock { state in
            state.count += 1
            state.files["media\(state.count)"] = Data(content.utf8)
            return "mxc://home.test/media\(state.count)"
        }
    }

    // MARK: The client API

    func send(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPExchangeResponse {
        let reply =
            switch request.url.split(separator: "/").last?.split(separator: "?").first {
            case "joined_rooms": #"{"joined_rooms":["\#(Self.room)"]}"#
            case "state": "[" + state.withLock { $0.events.values.sorted().joined(separator: ",") } + "]"
            case "messages": #"{"start":"t1","chunk":[]}"#
            default: ""
            }
        guard !reply.isEmpty else {
            return HTTPExchangeResponse(status: 404, body: Data(#"{"errcode":"M_UNRECOGNIZED"}"#.utf8))
        }
        return HTTPExchangeResponse(status: 200, body: Data(reply.utf8))
    }

    func stream(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPStreamedResponse {
        let name = request.url.split(separator: "/").last.map(String.init) ?? ""
        guard let file = state.withLock({ $0.files[name] }) else {
            return HTTPStreamedResponse(status: 404, body: HTTPBody(pieces: [Data(#"{"errcode":"M_NOT_FOUND"}"#.utf8)]))
        }
        return HTTPStreamedResponse(status: 200, body: HTTPBody(pieces: [file]))
    }
}

/// The room of a homeserver, as it comes into a store.
struct ConnectedRoom {
    static let conversation: ConversationID = "matrix-!placeq7"

    let home: SmallHomeserver
    let connector: MatrixConnector
    private let store: SQLStore
    private let clock: ManualNow
    private let files: ConnectorFileService

    init(_ store: SQLStore, clock: ManualNow) throws {
        struct MissingSecret: Error {}
        guard let service = SecretText("as-token"), let homeserver = SecretText("hs-token") else {
            throw MissingSecret()
        }
        let home = SmallHomeserver(clock: clock)
        let connector = MatrixConnector(
            settings: MatrixSettings(
                homeserver: "https://home.test", userID: SmallHomeserver.bot, serviceToken: service,
                homeserverToken: homeserver),
            store: store, transport: home, now: clock.now, sleep: { clock.advance(by: $0) }, logger: .silent)
        (self.home, self.connector, self.store, self.clock) = (home, connector, store, clock)
        files = ConnectorFileService(
            connector: connector, store: store, limits: FileLimits(), makeID: { UUID().uuidString.lowercased() },
            now: clock.now, logger: .silent)
    }

    /// Lets the homeserver send events; returns whether they were taken.
    func deliver(_ events: String...) async -> Bool {
        clock.advance(by: .milliseconds(10))
        let body = #"{"events":[\#(events.joined(separator: ","))]}"#
        return await connector.take(authorization: "Bearer hs-token", body: Array(body.utf8)).status == 200
    }

    /// Compares members, as from time to time.
    func compare() async throws {
        clock.advance(by: .seconds(700))
        _ = try await connector.advance()
    }

    /// Somebody writes a text.
    func say(_ text: String, id: String? = nil, by name: String) async -> Bool {
        let content = #"{"msgtype":"m.text","body":"\#(text)"}"#
        return await deliver(home.event("m.room.message", content, by: SmallHomeserver.person(name), id: id).text)
    }

    /// Somebody sends a file with a caption, whose bytes and words come at once; returns its id.
    func send(_ file: String, _ content: String, words: String? = nil, caption: String, by name: String) async throws
        -> String?
    {
        let fields = #""filename":"\#(file)","url":"\#(home.upload(content))""#
        let event = home.event(
            "m.room.message", #"{"msgtype":"m.file","body":"\#(caption)",\#(fields)}"#, by: SmallHomeserver.person(name)
        )
        guard await deliver(event.text) else { return nil }
        clock.advance(by: .milliseconds(10))
        _ = try await files.advance()
        let key = MessageKey(conversationID: Self.conversation, messageID: MessageID(rawValue: event.id))
        guard let id = try await store.stored([key])[key]?.attachments.first?.id else { return nil }
        if let words {
            guard try await store.beginDocument()?.id == id else { return nil }
            _ = try await store.endDocument(
                id, reading: FileReading(.read, unit: .page), content: words, at: clock.now())
        }
        return id.rawValue
    }
}
