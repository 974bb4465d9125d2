import Foundation
import NIOCore
import Synchronization

/// Resuming after an absence, and sending as fast as acknowledgements come.
extension LiveBench {
    private static let conversationCount = 500
    private static let changedCount = 50
    private static let messageCount = 20

    /// A client with 500 conversations missed 20 messages in each of 50 of them.
    func resume() async throws {
        let user = "resumer-\(name)"
        let cursor = try await prepareAbsence(of: user)
        var times: [Double] = []
        var size = 0
        for number in 0..<(options.resumes + 5) {
            let start = NIODeadline.now()
            let path =
                options.target == .nexus
                ? options.target.socketPath(rooms: [], cursor: cursor) : "/socket?replay=\(options.resumeBytes)"
            let socket = try await BenchSocket.open(options.port, path: path, user: user, ledger: nil, on: group)
            let frame = try await socket.firstFrame.get()
            await socket.close()
            // The first ones warm up; the newest changes may come in a second frame then.
            guard number >= 5 else { continue }
            times.append((frame.moment - start).milliseconds)
            size = frame.byteCount
            let missed = Self.changedCount * Self.messageCount
            guard options.target == .bare || frame.stampCount == missed else {
                throw BenchFault("a resumed frame has \(frame.stampCount) messages instead of \(missed)")
            }
        }
        Figures(
            options.target, "resume",
            [
                "resumes": Double(times.count), "p50": times.median, "p99": times.percentile(99),
                "max": times.max() ?? 0, "bytes": Double(size),
            ]
        ).write()
    }

    /// Returns the cursor before the absence.
    private func prepareAbsence(of user: String) async throws -> String? {
        guard options.target == .nexus else { return nil }
        let room: @Sendable (Int) -> String = { [name] in "absent-\(name)-\($0)" }
        try await forEach(0..<Self.conversationCount, width: 8) { number in
            try await make(room(number), members: [user, "other-\(name)"])
        }
        let sync = try await pool.send("GET", "/v1/sync", user: user).text
        guard let place = sync.lastRange(of: #""cursor":""#) else { throw BenchFault("GET /v1/sync has no cursor") }
        let cursor = String(sync[place...].dropFirst(10).prefix { $0 != "\"" })
        try await forEach(0..<Self.changedCount, width: 8) { number in
            for message in 0..<Self.messageCount {
                try await post(
                    number * Self.messageCount + message, in: room(number * 10), from: "other-\(name)")
            }
        }
        return cursor
    }

    /// Each client sends its next message when the one before was acknowledged.
    func send() async throws {
        for client in 0..<options.clients { try await make(place(client), members: ["c\(client)"]) }
        _ = try await sendForSeconds(1, first: 0)
        let process = MeasuredProcess(id: options.pid)
        let (start, spent) = (NIODeadline.now(), try process.processorSeconds())
        let times = try await sendForSeconds(options.sendSeconds, first: 1_000_000)
        let seconds = (NIODeadline.now() - start).milliseconds / 1_000
        let processor = try process.processorSeconds() - spent
        Figures(
            options.target, "send",
            [
                "clients": Double(options.clients), "messages": Double(times.count),
                "perSecond": Double(times.count) / seconds, "p50": times.median,
                "p99": times.percentile(99),
                "processorMillisecondsEach": processor * 1_000 / Double(max(times.count, 1)),
            ]
        ).write()
    }

    private func place(_ client: Int) -> String { "send-\(name)-\(client)" }

    private func sendForSeconds(_ seconds: Int, first: Int) async throws -> [Double] {
        let end = NIODeadline.now() + .seconds(Int64(seconds))
        return try await withThrowingTaskGroup(of: [Double].self) { group in
            for client in 0..<options.clients {
                group.addTask {
                    var times: [Double] = []
                    var number = first
                    while NIODeadline.now() < end {
                        let start = NIODeadline.now()
                        try await post(number, in: place(client), from: "c\(client)")
                        times.append((NIODeadline.now() - start).milliseconds)
                        number += 1
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

extension String {
    /// Where a text comes last.
    fileprivate func lastRange(of text: String) -> String.Index? {
        range(of: text, options: .backwards)?.lowerBound
    }
}
