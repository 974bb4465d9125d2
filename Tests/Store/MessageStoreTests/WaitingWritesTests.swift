import MessageStore
import Testing

@Suite struct WaitingWritesTests {
    /// The writes of each transaction, until none waits.
    private func transactions(_ writes: [(String, weight: Int)]) -> [[String]] {
        var waiting = WaitingWrites<String>()
        for (write, weight) in writes { waiting.append(write, weight: weight) }
        var transactions: [[String]] = []
        while !waiting.isEmpty { transactions.append(waiting.takeNext()) }
        return transactions
    }

    @Test func writesThatWaitShareATransaction() {
        #expect(transactions([("a", 1), ("b", 2), ("c", 1)]) == [["a", "b", "c"]])
        #expect(transactions((0..<150).map { ("\($0)", 1) }).map(\.count) == [50, 50, 50])
    }

    @Test func aTransactionHasALimitOfWeight() {
        #expect(
            transactions([("a", 19), ("b", 19), ("c", 19), ("d", 1)]) == [["a", "b", "d"], ["c"]])
        #expect(transactions([("heavier than all", 5_000), ("b", 1)]) == [["heavier than all"], ["b"]])
    }

    @Test func lightWritesWaitForOneHeavyWriteAtMost() {
        let heavy = (1...4).map { ("heavy \($0)", weight: 100) }
        #expect(
            transactions(heavy + [("light", 1), ("also light", 2)]) == [
                ["heavy 1"], ["light", "also light"], ["heavy 2"], ["heavy 3"], ["heavy 4"],
            ])
    }

    @Test func heavyWritesTakeTurnsWithLightOnes() {
        let light = Array(repeating: ("light", weight: 1), count: 150)
        let taken = transactions([("heavy", 100), ("heavy", 100)] + light)
        #expect(taken.map(\.count) == [1, 50, 1, 50, 50])
        #expect(taken[2] == ["heavy"])
    }
}
