import Foundation
import NIOCore

/// Many sockets: idle ones, a large conversation, and many small ones.
extension LiveBench {
    private static let hall = "hall"

    /// Opens all sockets, watches them, and sends into the conversation of the first ones while the others are idle.
    func idleAndFanout(_ wanted: [Measure]) async throws {
        let (hall, count) = ("\(Self.hall)-\(name)", options.members)
        try await make(hall, members: (0..<count).map { "p\($0)" })
        let process = MeasuredProcess(id: options.pid)
        let ledger = Ledger()
        // The server's caches of the first connections do not belong to the sockets.
        try await close(try await openAll(0..<100, ledger) { ("p\($0)", $0 < count ? [hall] : []) })

        let before = try process.residentByteCount()
        let total = max(options.sockets, count)
        let sockets = try await openAll(0..<total, ledger) { ("p\($0)", $0 < count ? [hall] : []) }
        try await Task.sleep(for: .seconds(3))
        let bytes = Double(try process.residentByteCount() - before) / Double(total)
        if wanted.contains(.idle) {
            let (start, spent) = (NIODeadline.now(), try process.processorSeconds())
            try await Task.sleep(for: .seconds(options.idleSeconds))
            let seconds = (NIODeadline.now() - start).milliseconds / 1_000
            let share = (try process.processorSeconds() - spent) / seconds
            let after = Double(try process.residentByteCount() - before) / Double(total)
            Figures(
                options.target, "idle",
                [
                    "sockets": Double(total), "kilobytesEach": bytes / 1_000, "kilobytesEachLater": after / 1_000,
                    "processorPercent": share * 100,
                ]
            ).write()
        }
        if wanted.contains(.fanout) { try await fanout(in: hall, ledger, process) }
        try await close(sockets)
    }

    private func fanout(in hall: String, _ ledger: Ledger, _ process: MeasuredProcess) async throws {
        let count = options.members
        try await sendInTurn(3, in: hall, from: "p0", due: count, ledger)
        let first = ledger.count
        ledger.forgetReceipts()
        let spent = try process.processorSeconds()
        try await sendInTurn(options.repeats, in: hall, from: "p0", due: count, ledger)
        let processor = try process.processorSeconds() - spent
        let result = try ledger.result(from: first)
        Figures(
            options.target, "fanout",
            [
                "members": Double(count), "messages": Double(options.repeats),
                "lastP50": result.last.median, "lastP99": result.last.percentile(99),
                "lastMax": result.last.max() ?? 0, "eachP50": result.all.median,
                "processorMillisecondsEach": processor * 1_000 / Double(options.repeats),
            ]
        ).write()
    }

    /// Sends at a steady rate into small conversations, whether or not the server keeps up.
    func spread() async throws {
        let memberships = self.memberships
        try await forEach(0..<options.conversations, width: 8) { number in
            try await make(room(number), members: memberships[number].map { "s\($0)" })
        }
        var rooms = [[String]](repeating: [], count: options.people)
        for (number, members) in memberships.enumerated() {
            for person in members { rooms[person].append(room(number)) }
        }
        let ledger = Ledger()
        let sockets = try await openAll(0..<options.people, ledger) { [rooms] in ("s\($0)", rooms[$0]) }
        for number in 0..<10 {
            try await sendInTurn(1, in: room(number), from: "s\(memberships[number][0])", due: 20, ledger)
        }
        let first = ledger.count
        ledger.forgetReceipts()
        let process = MeasuredProcess(id: options.pid)
        let spent = try process.processorSeconds()
        try await sendSteadily(memberships, ledger)
        let processor = try process.processorSeconds() - spent
        let result = try ledger.result(from: first)
        Figures(
            options.target, "spread",
            [
                "perSecond": Double(options.rate), "messages": Double(result.last.count),
                "receipts": Double(result.all.count), "receiptP50": result.all.median,
                "receiptP99": result.all.percentile(99), "lastP99": result.last.percentile(99),
                "receiptMax": result.all.max() ?? 0,
                "processorPercent": processor * 100 / Double(options.spreadSeconds),
            ]
        ).write()
        try await close(sockets)
    }

    private func room(_ number: Int) -> String { "room-\(name)-\(number)" }

    /// The members of each small conversation: everybody is in about as many.
    private var memberships: [[Int]] {
        (0..<options.conversations).map { room in
            (0..<20).map { (room + $0 * 97) % options.people }
        }
    }

    private func sendSteadily(_ memberships: [[Int]], _ ledger: Ledger) async throws {
        let count = options.rate * options.spreadSeconds
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                try await Task.sleep(until: start + .seconds(1) * Double(number) / Double(options.rate))
                // Not in turn: neighbours share members.
                let place = number * 7 % memberships.count
                let message = ledger.begin(at: .now(), due: 20)
                group.addTask { try await post(message, in: room(place), from: "s\(memberships[place][number % 20])") }
            }
            try await group.waitForAll()
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while !ledger.isComplete, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
    }
}
