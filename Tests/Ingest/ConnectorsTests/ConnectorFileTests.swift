import ChatCore
import Connectors
import Foundation
import MessageStore
import TestSupport
import Testing

/// What is special of files in Matrix.
@Suite(.hangGuard) struct MatrixFileTests {
    private typealias World = MatrixWorld

    private func post(_ world: MatrixWorld, _ content: [String: JSONValue], type: String = "m.room.message") {
        world.home.add(World.room, type, by: World.ada, content)
    }

    @Test func anEncryptedFileIsNotReadAndSaid() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let uri = world.home.upload("x", Data("secret bytes".utf8))
            let key: JSONValue = .object(["url": .string(uri), "iv": .string("x"), "v": .string("v2")])
            post(world, ["msgtype": .string("m.file"), "body": .string("plan.pdf"), "file": key])
            try await world.deliver()
            try await world.fetchFiles()

            let file = try #require(try await world.files(for: World.ada).first)
            #expect(file.name == "plan.pdf" && file.id == nil)
            #expect(file.reading == FileReading(.notFetched, problem: .encrypted))
            #expect(world.fileRequestCount == 0)
            #expect(try await world.connector.report()[1].hasSuffix("1 file not fetched (encrypted 1)"))
        }
    }

    /// Before version 1.11 of the specification files were at another path, and needed no token.
    @Test func anOlderHomeserverGivesItsFiles() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            world.home.forgetMediaAuthentication()
            _ = world.send(SentFile(), "see the plan", by: World.ada)
            try await world.deliver()
            try await world.fetchFiles()

            #expect(try await world.files(for: World.ada).first?.content == "The marigold is behind the pillar.")
            #expect(world.fileRequestCount == 2)
        }
    }

    @Test func picturesAndSoundAreFetchedWithTheirCaptionsButStickersAreNot() async throws {
        try await World.with { world in
            world.makeRoom()
            let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 0, count: 40))
            for (type, body, name) in [
                ("m.image", "the board", "board.png"), ("m.audio", "note.ogg", "note.ogg"),
                ("m.video", "clip.mp4", nil),
            ] {
                var content: [String: JSONValue] = [
                    "msgtype": .string(type), "body": .string(body),
                    "url": .string(world.home.upload(body, png + Data(body.utf8))),
                ]
                if let name { content["filename"] = .string(name) }
                post(world, content)
            }
            post(
                world, ["body": .string("wave"), "url": .string(world.home.upload("s", png))], type: "m.sticker")
            try await world.connect()
            try await world.fetchFiles()

            let files = try await world.files(for: World.ada)
            #expect(files.map(\.name) == ["board.png", "note.ogg", "clip.mp4", "wave"])
            #expect(files.map(\.caption) == ["the board", nil, nil, nil])
            #expect(files.map { $0.id != nil } == [true, true, true, false])
            #expect(files[0].type == "image/png")
            #expect(world.fileRequestCount == 3)
        }
    }

    @Test func aNewCaptionKeepsTheFile() async throws {
        try await World.with { world in
            world.makeRoom()
            let uri = JSONValue.string(world.home.upload("plan.txt", SentFile().content))
            let content: [String: JSONValue] = [
                "msgtype": .string("m.file"), "body": .string("the paln"), "filename": .string("plan.txt"), "url": uri,
            ]
            let id = world.home.add(World.room, "m.room.message", by: World.ada, content)
            try await world.connect()
            try await world.fetchFiles()
            let before = try #require(try await world.files(for: World.ada).first)
            world.clock.advance(by: .seconds(1))
            let new = content.merging(["body": .string("the plan")]) { $1 }
            let relation: JSONValue = .object(["rel_type": .string("m.replace"), "event_id": .string(id)])
            post(world, new.merging(["m.new_content": .object(new), "m.relates_to": relation]) { $1 })
            try await world.deliver()

            let after = try #require(try await world.files(for: World.ada).first)
            #expect(before.caption == "the paln" && after.caption == "the plan")
            #expect(after.id == before.id && after.content == before.content)
            try await world.fetchFiles()
            #expect(world.fileRequestCount == 1)
        }
    }

    @Test(arguments: [
        "mxc://home.test/../../v3/account/whoami", "mxc://home.test/..", "mxc://../media1", "mxc://home.test/a?b=c",
        "mxc://home.test/media1/x", "mxc://home.test/", "mxc:///media1", "https://home.test/media1",
        "mxc://home.test/%2e",
    ])
    func anAddressThatLeadsElsewhereIsNoFile(_ uri: String) async throws {
        try await World.with { world in
            world.makeRoom()
            post(world, ["msgtype": .string("m.file"), "body": .string("plan.txt"), "url": .string(uri)])
            try await world.connect()
            try await world.fetchFiles()

            let file = try #require(try await world.files(for: World.ada).first)
            #expect(file.name == "plan.txt" && file.remoteID == nil && file.reading == nil)
            #expect(world.fileRequestCount == 0)
        }
    }
}

/// What is special of files in Mattermost.
@Suite(.hangGuard) struct MattermostFileTests {
    private typealias World = MattermostWorld

    private func upload(_ world: MattermostWorld, _ names: String...) -> [String] {
        names.map { world.home.upload(SentFile(name: $0, content: Data("words of \($0)".utf8))) }
    }

    @Test func allFilesOfAPostAreFetchedAndAnEditMayRemoveSome() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            let files = upload(world, "a.txt", "b.txt", "c.txt")
            let id = world.home.say("three", by: World.ada, in: World.room, files: files)
            try await world.deliver()
            try await world.fetchFiles()
            let words = ["a", "b", "c"].map { "words of \($0).txt" }
            #expect(try await world.files(for: World.bob).map(\.content) == words)
            let kept = try await world.files(for: World.bob).compactMap(\.id)

            world.home.edit(id, "two and another", files: [files[0], files[2]] + upload(world, "d.txt"))
            try await world.deliver()
            try await world.fetchFiles()

            let after = try await world.files(for: World.bob)
            #expect(after.map(\.name) == ["a.txt", "c.txt", "d.txt"])
            #expect(after.compactMap(\.id).prefix(2) == [kept[0], kept[2]])
            #expect(try await world.store.inspect("SELECT id FROM files").count == 3)
            #expect(world.fileRequestCount == 4)
        }
    }

    @Test func aPostThatDoesNotDescribeItsFilesGetsTheirNamesLater() async throws {
        try await World.with { world in
            world.makeRoom()
            try await world.connect()
            world.home.stopDescribingFiles()
            world.home.say("see", by: World.ada, in: World.room, files: upload(world, "plan.txt"))
            try await world.deliver()
            #expect(try await world.files(for: World.bob).map(\.name) == ["file"])
            try await world.fetchFiles()
            #expect(try await world.files(for: World.bob).map(\.name) == ["plan.txt"])

            // Read again, still without a name: the known one stays.
            try await world.compare()
            #expect(try await world.files(for: World.bob).map(\.name) == ["plan.txt"])
        }
    }

    @Test func ofMoreFilesThanAMessageMayHaveTheRestIsNamed() async throws {
        try await World.with { world in
            world.makeRoom()
            let files = (1...12).flatMap { upload(world, "\($0).txt") }
            world.home.say("many", by: World.ada, in: World.room, files: files)
            try await world.connect()
            try await world.fetchFiles()

            let found = try await world.files(for: World.ada)
            #expect(found.map(\.name) == (1...12).map { "\($0).txt" })
            #expect(found.map { $0.id != nil } == Array(repeating: true, count: 10) + [false, false])
        }
    }
}
