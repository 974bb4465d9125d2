import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Retrieval
import ServerTestSupport
import Synchronization
import TestSupport
import Testing
import UseCases

/// What one person may cost the others.
@Suite(.hangGuard) struct RequestLimitTests {
    /// Holds those who wait until it is opened.
    private final class Latch: Sendable {
        private let isOpen = Mutex(false)

        func open() { isOpen.withLock { $0 = true } }

        func wait() async {
            while !isOpen.withLock({ $0 }) { await shortPause() }
        }
    }

    /// Searches that end when they are told to.
    private final class HeldSearching: MessageSearching {
        let begun: AsyncStream<Void>
        private let note: AsyncStream<Void>.Continuation
        private let isReleased = Mutex(false)

        init() {
            (begun, note) = AsyncStream.makeStream()
        }

        func release() { isReleased.withLock { $0 = true } }

        func search(_ request: SearchRequest) async throws -> SearchResult {
            note.yield()
            while !isReleased.withLock({ $0 }) { await shortPause() }
            return SearchResult(hits: [], mode: .denseOnly, generation: nil)
        }
    }

    /// An embedder that never answers, and reports when it is cancelled.
    private final class EndlessEmbedder: Embedder {
        let begun: AsyncStream<Void>
        let cancelled: AsyncStream<Void>
        private let noteBegin: AsyncStream<Void>.Continuation
        private let noteCancel: AsyncStream<Void>.Continuation
        private let base = FakeEmbedder()

        init() {
            (begun, noteBegin) = AsyncStream.makeStream()
            (cancelled, noteCancel) = AsyncStream.makeStream()
        }

        func space() async throws -> EmbeddingSpace { try await base.space() }
        func passageLimit() async throws -> PassageLimit { try await base.passageLimit() }

        func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
            noteBegin.yield()
            let (never, continuation) = AsyncStream<Void>.makeStream()
            for await _ in never {}
            withExtendedLifetime(continuation) {}
            noteCancel.yield()
            throw CancellationError()
        }
    }

    @Test(arguments: [
        ("/v1/search", #"{"query":"a"}"#, 429), ("/v1/timeline", #"{"subject":"a"}"#, 429),
        ("/ragSearch", #"{"data":{"query":"a"}}"#, 429),
        (
            "/mcp",
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_messages","arguments":{"query":"a"}}}"#,
            200
        ),
        (
            "/mcp",
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_conversations","arguments":{}}}"#,
            200
        ),
    ])
    func searchesOfOnePersonPassAGateAndOthersDoNotWait(path: String, body: String, status: Int) async throws {
        var parts = ServerParts()
        parts.searchLimits = SearchLimits(running: 2, perUser: 1, waitingPerUser: 0)
        let searching = HeldSearching()
        parts.real = (searching, parts.answering)

        try await withServer(parts) { server in
            async let first = server.send("POST", "/v1/search", #"{"query":"a"}"#)
            var begun = searching.begun.makeAsyncIterator()
            _ = await begun.next()

            let second = try await server.send("POST", path, body)
            async let other = server.send("POST", "/v1/search", #"{"query":"a","userId":"ben"}"#)
            _ = await begun.next()
            searching.release()

            #expect(second.status == status)
            #expect(second.text.contains("too_many_searches") || second.text.contains("too many searches"))
            #expect(try await statuses(first, other) == [200, 200])
        }
    }

    /// Lists of everything have a gate of their own, through every door: one runs at a time, and 64 wait.
    @Test func listsOfOnePersonPassAGateAndOthersDoNotWait() async throws {
        let useCases = try ServerParts().services(store: InMemoryStore()) { _ in }.useCases
        let latch = Latch()
        try await withThrowingTaskGroup { group in
            for _ in 0..<65 { group.addTask { try await useCases.lists.withPlace(for: "ada") { await latch.wait() } } }
            while useCases.lists.counts != (1, 64, 1) { await shortPause() }

            for kind in ExtractedItem.Kind.allCases {
                await #expect(throws: LimitError.tooManySearches) {
                    _ = try await useCases.items(of: kind, asker: "ada")
                }
                _ = try await useCases.items(of: kind, asker: "ben")
            }
            await #expect(throws: LimitError.tooManySearches) { _ = try await useCases.inbox(of: "ada") }
            latch.open()
            try await group.waitForAll()
        }
        #expect(useCases.lists.counts == (0, 0, 0))
    }

    /// Large batches of a person follow each other, so that the writer serves others between two of its portions.
    @Test func largeBatchesOfOnePersonFollowEachOther() async throws {
        let useCases = try ServerParts().services(store: InMemoryStore()) { _ in }.useCases
        let latch = Latch()
        func post(_ count: Int, by writer: Writer) async throws {
            let drafts = (0..<count).map { number in
                MessageDraft(.sample("nowhere", MessageID(rawValue: "m\(number)"), by: "ada", "hello"))
            }
            _ = try await useCases.post(drafts, by: writer)
        }
        let unknown = RepositoryError.noSuchConversation("nowhere")
        try await withThrowingTaskGroup { group in
            for _ in 0..<17 {
                group.addTask { try await useCases.largePosts.withPlace(for: "ada") { await latch.wait() } }
            }
            while useCases.largePosts.counts != (1, 16, 1) { await shortPause() }

            let ada = Writer.person(IdentifiedPerson(id: "ada"))
            await #expect(throws: LimitError.tooManySearches) { try await post(11, by: ada) }
            await #expect(throws: unknown) { try await post(10, by: ada) }
            await #expect(throws: unknown) { try await post(11, by: .server(defaultUser: "ada")) }
            latch.open()
            try await group.waitForAll()
        }
        #expect(useCases.largePosts.counts == (0, 0, 0))
    }

    @Test func anEmbeddingEndsWhenItsClientLeaves() async throws {
        let embedder = EndlessEmbedder()
        var parts = ServerParts()
        parts.otherEmbedder = embedder

        try await withServer(parts) { server in
            let body = #"{"model":"fake","input":["a","b"]}"#
            var connection: RawConnection? = try RawConnection(port: server.port)
            connection?.send(
                "POST /v1/embeddings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            var begun = embedder.begun.makeAsyncIterator()
            _ = await begun.next()
            connection = nil
            var cancelled = embedder.cancelled.makeAsyncIterator()
            #expect(await cancelled.next() != nil)
        }
        withExtendedLifetime(embedder) {}
    }

    @Test func embeddingsCountAmongTheTokensOfTheDay() async throws {
        var parts = ServerParts()
        parts.tokensPerDay = 1_000
        let text = String(repeating: "berth ", count: 300)
        let body = #"{"model":"fake","input":"\#(text)"}"#

        let replies = try await withServer(parts) { server in
            (
                try await server.send("POST", "/v1/embeddings", body),
                try await server.send("POST", "/v1/embeddings", body),
                try await server.send("POST", "/v1/embeddings", body),
                try await server.send("POST", "/v1/embeddings", body)
            )
        }

        #expect(replies.0.status == 200)
        #expect(replies.3.status == 429)
        #expect(replies.3.text.contains("daily_tokens_used_up"))
    }

    @Test func messagesAreBoundedInEveryPart() async throws {
        let tower = "a" + String(repeating: "\u{301}", count: 600)
        let people = (0..<1_001).map { #""u\#($0)""# }.joined(separator: ",")
        let nested = String(repeating: #"{"a":"#, count: 30) + "1" + String(repeating: "}", count: 30)
        let filler = String(repeating: "x", count: 70_000)
        let caption = String(repeating: "c", count: Message.textByteLimit)
        let cases = [
            (#"{"text":"a","senderName":"\#(tower)"}"#, "senderName must have at most 1024 bytes"),
            (#"{"text":"a","attachments":[{"name":"\#(tower)"}]}"#, "attachments[0].name must have at most 1024 bytes"),
            (
                #"{"text":"a","reactions":[{"emoji":"x","userIds":[\#(people)]}]}"#,
                "reactions[0].userIds must have at most 1000 items"
            ),
            (#"{"text":"a","extra":{"k":"\#(filler)"}}"#, "extra must have at most 65536 bytes"),
            (#"{"text":"a","extra":{"\#(filler)":\#(nested)}}"#, "extra must have at most 65536 bytes"),
            (
                #"{"text":"a","attachments":[{"name":"a","caption":"\#(caption)"}]}"#,
                "attachments captions and text must have at most 262144 bytes together"
            ),
        ]

        let replies = try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
            var replies: [Reply] = []
            for (body, _) in cases {
                replies.append(try await server.send("POST", "/v1/conversations/team/messages", body))
            }
            return replies
        }

        for (reply, (_, detail)) in zip(replies, cases) {
            #expect(reply.status == 400)
            #expect(reply.field("detail") == detail)
        }
    }

    @Test func questionsAndNamesAreBoundedInBytes() async throws {
        let tower = "a" + String(repeating: "\u{301}", count: 20_000)
        let replies = try await withServer { server in
            (
                try await server.send("POST", "/v1/search", #"{"query":"\#(tower)"}"#),
                try await server.send("POST", "/v1/ask", #"{"question":"\#(tower)"}"#),
                try await server.send(
                    "POST", "/v1/conversations", #"{"name":"\#(tower)","members":[{"userId":"ada"}]}"#),
                try await server.send("POST", "/v1/threads", #"{"title":"\#(tower)"}"#)
            )
        }

        #expect(statuses(replies.0, replies.1, replies.2, replies.3) == [400, 400, 400, 400])
        #expect(replies.0.field("detail") == "query must have at most 32000 bytes")
        #expect(replies.3.field("detail") == "title must have at most 800 bytes")
    }
}
