import ChatAppCore
import Foundation
import NexusClient
import NexusModel
import TestSupport
import Testing

/// The example app without its drawing.
@Suite(.hangGuard) @MainActor struct AppModelTests {
    /// A server with one conversation of one message; `isGood` decides about tokens.
    private struct Server: ClientTransport {
        var isGood = true

        func send(_ request: ClientRequest) async throws -> ClientResponse {
            let user = #"{"userId":"ada","name":"Ada","role":"member","hasPassword":true}"#
            let text =
                switch request.path {
                case "/v1/session": #"{"accessToken":"t","expiresAt":"x","user":\#(user)}"#
                case "/v1/sync":
                    """
                    {"cursor":"2f-1","conversations":[{"id":"pier","kind":"group","visibility":"members","name":"Pier",
                     "head":1,"activeAt":"2026-10-07","readSeq":0,"unreadCount":1,"mentionCount":0,
                     "preferences":{"muted":false,"archived":false,"pinned":false}}]}
                    """
                case let path where path.contains("/messages?"):
                    """
                    {"messages":[{"id":"m1","conversationId":"pier","senderId":"ben","senderName":"Ben","text":"hi",
                     "timestamp":"2026-10-07T10:20:53.000Z","seq":1}],"hasOlder":false,"hasNewer":false}
                    """
                default: #"{"members":[],"receipts":[]}"#
                }
            let cookie = ["set-cookie": "nexus-session=c"]
            if !isGood { return ClientResponse(status: 401, body: Data(#"{"code":"sign_in_failed"}"#.utf8)) }
            return ClientResponse(status: 200, headers: cookie, body: Data(text.utf8))
        }

        func openSocket(_: ClientRequest, subprotocol _: String) async throws -> any ClientSocket { SilentSocket() }
    }

    /// A socket on which nothing happens.
    private struct SilentSocket: ClientSocket {
        private let stream = AsyncStream.makeStream(of: String.self)

        var closeCode: UInt16? { nil }

        func next() async throws -> String? {
            for await text in stream.stream { return text }
            return nil
        }

        func send(_: String) async throws {}

        func close() async { stream.continuation.finish() }
    }

    private func app(
        _ server: Server = Server(), _ credentials: any CredentialStore = InMemoryCredentials()
    ) -> AppModel {
        AppModel { NexusServer($0, over: server, device: "d", folder: nil, credentials: credentials) }
    }

    private func wait(until isTrue: () -> Bool) async throws {
        while !isTrue() {
            try Task.checkCancellation()
            await shortPause()
        }
    }

    @Test func signsInShowsAConversationAndJumpsToASource() async throws {
        let credentials = InMemoryCredentials()
        let app = app(Server(), credentials)
        await app.resume(at: "s")
        let running = Task { await app.signIn(to: "s", user: "ada", password: "secret") }
        try await wait { if case .signedIn = app.phase { true } else { false } }
        guard case .signedIn(let workspace) = app.phase else { return }
        try await wait { workspace.list.rows.map(\.name) == ["Pier"] && workspace.connection.state == .live }
        let following = Task { await workspace.followTaps() }

        workspace.assistant.open(MessagePlace(conversationId: "pier", messageId: "m1"))
        try await wait { if case .conversation(let model) = workspace.screen { model.target == "m1" } else { false } }
        await workspace.openAssistant()
        guard case .assistant = workspace.screen else {
            Issue.record("the assistant is not on the screen")
            return
        }
        following.cancel()
        running.cancel()
        await running.value

        // Another start, without a password.
        let next = self.app(Server(), credentials)
        let resuming = Task { await next.resume(at: "s") }
        try await wait { if case .signedIn = next.phase { true } else { false } }
        guard case .signedIn(let resumed) = next.phase else { return }
        await resumed.signOut()
        await resuming.value
        #expect(credentials.credentials(for: "s") == nil)
        guard case .signedOut(nil) = app.phase else {
            Issue.record("still signed in")
            return
        }
    }

    @Test func saysWhyNobodyIsSignedIn() async {
        let refused = app(Server(isGood: false))
        let lost = AppModel { throw AddressError($0) }

        await refused.signIn(to: "s", user: "ada", password: "wrong")
        await lost.signIn(to: "", user: "ada", password: "secret")

        guard case .signedOut(let reason?) = refused.phase, case .signedOut(let other?) = lost.phase else {
            Issue.record("no reason")
            return
        }
        #expect(reason.key == "nexus.error.sign_in_failed" && other.key == "nexus.error.offline")
    }

    @Test func daysAreThoseOfTheReader() throws {
        func message(_ seq: Int64, _ time: String) throws -> ConversationEntry {
            .message(
                ChatMessage(
                    id: "m\(seq)", conversationId: "pier", senderId: "ben", senderName: "Ben", text: "",
                    timestamp: try Date(time, strategy: .iso8601), seq: seq))
        }
        let entries: [ConversationEntry] = [
            .gap(.earlier), try message(1, "2026-10-07T21:30:00Z"), try message(2, "2026-10-07T22:30:00Z"),
            .gap(.between(TimelinePosition(after: 2))), try message(3, "2026-10-09T08:00:00Z"),
        ]
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        #expect(DaySection.sections(of: entries, in: calendar).map(\.entries.count) == [1, 3, 1])
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let sections = DaySection.sections(of: entries, in: calendar)

        #expect(sections.map(\.entries.count) == [1, 1, 2, 1] && sections.flatMap(\.entries) == entries)
        #expect(sections[0].day == nil)
    }

    @Test func citedSourcesComeFirst() {
        func source(_ id: String, _ number: Int?) -> ChatAnswer.Source {
            ChatAnswer.Source(
                conversationId: "pier", conversationName: "Pier", messageId: id, excerpt: "x", senderName: "Ben",
                number: number)
        }

        let cards = SourceCard.cards(of: [source("a", nil), source("b", 2), source("c", 1)])

        #expect(cards.map(\.place.messageId) == ["c", "b", "a"] && cards[0].title == "Ben · Pier")
    }
}
