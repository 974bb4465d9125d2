import ChatCore
import Testing
import WebServer

/// A table that a macro can change.
private final class Table {
    private var value: ConnectionTable<Int>

    init(_ total: Int = 32, perAddress: Int = 10) {
        value = ConnectionTable(limits: .init(total: total, perAddress: perAddress))
    }

    var count: Int { value.count }
    func open(_ id: Int, from address: String?) -> ConnectionTable<Int>.Opening { value.open(id, from: address) }
    func close(_ id: Int) { value.close(id) }
    func begin(_ request: Int, on id: Int) { value.begin(request, on: id) }
    func wait(on id: Int) { value.wait(on: id) }
    func complete(on id: Int) { value.complete(on: id) }
    func end(_ request: Int, on id: Int) { value.end(request, on: id) }
    func hold(_ request: Int, on id: Int, for holder: RequestHolder, limit: Int) -> Bool {
        value.hold(request, on: id, for: holder, limit: limit)
    }
}

struct ConnectionTableTests {
    @Test func anAddressHasAShare() {
        let table = Table(perAddress: 2)
        #expect(table.open(1, from: "a") == .opens(closing: nil))
        #expect(table.open(2, from: "a") == .opens(closing: nil))

        #expect(table.open(3, from: "a") == .refused)
        #expect(table.open(4, from: "b") == .opens(closing: nil))
        #expect(table.open(5, from: nil) == .opens(closing: nil))
        table.close(3)
        table.close(1)
        table.close(1)

        #expect(table.open(6, from: "a") == .opens(closing: nil))
        #expect(table.open(7, from: "a") == .refused)
        #expect(table.count == 4)
    }

    @Test func halfHeadsOnlyCloseEachOther() {
        let table = Table()
        for id in 0..<10 {
            _ = table.open(id, from: nil)
            table.begin(id, on: id)
            table.end(id, on: id)
        }
        for id in 10..<20 {
            _ = table.open(id, from: nil)
            table.begin(id, on: id)
        }
        // Ten that wait, ten at work, and the next ones say nothing.
        for id in 20..<30 { #expect(table.open(id, from: nil) == .opens(closing: nil)) }

        for id in 30..<100 { #expect(table.open(id, from: nil) == .opens(closing: id - 10)) }
        #expect(table.count == 30)
    }

    @Test func aFewSilentConnectionsGoAfterIdleOnes() {
        let table = Table()
        for id in 0..<30 {
            _ = table.open(id, from: nil)
            if id > 4 { table.begin(id, on: id) }
        }
        table.end(7, on: 7)
        table.end(6, on: 6)

        #expect(table.open(30, from: nil) == .opens(closing: 7))
        #expect(table.open(31, from: nil) == .opens(closing: 6))
        #expect(table.open(32, from: nil) == .opens(closing: 0))
    }

    @Test func nothingAtWorkIsClosed() {
        let table = Table()
        for id in 0..<32 {
            _ = table.open(id, from: nil)
            table.begin(id, on: id)
        }

        #expect(table.open(32, from: nil) == .opens(closing: nil))
    }

    @Test func aSlowBodyOfAStrangerIsSilentAndOneOfAPersonIsWork() {
        let table = Table()
        for id in 0..<30 {
            _ = table.open(id, from: nil)
            table.begin(id, on: id)
            table.wait(on: id)
        }
        #expect(table.hold(0, on: 0, for: .person("ada"), limit: 5))
        table.complete(on: 1)

        #expect(table.open(30, from: nil) == .opens(closing: 2))
        table.wait(on: 0)
        #expect(table.open(31, from: nil) == .opens(closing: 3))
    }

    @Test func requestsOfAPersonAreCountedUntilTheyEnd() {
        let table = Table()
        for id in 0..<4 {
            _ = table.open(id, from: nil)
            table.begin(id, on: id)
        }
        #expect(table.hold(0, on: 0, for: .uploads("ada"), limit: 2))
        #expect(table.hold(1, on: 1, for: .uploads("ada"), limit: 2))

        #expect(!table.hold(2, on: 2, for: .uploads("ada"), limit: 2))
        #expect(table.hold(2, on: 2, for: .uploads("ben"), limit: 2))
        table.end(0, on: 0)
        table.close(1)

        #expect(table.hold(3, on: 3, for: .uploads("ada"), limit: 2))
        // The client of the first request has left.
        #expect(table.hold(0, on: 0, for: .uploads("ada"), limit: 0))
        table.begin(0, on: 0)
        #expect(table.hold(0, on: 0, for: .uploads("ada"), limit: 2))
    }

    @Test func streamsOfAConnectionAreRequests() {
        let table = Table()
        _ = table.open(0, from: nil)
        for stream in [10, 11] {
            table.begin(stream, on: 0)
            #expect(table.hold(stream, on: 0, for: .person("ada"), limit: 2))
        }
        #expect(!table.hold(11, on: 0, for: .person("ada"), limit: 2))

        table.end(10, on: 0)
        table.end(10, on: 0)

        #expect(table.hold(11, on: 0, for: .person("ada"), limit: 2))
        table.close(0)
        _ = table.open(1, from: nil)
        table.begin(1, on: 1)
        for _ in 0..<2 { #expect(table.hold(1, on: 1, for: .person("ada"), limit: 2)) }
        #expect(!table.hold(1, on: 1, for: .person("ada"), limit: 2))
    }
}
