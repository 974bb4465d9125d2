import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

// What every connector promises of the files of messages.
extension ConnectorContract {
    static var files: [ConnectorContract] { arrivals + fileChanges + fileFaults + fileRights }

    private static var words: String { "The marigold is behind the pillar." }
    private static var pdf: SentFile { SentFile(name: "plan.pdf", content: Data("%PDF-1.7 invented".utf8)) }

    /// A room with a file that a person sent.
    @discardableResult
    private static func send(
        _ file: SentFile = SentFile(), isLive: Bool = true, in world: World
    ) async throws -> String {
        world.makeRoom()
        if isLive { try await world.connect() }
        let id = world.send(file, "see the plan", by: World.ada)
        if isLive { try await world.deliver() } else { try await world.connect() }
        return id
    }

    /// Nothing of files is left in any table.
    private static func expectNoFiles(_ world: World) async throws {
        for table in ["files", "remote_files"] {
            #expect(try await world.store.inspect("SELECT number FROM \(table)").isEmpty, "\(table)")
        }
        let attachments = try await world.store.inspect("SELECT attachments FROM messages")
        #expect(!attachments.contains { $0.contains("plan") || $0.contains("marigold") })
        let searched = try await world.store.inspect(
            "SELECT p.number FROM passages p JOIN messages m ON m.number = p.message WHERE m.deleted_at IS NOT NULL")
        #expect(searched.isEmpty)
    }

    // MARK: Arrival

    private static var arrivals: [ConnectorContract] {
        [true, false].map { isLive in
            let place = isLive ? "live" : "in history"
            return ConnectorContract("a file comes after its message \(place), and is no edit of it") { world in
                try await send(isLive: isLive, in: world)
                let before = try #require(try await world.messages(for: World.ada)?.first)
                #expect(before.attachments.map(\.name) == ["plan.txt"])
                #expect(before.attachments[0].reading == FileReading(.waiting) && before.attachments[0].id == nil)

                #expect(try await world.fetchFiles() == nil)

                let after = try #require(try await world.messages(for: World.ada)?.first)
                let file = try #require(after.attachments.first)
                let id = try #require(file.id)
                #expect(try await world.bytes(of: id, for: World.bob) == SentFile().content)
                #expect(file.content == words && file.reading == nil && file.type == "text/plain")
                #expect(file.byteCount == SentFile().content.count)
                #expect(after.editedAt == nil && !after.differs(from: before))
                #expect(after.searchableText.contains("plan.txt") && after.searchableText.contains("marigold"))
                // The file counts for its sender.
                let use = try await world.store.fileUse(of: World.user(World.ada))
                #expect(use == FileUse(count: 1, byteCount: SentFile().content.count))
                #expect(try await world.store.inspect("SELECT number FROM remote_files").isEmpty)
                // Nothing is fetched twice.
                let count = world.fileRequestCount
                try await world.compare()
                try await world.fetchFiles()
                #expect(world.fileRequestCount == count)
                #expect(try await world.files(for: World.ada).map(\.id) == [id])
            }
        } + [
            ConnectorContract("the words of a document are waited for as those of any other") { world in
                try await send(pdf, in: world)
                #expect(try await world.store.beginDocument() == nil)
                try await world.fetchFiles()
                let file = try #require(try await world.files(for: World.ada).first)
                #expect(file.reading == FileReading(.waiting) && file.type == "application/pdf")
                let id = try #require(file.id)
                #expect(try await world.store.beginDocument()?.id == id)
                _ = try await world.store.endDocument(
                    id, reading: FileReading(.read, unit: .page), content: "one\n\u{0C}\(words)",
                    at: world.clock.now())
                let message = try #require(try await world.messages(for: World.ada)?.first)
                let start = message.searchableText.utf8.count - words.utf8.count
                let place = message.filePart(at: start..<start + 8)?.place
                #expect(place == FilePlace(fileID: id, name: "plan.pdf", unit: .page, number: 2))
                // Another state of the same message keeps them.
                world.replaceFile(of: message.key.messageID.rawValue, with: pdf, "look here", by: World.ada)
                world.react(to: message.key.messageID.rawValue, by: World.bob)
                try await world.deliver()
                #expect(try await world.messages(for: World.ada)?.first?.editedAt != nil)
            },
            ConnectorContract("fetching continues after a kill, the latest message first") { world in
                world.makeRoom()
                try await world.connect()
                for name in ["a.txt", "b.txt", "c.txt"] { _ = world.send(SentFile(name: name), "", by: World.ada) }
                try await world.deliver()
                world.failFile(.breaks)
                #expect(try await world.fetchFiles() != nil)
                var files = try await world.files(for: World.ada)
                #expect(files.map { $0.id == nil } == [true, true, true])
                #expect(files[2].reading == FileReading(.waiting, problem: .sourceAway))
                try world.restart()
                try await world.compare()
                try await world.fetchFiles()
                files = try await world.files(for: World.ada)
                #expect(files.allSatisfy { $0.id != nil })
                #expect(try await world.store.inspect("SELECT id FROM files").count == 3)
            },
        ]
    }

    // MARK: Changes in the source

    private static var fileChanges: [ConnectorContract] {
        [
            ConnectorContract("another file takes the place of one that was replaced") { world in
                let id = try await send(in: world)
                try await world.fetchFiles()
                let old = try #require(try await world.files(for: World.ada).first?.id)
                let other = SentFile(name: "new.txt", content: Data("The rose is on the roof.".utf8))
                world.replaceFile(of: id, with: other, "see the new one", by: World.ada)
                try await world.deliver()
                // At once, before the new one is here.
                await #expect(throws: FileError.noSuchFile(old)) { try await world.bytes(of: old, for: World.ada) }
                #expect(try await world.messages(for: World.ada)?.first?.searchableText.contains("marigold") == false)
                try await world.fetchFiles()
                let message = try #require(try await world.messages(for: World.ada)?.first)
                #expect(message.searchableText.contains("rose") && message.attachments.map(\.name) == ["new.txt"])
                #expect(try await world.store.inspect("SELECT name FROM files") == ["new.txt"])
            },
            ConnectorContract("a deletion reaches the file and its words") { world in
                let id = try await send(in: world)
                try await world.fetchFiles()
                let file = try #require(try await world.files(for: World.ada).first?.id)
                world.delete(id, by: World.ada)
                try await world.deliver()
                await #expect(throws: FileError.noSuchFile(file)) { try await world.bytes(of: file, for: World.ada) }
                try await expectNoFiles(world)
            },
            ConnectorContract("a file whose message was deleted meanwhile is not stored") { world in
                let id = try await send(in: world)
                let (waiting, _) = try await world.store.nextRemoteFile(
                    of: World.source, in: [World.room], at: world.clock.now() + .seconds(1))
                let file = try #require(waiting)
                world.delete(id, by: World.ada)
                try await world.deliver()
                let content = AsyncStream<[UInt8]> { stream in
                    stream.yield(Array(words.utf8))
                    stream.finish()
                }
                let isStored = try await world.store.store(
                    file, of: World.source, as: "late", content: content, limits: FileLimits(), at: world.clock.now())
                #expect(!isStored)
                try await world.fetchFiles()
                #expect(world.fileRequestCount == 0)
                try await expectNoFiles(world)
            },
            ConnectorContract("an erasure leaves nothing of files") { world in
                world.makeRoom()
                for isFetched in [true, false] {
                    _ = world.send(SentFile(name: "plan \(isFetched).txt"), "see the plan", by: World.ada)
                }
                try await world.connect()
                world.failFile(.status(502))
                try await world.fetchFiles()
                try await world.fetchFiles()
                #expect(try await world.store.inspect("SELECT id FROM files").count == 1)
                #expect(try await world.store.inspect("SELECT number FROM remote_files").count == 1)
                _ = try await world.store.erase(.user(World.user(World.ada)), at: world.clock.now())
                try await expectNoFiles(world)
                world.clock.advance(by: .seconds(86_400))
                try await world.fetchFiles()
                try await expectNoFiles(world)
            },
        ]
    }

    // MARK: Files that cannot be fetched

    private static func reading(_ world: World) async throws -> FileReading? {
        try await world.files(for: World.ada).first?.reading
    }

    private static var fileFaults: [ConnectorContract] {
        [
            ConnectorContract("a file that the source lost is said to be gone") { world in
                try await send(in: world)
                world.loseFile("plan.txt")
                #expect(try await world.fetchFiles() == nil)
                #expect(try await reading(world) == FileReading(.notFetched, problem: .gone))
                let line = try await world.connected.report()[1]
                #expect(line.hasSuffix("1 file not fetched (gone 1)"), "\(line)")
                let count = world.fileRequestCount
                world.clock.advance(by: .seconds(86_400 * 2))
                try await world.fetchFiles()
                #expect(world.fileRequestCount == count)
                #expect(try await world.texts(for: World.ada)?.count == 1)
            },
            ConnectorContract("a file that is too large is not fetched, also if the source says otherwise") { world in
                let limits = FileLimits(fileBytes: 100)
                let large = Data(repeating: 0x61, count: 101)
                try await send(SentFile(content: large), in: world)
                try await world.fetchFiles(limits)
                #expect(world.fileRequestCount == 0)
                #expect(try await reading(world) == FileReading(.notFetched, problem: .fileTooLarge))
                _ = world.send(SentFile(name: "liar.txt", content: large, claimedByteCount: 3), "", by: World.ada)
                _ = world.send(SentFile(name: "small.txt"), "", by: World.ada)
                try await world.deliver()
                #expect(try await world.fetchFiles(limits) == nil)
                let files = try await world.files(for: World.ada)
                #expect(files[1].reading == FileReading(.notFetched, problem: .fileTooLarge))
                #expect(files[2].id != nil)
                #expect(try await world.store.inspect("SELECT name FROM files") == ["small.txt"])
            },
            ConnectorContract("a source that fails is asked again later, and blocks no message") { world in
                try await send(in: world)
                for fault in [FileFault.status(502), .breaks, .status(500)] {
                    world.failFile(fault)
                    let pause = try await world.fetchFiles()
                    #expect(pause.map { $0 >= .seconds(1) } == true)
                    #expect(try await reading(world) == FileReading(.waiting, problem: .sourceAway))
                    world.clock.advance(by: .seconds(3_600))
                }
                world.say("meanwhile", by: World.bob)
                try await world.deliver()
                #expect(try await world.texts(for: World.ada)?.last == "meanwhile")
                let line = try await world.connected.report()[1]
                #expect(line.hasSuffix("1 file to fetch (source_away 1)"), "\(line)")
                #expect(try await world.fetchFiles() == nil)
                #expect(try await world.files(for: World.ada).first?.content == words)
            },
            ConnectorContract("a refused file is asked for a few times") { world in
                try await send(in: world)
                for _ in 0..<20 {
                    world.failFile(.status(403))
                    try await world.fetchFiles()
                    world.clock.advance(by: .seconds(86_400))
                }
                #expect(world.fileRequestCount == 8)
                #expect(try await reading(world) == FileReading(.notFetched, problem: .refused))
            },
            ConnectorContract("a limit on files is a wait with a time") { world in
                try await send(in: world)
                world.failFile(.limited(seconds: 90))
                let pause = try #require(try await world.fetchFiles())
                #expect(pause > .seconds(80) && pause <= .seconds(90))
                #expect(try await world.connected.report()[0].contains("waiting until"))
                #expect(try await reading(world) == FileReading(.waiting))
                world.clock.advance(by: pause)
                #expect(try await world.fetchFiles() == nil)
                #expect(try await world.files(for: World.ada).first?.id != nil)
            },
            ConnectorContract("a file for which its sender has no room waits until there is some") { world in
                let limits = FileLimits(fileBytes: 40, personBytes: 50)
                let first = try await send(in: world)
                try await world.fetchFiles(limits)
                _ = world.send(SentFile(name: "second.txt"), "", by: World.ada)
                _ = world.send(SentFile(name: "bobs.txt"), "", by: World.bob)
                try await world.deliver()
                #expect(try await world.fetchFiles(limits) != nil)
                var files = try await world.files(for: World.ada)
                #expect(files[1].reading == FileReading(.waiting, problem: .noRoom))
                #expect(files[2].id != nil)
                world.delete(first, by: World.ada)
                try await world.deliver()
                world.clock.advance(by: .seconds(3_600))
                try await world.fetchFiles(limits)
                files = try await world.files(for: World.ada)
                #expect(files.map(\.name) == ["second.txt", "bobs.txt"] && files.allSatisfy { $0.id != nil })
            },
        ]
    }

    // MARK: Rights

    private static var fileRights: [ConnectorContract] {
        [
            ConnectorContract("who leaves the room gets no file of it, and no word") { world in
                try await send(in: world)
                try await world.fetchFiles()
                let id = try #require(try await world.files(for: World.bob).first?.id)
                #expect(try await world.bytes(of: id, for: World.bob) == SentFile().content)
                await #expect(throws: FileError.noSuchFile(id)) { try await world.bytes(of: id, for: World.eve) }
                world.leave(World.bob)
                try await world.deliver()
                await #expect(throws: FileError.noSuchFile(id)) { try await world.bytes(of: id, for: World.bob) }
                #expect(try await world.files(for: World.bob).isEmpty)
                #expect(try await world.bytes(of: id, for: World.ada) == SentFile().content)
            },
            ConnectorContract("nothing is fetched of a room that Nexus left, until it comes back") { world in
                try await send(in: world)
                world.removeNexus()
                try await world.deliver()
                try await world.compare()
                #expect(try await world.fetchFiles() == nil)
                #expect(world.fileRequestCount == 0)
                #expect(try await world.files(for: World.ada).isEmpty)
                try await world.connect()
                try await world.compare()
                try await world.fetchFiles()
                #expect(try await world.files(for: World.ada).first?.content == words)
            },
        ]
    }
}
