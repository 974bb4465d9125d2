import ChatCore
import MessageStore
import PostgresTestSupport
import TestSupport
import Testing

/// Documents whose words are read after their message was stored, in PostgreSQL.
@Suite(.hangGuard) struct DocumentTests {
    @Test func theWordsComeFromTheDatabaseAndAreStoredWithTheMessage() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.storeFile(
                FileDraft(id: "f", ownerID: "ada", name: "plan.pdf", moment: .second(1)),
                content: AsyncStream { stream in
                    stream.yield(Array("%PDF-1.7 invented".utf8))
                    stream.finish()
                }, limits: FileLimits())
            var message = Message.short("c", "m", by: "ada", "the plan")
            message.attachments = [Message.Attachment(file: "f")]
            _ = try await store.accept([message], source: "api", mode: .posting, at: .second(2))

            #expect(try await store.beginDocument(besides: [.pdf, .png]) == nil)
            #expect(try await store.beginDocument() == WaitingDocument(id: "f", tries: 0))
            #expect(try await store.documentContent(of: "f")?.bytes(from: 0, count: 8) == Array("%PDF-1.7".utf8))
            #expect(try await store.endDocument("f", reading: FileReading(.read), content: "marigold", at: .second(9)))

            let stored = try #require(try await store.stored([.of("c", "m")])[.of("c", "m")])
            #expect(stored.searchableText.contains("marigold"))
            #expect(try await store.beginDocument() == nil)
        }
    }
}
