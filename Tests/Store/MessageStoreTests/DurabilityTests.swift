import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

@Suite struct DurabilityTests {
    /// Does one of everything; returns the generation.
    private func fill(_ store: SQLStore) async throws -> GenerationNumber {
        _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        let old = try await store.beginGeneration(.tiny(), baseURL: nil, refilling: false, at: .second(0)).number
        let messages =
            [Message.complete("c", "full", by: "ada")]
            + (0..<9).map { Message.short("c", MessageID(rawValue: "m\($0)"), at: $0) }
        _ = try await store.accept(messages, source: "api", mode: .posting, at: .second(1))
        let items = try await store.claim(6, for: old, until: .second(60), at: .second(2))
        _ = try await store.commit(items.prefix(3).map { .of($0, passages: 2) }, at: .second(3))
        try await store.park(
            [
                ParkedItem(item: items[3], errorCode: "rejected", retryAt: nil),
                ParkedItem(item: items[4], errorCode: "busy", retryAt: .second(50)),
            ], at: .second(3))
        _ = try await store.edit(.of("c", "m8"), text: "edited", at: .second(4))
        try await store.delete(.of("c", "m0"), at: .second(5))
        try await store.setMember(
            Member(userID: "eve", displayName: "Eve", joinedAt: .second(5)), in: "c", source: "api", at: .second(5))
        try await store.removeMember("bob", from: "c", at: .second(6))
        try await store.record(
            Turn(
                id: "t", askerID: "ada", question: "q", answer: "a", sourceKeys: [.of("c", "m1")],
                askedAt: .second(7)))
        _ = try await store.beginGeneration(.tiny("next"), baseURL: "http://x", refilling: false, at: .second(8))
        return old
    }

    @Test func everythingIsThereAfterReopening() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            let before = try await Picture(of: store)
            await store.close()

            let again = try await folder.open()
            let after = try await Picture(of: again)
            await again.close()

            #expect(after == before)
        }
    }

    @Test func everythingAcknowledgedIsThereAfterACrash() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            let before = try await Picture(of: store)

            let copy = try folder.copied()
            defer { copy.remove() }
            let survivor = try await copy.open()
            let after = try await Picture(of: survivor)
            #expect(try await survivor.checkIntegrity().isSound)
            await survivor.close()

            #expect(after == before)
            #expect(try Data(contentsOf: folder.url.appending(path: "nexus.sqlite-wal")).isEmpty == false)
        }
    }

    @Test func theWorkOfADeadProcessIsTakenUpAgain() async throws {
        try await DataFolder.with { folder, store in
            let generation = try await fill(store)
            let waiting = try await store.claim(99, for: generation, until: .second(999), at: .second(10))
            let copy = try folder.copied()
            defer { copy.remove() }
            let survivor = try await copy.open()

            #expect(try await survivor.claim(99, for: generation, until: .second(999), at: .second(10)).isEmpty)
            try await survivor.releaseAllLeases()
            let again = try await survivor.claim(99, for: generation, until: .second(999), at: .second(10))

            #expect(again.count == waiting.count + 1)
            await survivor.close()
        }
    }

    @Test func aDeletedTextLiesInNoFile() async throws {
        try await DataFolder.with { folder, store in
            let secret = "xyzzy-plugh-4711"
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let generation = try await store.beginGeneration(
                .tiny(), baseURL: nil, refilling: false, at: .second(0)
            ).number
            var message = Message.short("c", "m", secret)
            message.attachments = [Message.Attachment(name: "\(secret).png", caption: secret)]
            message.extra = #"{"note":"\#(secret)"}"#
            _ = try await store.accept([message], source: "api", mode: .posting, at: .second(0))
            let items = try await store.claim(9, for: generation, until: .second(9), at: .second(0))
            _ = try await store.commit(items.map { .of($0) }, at: .second(1))
            try await store.record(
                Turn(
                    id: "t", askerID: "ada", question: secret, answer: secret, sourceKeys: [message.key],
                    askedAt: .second(2)))
            try await store.checkpoint()
            #expect(try folder.holds(secret))

            try await store.delete(message.key, at: .second(3))
            try await store.checkpoint()

            #expect(try folder.holds(secret) == false)
            #expect(try await store.inspect("SELECT COUNT(*) FROM vectors") == ["0"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM passages") == ["0"])
        }
    }

    /// As after a day of serving: connections that read are open.
    @Test func deletingTakesATextOutOfTheLogAndClosingAnEditedOne() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            _ = try await store.accept(
                [.short("c", "x", "an unmistakable sentence")], source: "api", mode: .posting, at: .second(9))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await store.latestChange() } }
                try await group.waitForAll()
            }
            try await store.delete(.of("c", "x"), at: .second(10))
            #expect(try !folder.holds("an unmistakable sentence"))

            _ = try await store.accept(
                [.short("c", "y", "another sentence")], source: "api", mode: .posting, at: .second(11))
            _ = try await store.edit(.of("c", "y"), text: "other words", at: .second(12))
            #expect(try folder.holds("another sentence"))
            await store.close()

            #expect(try !folder.holds("another sentence"))
        }
    }

    @Test func aReplacedTextLiesInNoFileEither() async throws {
        try await DataFolder.with { folder, store in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let texts = ["xyzzy-one-4711", "xyzzy-two-4711"]
            _ = try await store.accept([.short("c", "m", texts[0])], source: "api", mode: .posting, at: .second(0))
            try await store.checkpoint()

            _ = try await store.edit(.of("c", "m"), text: texts[1], at: .second(1))
            try await store.checkpoint()

            #expect(try folder.holds(texts[0]) == false)
            #expect(try folder.holds(texts[1]))
        }
    }

    @Test func whatWasClosedLiesInOneFile() async throws {
        try await DataFolder.with { folder, store in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.accept([.short("c", "m")], source: "api", mode: .posting, at: .second(0))
            _ = try await store.identities()
            await store.close()

            let log = folder.url.appending(path: "nexus.sqlite-wal").path
            let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
            #expect(size == 0)
        }
    }

    @Test func numbersAreNeverGivenTwice() async throws {
        try await DataFolder.with { folder, store in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let generation = try await store.beginGeneration(
                .tiny(), baseURL: nil, refilling: false, at: .second(0)
            ).number
            _ = try await store.accept([.short("c", "m")], source: "api", mode: .posting, at: .second(0))
            func embed(_ store: SQLStore) async throws -> Int64? {
                let items = try await store.claim(9, for: generation, until: .second(9), at: .second(0))
                _ = try await store.commit(items.map { .of($0) }, at: .second(1))
                return try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)
                    .first?.number.rawValue
            }
            #expect(try await embed(store) == 1)
            _ = try await store.edit(.of("c", "m"), text: "other", at: .second(2))
            await store.close()

            let again = try await folder.open()
            #expect(try await embed(again) == 2)
            await again.close()
        }
    }
}
