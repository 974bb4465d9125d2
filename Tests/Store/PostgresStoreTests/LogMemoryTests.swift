import Foundation
import MessageStore
import PostgresStore
import Testing

struct LogMemoryTests {
    private let server = PostgresOrigin(system: 7, timeline: 2)

    private func state(
        epoch: Int64 = 5, at number: Int64 = 20, knowsEnd: Bool = false, differs: Bool = false
    ) -> LogMemory.State {
        LogMemory.State(
            epoch: epoch, end: LogMemory.Mark(number: number, mark: 3), knowsEnd: knowsEnd, differs: differs,
            timeline: 2)
    }

    @Test func aLogThatWentBackIsAnotherOne() {
        var memory = LogMemory()
        #expect(!memory.isLost(in: state(), at: server))
        memory.remember(state(), of: server)

        #expect(!memory.isLost(in: state(), at: server))
        #expect(!memory.isLost(in: state(at: 21), at: server))
        #expect(memory.isLost(in: state(at: 19), at: server))
        #expect(memory.isLost(in: state(at: 21, differs: true), at: server))
        // Another node has begun an epoch, or the log is a copy from before there was this one.
        #expect(!memory.isLost(in: state(epoch: 6, knowsEnd: true), at: server))
        #expect(memory.isLost(in: state(epoch: 6), at: server))
        // A lower timeline that the operator accepts is another log; a higher one and another cluster have other epochs.
        #expect(memory.isLost(in: state(at: 21), at: PostgresOrigin(system: 7, timeline: 1)))
        #expect(!memory.isLost(in: state(at: 1), at: PostgresOrigin(system: 7, timeline: 3)))
        #expect(!memory.isLost(in: state(at: 1), at: PostgresOrigin(system: 8, timeline: 2)))
    }

    @Test func severalMarksAreKeptAndOlderOnesChangeNothing() {
        var memory = LogMemory()
        for number in 1...9 { memory.remember(state(at: Int64(number)), of: server) }
        memory.remember(state(at: 4), of: server)
        memory.remember(LogMemory.Mark(number: 30, mark: 1), of: PostgresOrigin(system: 8, timeline: 2))

        #expect(memory.marks.map(\.number) == [9, 8, 7, 6])
    }

    @Test func theHighestTimelineOfEachClusterIsKept() {
        var memory = LogMemory()
        for (system, timeline) in [(7, 1), (8, 4), (7, 2)] as [(Int64, Int64)] {
            memory.use(PostgresOrigin(system: system, timeline: timeline))
        }

        #expect(memory.newer(than: PostgresOrigin(system: 7, timeline: 1)) == server)
        #expect(memory.newer(than: server) == nil)
        #expect(memory.newer(than: PostgresOrigin(system: 8, timeline: 3))?.timeline == 4)
        #expect(memory.newer(than: PostgresOrigin(system: 9, timeline: 1)) == nil)
    }

    @Test func aFileThatCannotBeReadIsAnEmptyMemory() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "memory-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = LogMemoryFile(in: folder)
        #expect(file.read() == LogMemory())
        var memory = LogMemory()
        memory.use(server)
        memory.remember(state(), of: server)
        file.write(memory)
        #expect(file.read() == memory)
        try Data("{".utf8).write(to: folder.appending(path: "log-memory.json"))
        #expect(file.read() == LogMemory())
    }
}
