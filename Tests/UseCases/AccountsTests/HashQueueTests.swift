import Accounts
import ChatCore
import Testing

/// A queue that a macro can change.
private final class Queue {
    private var value: HashQueue

    init(places: Int, waiting: Int) { value = HashQueue(places: places, waiting: waiting) }

    var waitingCount: Int { value.waitingCount }
    func enter(_ client: HashClient) -> HashQueue.Entry { value.enter(client) }
    func leave(_ client: HashClient, rests: Bool = false) -> [HashQueue.Ticket] { value.leave(client, rests: rests) }
    func wake(_ client: HashClient) -> [HashQueue.Ticket] { value.wake(client) }
    func cancel(_ ticket: HashQueue.Ticket) { value.cancel(ticket) }
}

struct HashQueueTests {
    private func client(_ address: String?, _ user: UserID = "ada", isKnown: Bool = false) -> HashClient {
        HashClient(address: address, user: user, isKnown: isKnown)
    }

    /// Runs hashes of equal length to the end; returns the clients in the order in which they began.
    private func order(
        places: Int = 2, waiting: Int = 1_000, before: [HashClient], after: [HashClient] = []
    ) -> [HashClient] {
        let queue = Queue(places: places, waiting: waiting)
        var clients: [HashQueue.Ticket: HashClient] = [:]
        var (running, begun): ([HashClient], [HashClient]) = ([], [])
        func enter(_ client: HashClient) {
            switch queue.enter(client) {
            case .begins:
                running.append(client)
                begun.append(client)
            case .waits(let ticket, let dropped):
                clients[ticket] = client
                if let dropped { clients[dropped] = nil }
            case .refused: break
            }
        }
        for client in before { enter(client) }
        var isFirst = true
        while !running.isEmpty {
            if isFirst { for client in after { enter(client) } }
            isFirst = false
            let next = queue.leave(running.removeFirst()).compactMap { clients.removeValue(forKey: $0) }
            running += next
            begun += next
        }
        #expect(clients.isEmpty && queue.waitingCount == 0)
        return begun
    }

    @Test(arguments: [1, 3, 50, 500], [1, 2, 4])
    func oneAddressDelaysAnotherByOneHashAtMost(count: Int, places: Int) throws {
        let flood = (0..<count).map { client("203.0.113.9", UserID(rawValue: "u\($0)")) }

        let begun = order(places: places, before: flood, after: [client("198.51.100.7")])

        // After those that are under way.
        let place = try #require(begun.firstIndex { $0.address == "198.51.100.7" })
        #expect(place <= max(1, places - 1))
        #expect(begun.count == count + 1)
    }

    @Test func addressesTakeTurnsAndSoDoTheirUsers() {
        let begun = order(
            places: 1,
            before: [client("a")] + (0..<3).map { _ in client("a", "eve") } + [client("a", "ben")]
                + (0..<3).map { _ in client("b", "cyd") })

        let names = begun.map { "\($0.address ?? "") \($0.user)" }
        #expect(names == ["a ada", "b cyd", "a eve", "b cyd", "a ben", "b cyd", "a eve", "a eve"])
    }

    @Test func manyAddressesDoNotStarveOneThatWaits() throws {
        let queue = Queue(places: 1, waiting: 1_000)
        #expect(queue.enter(client("a")) == .begins(1))
        #expect(queue.enter(client("b")) == .waits(2, dropping: nil))
        #expect(queue.enter(client("b")) == .waits(3, dropping: nil))
        // Each time one begins, another address comes.
        var begun: [HashQueue.Ticket] = []
        for number in 0..<8 {
            _ = queue.enter(client("new \(number)"))
            begun += queue.leave(client("any"))
        }

        #expect(begun.prefix(1) == [2])
        #expect(begun.contains(3))
    }

    @Test func knownClientsHaveAPlaceThatStrangersNeverTake() {
        let queue = Queue(places: 2, waiting: 10)
        #expect(queue.enter(client("a")) == .begins(1))
        #expect(queue.enter(client("b")) == .waits(2, dropping: nil))

        #expect(queue.enter(client("a", isKnown: true)) == .begins(3))
        #expect(queue.enter(client("b", isKnown: true)) == .waits(4, dropping: nil))
        #expect(queue.leave(client("a")) == [2])
        #expect(queue.leave(client("a", isKnown: true)) == [4])
        #expect(queue.leave(client("b")) == [])
    }

    @Test func anAddressThatRestsLetsOthersGo() {
        let queue = Queue(places: 2, waiting: 10)
        #expect(queue.enter(client("a")) == .begins(1))
        #expect(queue.enter(client("a")) == .waits(2, dropping: nil))
        #expect(queue.leave(client("a"), rests: true) == [])

        #expect(queue.enter(client("a")) == .waits(3, dropping: nil))
        #expect(queue.enter(client("b")) == .begins(4))
        #expect(queue.enter(client("c")) == .waits(5, dropping: nil))
        #expect(queue.enter(client("a", isKnown: true)) == .begins(6))
        #expect(queue.leave(client("b")) == [5])
        #expect(queue.leave(client("c")) == [])
        #expect(queue.wake(client("a")) == [2])
        #expect(queue.leave(client("a")) == [3])
    }

    @Test func aFullLaneDropsTheLatestOfTheGreediest() {
        let queue = Queue(places: 2, waiting: 3)
        #expect(queue.enter(client("a")) == .begins(1))
        for ticket in 2...4 { #expect(queue.enter(client("a")) == .waits(ticket, dropping: nil)) }

        #expect(queue.enter(client("a")) == .refused)
        #expect(queue.enter(client("b")) == .waits(6, dropping: 4))
        #expect(queue.enter(client("c")) == .waits(7, dropping: 3))
        // Everybody waits for one.
        #expect(queue.enter(client("d")) == .refused)
        #expect(queue.enter(client("d", isKnown: true)) == .begins(9))
        #expect(queue.waitingCount == 3)
    }

    @Test func theUsersOfOneAddressShareItsPlacesInAFullLane() {
        let queue = Queue(places: 1, waiting: 2)
        #expect(queue.enter(client(nil, "eve")) == .begins(1))
        #expect(queue.enter(client(nil, "eve")) == .waits(2, dropping: nil))
        #expect(queue.enter(client(nil, "eve")) == .waits(3, dropping: nil))

        #expect(queue.enter(client(nil, "ada")) == .waits(4, dropping: 3))
        #expect(queue.enter(client(nil, "eve")) == .refused)
    }

    @Test func aCancelledHashIsForgotten() {
        let queue = Queue(places: 1, waiting: 10)
        _ = queue.enter(client("a"))
        _ = queue.enter(client("b"))
        _ = queue.enter(client("c"))

        queue.cancel(2)

        #expect(queue.leave(client("a")) == [3])
        #expect(queue.leave(client("c")) == [])
    }
}
