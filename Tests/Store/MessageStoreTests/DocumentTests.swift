import ChatCore
import Foundation
import MessageStore
import SQLiteStore
import TestSupport
import Testing

/// Documents whose words are read after their message was stored.
@Suite struct DocumentTests {
    private static let words = "Page one.\n\u{0C}The marigold is kept behind the third pillar."

    private func withDocument(_ body: (SQLStore) async throws -> Void) async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            try await upload("f", in: store)
            var message = Message.short("c", "m-f", by: "ada", "the plan")
            message.attachments = [Message.Attachment(file: "f")]
            _ = try await store.accept([message], source: "api", mode: .posting, at: .second(2))
            try await body(store)
        }
    }

    private func upload(
        _ id: FileID, named name: String = "plan.pdf", _ text: String = "%PDF-1.7 invented", in store: SQLStore
    ) async throws {
        _ = try await store.storeFile(
            FileDraft(id: id, ownerID: "ada", name: name, moment: .second(1)),
            content: AsyncStream { stream in
                stream.yield(Array(text.utf8))
                stream.finish()
            }, limits: FileLimits())
    }

    private func message(_ store: SQLStore) async throws -> Message {
        try #require(try await store.stored([.of("c", "m-f")])[.of("c", "m-f")])
    }

    @Test func aDocumentWaitsFromItsMessageOn() async throws {
        try await withDocument { store in
            try await upload("loose", in: store)

            #expect(try await message(store).attachments[0].reading == FileReading(.waiting))
            #expect(try await store.beginDocument(besides: [.pdf, .png]) == nil)
            #expect(try await store.beginDocument() == WaitingDocument(id: "f", tries: 0))
            #expect(try await store.beginDocument() == WaitingDocument(id: "f", tries: 1))
            try await store.releaseDocument("f")
            #expect(try await store.beginDocument() == WaitingDocument(id: "f", tries: 1))
        }
    }

    /// Markup and codes for the way are no words.
    @Test func theBytesOfAPageOrAMailAreNotSearched() async throws {
        try await withDocument { store in
            try await upload("page", named: "a.html", "<html><p class=marigold>crane", in: store)
            try await upload("mail", named: "a.eml", "From: a@b.example\nSubject: marigold\n\ncrane", in: store)
            var sent = Message.short("c", "m-g", by: "ada", "two files")
            sent.attachments = [Message.Attachment(file: "page"), Message.Attachment(file: "mail")]
            _ = try await store.accept([sent], source: "api", mode: .posting, at: .second(2))

            let before = try #require(try await store.stored([.of("c", "m-g")])[.of("c", "m-g")])
            #expect(before.attachments.map(\.reading) == [FileReading(.waiting), FileReading(.waiting)])
            #expect(!before.searchableText.contains("crane"))

            var reading = FileReading(.read, unit: .part)
            reading.labels = ["marigold", "On Monday Bob wrote"]
            _ = try await store.endDocument("mail", reading: reading, content: "new\n\u{0C}old crane", at: .second(9))
            let after = try #require(try await store.stored([.of("c", "m-g")])[.of("c", "m-g")])
            let text = after.searchableText
            let start = text.utf8.distance(from: text.startIndex, to: try #require(text.range(of: "old")).lowerBound)
            #expect(
                after.filePart(at: start..<start + 3)?.place
                    == FilePlace(
                        fileID: "mail", name: "a.eml", unit: .part, number: 2, label: "On Monday Bob wrote"))
        }
    }

    @Test func itsWordsAreSearchedWithItsMessage() async throws {
        try await withDocument { store in
            let before = try await store.latestChange()
            let shown = try await message(store).shownText

            #expect(
                try await store.endDocument(
                    "f", reading: FileReading(.read, unit: .page), content: Self.words, at: .second(9)))

            let stored = try await message(store)
            #expect(stored.searchableText.contains("marigold") && stored.shownText == shown)
            #expect(stored.editedAt == nil)
            let start = try #require(stored.searchableText.range(of: "marigold")).lowerBound
            let place = stored.searchableText.utf8.distance(from: stored.searchableText.startIndex, to: start)
            #expect(
                stored.filePart(at: place..<place + 8)?.place
                    == FilePlace(fileID: "f", name: "plan.pdf", unit: .page, number: 2))
            let page = try #require(stored.filePart(at: place..<place + 8)?.range)
            #expect(
                String(stored.searchableText.utf8.dropFirst(page.lowerBound).prefix(page.count))
                    == "The marigold is kept behind the third pillar.")
            #expect(stored.filePart(at: 0..<1) == nil)
            #expect(try await store.latestChange() != before)
            #expect(try await store.beginDocument() == nil)
        }
    }

    /// A reading is no edit: what was answered before stays, and says what it said.
    @Test func answersThatAreBasedOnTheMessageStay() async throws {
        try await withDocument { store in
            try await store.record(
                Turn(
                    id: "t", askerID: "bob", question: "where?", answer: "there [1]", sourceKeys: [.of("c", "m-f")],
                    askedAt: .second(5)))
            _ = try await store.endDocument("f", reading: FileReading(.read), content: Self.words, at: .second(9))
            #expect(try await store.turn("t", of: "bob").redaction == nil)

            _ = try await store.edit(.of("c", "m-f"), text: "other words", files: nil, at: .second(11))
            #expect(try await store.turn("t", of: "bob").redaction == .sourceEdited)
        }
    }

    @Test func allFilesOfAMessageShareTheRoomForText() async throws {
        try await withDocument { store in
            let long = String(repeating: "word ", count: Message.textByteLimit / 5 + 10)
            _ = try await store.endDocument("f", reading: FileReading(.read), content: long, at: .second(9))

            let stored = try await message(store)
            #expect(stored.searchableText.utf8.count <= Message.textByteLimit)
            #expect(stored.attachments[0].reading?.isCut == true)
        }
    }

    @Test func nothingIsStoredForAMessageThatIsGone() async throws {
        try await withDocument { store in
            _ = try await store.beginDocument()
            try await store.delete(.of("c", "m-f"), at: .second(8))

            #expect(
                try await store.endDocument("f", reading: FileReading(.read), content: Self.words, at: .second(9))
                    == false)
            #expect(try await message(store).searchableText == "")
            #expect(try await store.beginDocument() == nil)
        }
    }

    @Test func erasureLeavesNoWordOfIt() async throws {
        try await withDocument { store in
            _ = try await store.endDocument("f", reading: FileReading(.read), content: Self.words, at: .second(9))
            _ = try await store.erase(.user("ada"), at: .second(20))

            #expect(
                try await store.stored([.of("c", "m-f")])[.of("c", "m-f")]?.searchableText.contains("marigold") != true)
            #expect(try await store.fileUse(of: "ada") == FileUse())
        }
    }

    @Test func aStateWithoutWordsIsShown() async throws {
        try await withDocument { store in
            let failed = FileReading(.failed, problem: .damaged)
            _ = try await store.endDocument("f", reading: failed, content: nil, at: .second(9))
            #expect(try await message(store).attachments[0].reading == failed)
        }
    }
}
