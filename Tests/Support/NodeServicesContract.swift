package import ChatCore
import Synchronization

/// What nodes of one store share; each promise gets the services of one node, or of several.
extension ServiceContract where Subject == [NodeServices] {
    /// All promises of the services of nodes.
    package static var all: [ServiceContract<[NodeServices]>] { oneTimeValues + requests + leases + texts + tokens }

    private static var oneTimeValues: [ServiceContract] {
        [
            ServiceContract("a one-time value is taken once, on any node") { nodes in
                let (here, there) = try ends(nodes)
                try demand(try await here.oneTimeValues.keep("of a", as: "a", of: "ada", until: 30, at: 1), true)
                try demand(try await there.oneTimeValues.take("a", at: .second(29)), "of a")
                try demand(try await here.oneTimeValues.take("a", at: .second(29)), nil)
                try demand(try await there.oneTimeValues.take("unknown", at: .second(2)), nil)
            },
            ServiceContract("an old one-time value is not given out") { nodes in
                let (here, there) = try ends(nodes)
                try demand(try await here.oneTimeValues.keep("of b", as: "b", of: nil, until: 30, at: 1), true)
                try demand(try await there.oneTimeValues.take("b", at: .second(30)), nil)
            },
            ServiceContract("a one-time value takes the place of an earlier one with its key") { nodes in
                let (here, there) = try ends(nodes)
                try demand(try await here.oneTimeValues.keep("old", as: "f", of: "ada", until: 30, at: 1), true)
                try demand(try await there.oneTimeValues.keep("new", as: "f", of: nil, until: 40, at: 2), true)
                try demand(try await here.oneTimeValues.take("f", at: .second(35)), "new")
                try demand(try await there.oneTimeValues.take("f", at: .second(35)), nil)
            },
            ServiceContract("the one-time values of an erased person are forgotten") { nodes in
                let (here, there) = try ends(nodes)
                for (key, user) in [("c", "ada"), ("d", "bob"), ("e", nil)] as [(String, UserID?)] {
                    try demand(try await here.oneTimeValues.keep(key, as: key, of: user, until: 30, at: 1), true)
                }
                try await there.oneTimeValues.forget("ada")
                try demand(try await here.oneTimeValues.take("c", at: .second(2)), nil)
                try demand(try await here.oneTimeValues.take("d", at: .second(2)), "d")
                try demand(try await here.oneTimeValues.take("e", at: .second(2)), "e")
            },
        ]
    }

    private static var requests: [ServiceContract] {
        [
            ServiceContract("a request with a key is carried out once, on any node") { nodes in
                let (here, there) = try ends(nodes)
                let attempt = try await here.keptResponses.demandStart([1])
                try demand(try await there.keptResponses.begin([1], bodyHash: [0]), .inWork)
                try await there.keptResponses.finish(attempt, with: KeptResponsesContract.full)
                try demand(
                    try await here.keptResponses.begin([1], bodyHash: [0]),
                    .replay(KeptResponsesContract.full, attempt))
            },
            ServiceContract("nodes take requests from the same bucket") { nodes in
                let (here, there) = try ends(nodes)
                let bucket = SharedBucket(name: "slow", limit: 10, window: .seconds(36_000))
                try demand(try await here.buckets.take(4, from: bucket).count, 4)
                try demand(try await there.buckets.take(99, from: bucket).count, 6)
            },
        ]
    }

    private static var leases: [ServiceContract] {
        [
            ServiceContract("work under a lease is done, and its error is thrown") { nodes in
                for _ in 0..<2 {
                    for node in nodes {
                        do {
                            try await node.leases.hold("work") { _ in throw ContractViolation(description: "wanted") }
                        } catch let error as ContractViolation {
                            try demand(error.description, "wanted")
                            continue
                        }
                        throw ContractViolation(description: "no error")
                    }
                }
            },
            ServiceContract("a cancelled task ends its work, and leaves the lease to the next node") { nodes in
                let (here, there) = try ends(nodes)
                let (working, begun) = AsyncStream.makeStream(of: Void.self)
                let task = Task {
                    try await here.leases.hold("work") { term in
                        begun.yield()
                        try await wait(for: term)
                    }
                }
                for await _ in working { break }
                task.cancel()
                _ = await task.result
                try? await there.leases.hold("work") { _ in throw CancellationError() }
            },
        ]
    }

    /// Waits for the end of a term, or until the task is cancelled.
    private static func wait(for term: LeaseTerm) async throws {
        switch term {
        case .always: try await Task.sleep(for: .seconds(600))
        case .until(let end): await end()
        }
    }

    private static var texts: [ServiceContract] {
        [
            ServiceContract("a text reaches the other nodes, and never its sender") { nodes in
                let (here, there) = try ends(nodes)
                try demand(here.channel.reachesOthers, nodes.count > 1)
                let (own, arrived) = (Ear(here.channel), Ear(there.channel))
                repeat {
                    here.channel.send("hello", about: .typing)
                    await shortPause()
                } while nodes.count > 1 && arrived.texts.isEmpty
                try demand(own.texts, [])
                let text = NodeText(sender: here.channel.node, topic: .typing, text: "hello")
                try demand(arrived.texts.first, nodes.count > 1 ? text : nil)
            }
        ]
    }

    private static var tokens: [ServiceContract] {
        [
            ServiceContract("nodes count the tokens of a day together, up to a ceiling") { nodes in
                let (here, there) = try ends(nodes)
                let day = Timestamp.second(0).day
                try demand(try await here.add(60, on: day, ifAtMost: nil), [60, 1])
                try demand(try await there.add(50, on: day, ifAtMost: 60), [110, 1])
                try demand(try await here.add(1, on: day, ifAtMost: 109), [110, 0])
                // An estimate that was too high.
                try demand(try await there.add(-30, on: day, ifAtMost: nil), [80, 1])
                try demand(try await here.add(0, on: day, ifAtMost: nil), [80, 1])
                try demand(try await here.add(-100, on: day, ifAtMost: nil), [0, 1])
                try demand(try await there.add(7, on: day + 1, ifAtMost: nil), [7, 1])
            },
            ServiceContract("many requests at once exceed no ceiling") { nodes in
                let day = Timestamp.second(0).day
                let added = try await withThrowingTaskGroup { group in
                    for number in 0..<30 {
                        let node = nodes[number % nodes.count]
                        group.addTask { try await node.add(10, on: day, ifAtMost: 90)[1] }
                    }
                    return try await group.reduce(0, +)
                }
                try demand(added, 10)
            },
        ]
    }

    /// The first and the last node, which are the same if there is one.
    private static func ends(_ nodes: [NodeServices]) throws -> (NodeServices, NodeServices) {
        guard let first = nodes.first, let last = nodes.last else { throw ContractViolation(description: "no node") }
        return (first, last)
    }
}

extension NodeServices {
    /// The count after tokens were added, and 1 if they were.
    fileprivate func add(_ tokenCount: Int, on day: Int, ifAtMost ceiling: Int?) async throws -> [Int] {
        let (count, isAdded) = try await embeddingTokens.add(tokenCount, on: day, ifAtMost: ceiling)
        return [count, isAdded ? 1 : 0]
    }
}

/// The texts that a node heard.
private final class Ear: Sendable {
    private let heard = Mutex<[NodeText]>([])

    init(_ channel: any NodeChannel) {
        channel.listen { [weak self] news in
            guard case .text(let text) = news else { return }
            self?.heard.withLock { $0.append(text) }
        }
    }

    var texts: [NodeText] { heard.withLock { $0 } }
}

extension OneTimeValues {
    fileprivate func keep(
        _ value: String, as key: String, of user: UserID?, until end: Int, at moment: Int
    ) async throws -> Bool {
        try await keep(value, as: key, of: user, until: .second(end), at: .second(moment))
    }
}
