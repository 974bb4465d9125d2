import ChatCore
import LiveChat
import Testing

@Suite struct DueQueueTests {
    @Test func givesKeysInTheOrderOfTheirTimes() {
        var queue = DueQueue<String>()
        queue.set("b", due: at(2))
        queue.set("a", due: at(1))
        queue.set("c", due: at(3))
        queue.set("a", due: at(2.5))
        queue.remove("c")

        #expect(queue.next == at(2))
        #expect(queue.popDue(at: at(1.9)) == nil)
        #expect(queue.popDue(at: at(9)) == "b")
        #expect(queue.popDue(at: at(9)) == "a")
        #expect(queue.popDue(at: at(9)) == nil)
        #expect(queue.next == nil)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func agreesWithASortedList(seed: UInt64) {
        var random = SeededNumbers(state: seed)
        var queue = DueQueue<Int>()
        var list: [Int: Timestamp] = [:]
        for _ in 0..<5_000 {
            let key = Int.random(in: 0..<40, using: &random)
            let due = at(Double(Int.random(in: 0..<30, using: &random)))
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                queue.remove(key)
                list[key] = nil
            case 1:
                let earliest = list.values.min().flatMap { $0 <= due ? $0 : nil }
                let popped = queue.popDue(at: due)
                #expect(popped.flatMap { list.removeValue(forKey: $0) } == earliest)
            default:
                queue.set(key, due: due)
                list[key] = due
            }
            #expect(queue.next == list.values.min())
            #expect(queue.count == list.count)
        }
    }
}

@Suite struct SteadyClockTests {
    @Test func aCallThatComesLateCountsAsTheNewest() {
        var clock = SteadyClock()

        #expect(clock.advance(to: at(10)) == at(10))
        #expect(clock.advance(to: at(6)) == at(10))
        #expect(clock.advance(to: at(11)) == at(11))
        #expect(clock.wallTime(of: at(10)) == at(10))
    }

    @Test func aClockThatIsSetBackStopsNothing() {
        var clock = SteadyClock()

        #expect(clock.advance(to: at(10_000)) == at(10_000))
        #expect(clock.advance(to: at(6_400)) == at(10_000))
        #expect(clock.advance(to: at(6_401)) == at(10_001))
        #expect(clock.wallTime(of: at(10_001)) == at(6_401))
    }
}
