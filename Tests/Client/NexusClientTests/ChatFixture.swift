import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport
import Testing

/// Time that passes when the test says so.
final class VirtualTime: Sendable {
    private struct Sleeper {
        let duration: Duration
        let end: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.zero
        var number = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state = Mutex(State())

    var timing: SessionTiming {
        SessionTiming(
            sleep: { try await self.sleep($0) }, elapsed: { self.state.withLock { $0.now } }, share: { 0.75 })
    }

    /// How many wait for this long.
    func sleepers(for duration: Duration) -> Int {
        state.withLock { $0.sleepers.values.count { $0.duration == duration } }
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.end <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.end < $1.end }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    private func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.sleepers[number] = Sleeper(
                        duration: duration, end: state.now + duration, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation
                .resume(throwing: CancellationError())
        }
    }
}

/// Documents as the server writes them.
enum Wire {
    static func conversation(
        _ id: String, head: Int = 0, unread: Int = 0, isMuted: Bool = false, isPinned: Bool = false
    ) -> String {
        """
        {"id":"\(id)","kind":"group","visibility":"members","name":"\(id.capitalized)","head":\(head),
         "activeAt":"2026-10-07","readSeq":0,"unreadCount":\(unread),"mentionCount":0,
         "preferences":{"muted":\(isMuted),"archived":false,"pinned":\(isPinned)}}
        """
    }

    static func message(
        _ seq: Int, _ text: String = "text", by sender: String = "ben", in place: String = "pier",
        localID: String? = nil, extra: String = ""
    ) -> String {
        let local = localID.map { ",\"localId\":\"\($0)\"" } ?? ""
        return """
            {"id":"m\(seq)","conversationId":"\(place)","senderId":"\(sender)","senderName":"\(sender.capitalized)",
             "text":"\(text)","timestamp":"2026-10-07T10:00:00.000Z","seq":\(seq)\(local)\(extra)}
            """
    }

    static func change(_ message: String) -> String { #"{"type":"message","message":\#(message)}"# }

    static func frame(_ position: Int, _ changes: String...) -> String {
        """
        {"v":1,"lane":0,"prev":\(position - 1),"pos":\(position),"cursor":"2f-\(position)",
         "changes":[\(changes.joined(separator: ","))]}
        """
    }

    static func page(_ seqs: [Int], hasOlder: Bool = false, hasNewer: Bool = false) -> String {
        let messages = seqs.sorted(by: >).map { message($0, "text \($0)") }.joined(separator: ",")
        let next = hasOlder ? ",\"next\":\"m\(seqs.min() ?? 0)\"" : ""
        return #"{"messages":[\#(messages)],"hasOlder":\#(hasOlder),"hasNewer":\#(hasNewer)\#(next)}"#
    }
}

/// A session with its hub, against a server that the test plays.
@MainActor final class ChatFixture {
    let transport: FakeTransport
    let time = VirtualTime()
    let hub: SessionHub
    private var position = 1

    var session: NexusSession { hub.session }

    /// - Parameters:
    ///   - places: The conversations of the snapshot, as JSON.
    ///   - answer: Answers what the test is about; nil for the usual answer.
    init(
        _ places: [String] = [Wire.conversation("pier"), Wire.conversation("quay")],
        answer: @escaping @Sendable (ClientRequest) throws -> ClientResponse? = { _ in nil }
    ) {
        let list = places.joined(separator: ",")
        transport = FakeTransport { request in
            if let special = try answer(request) { return special }
            if request.path == "/v1/sync" { return Self.json(#"{"cursor":"2f-1","conversations":[\#(list)]}"#) }
            if request.path.contains("/messages?") { return Self.json(Wire.page([])) }
            if request.path.hasSuffix("/receipts") { return Self.json(#"{"receipts":[]}"#) }
            if request.method == "GET" { return Self.json(#"{"members":[]}"#) }
            return Self.json(#"{"status":"inserted"}"#)
        }
        let count = Mutex(0)
        hub = SessionHub(
            NexusSession(
                transport: transport, user: "ada", device: "d", timing: time.timing,
                makeID: {
                    count.withLock { count in
                        count += 1
                        return "local-\(count)"
                    }
                }))
    }

    nonisolated static func json(_ text: String, status: Int = 200) -> ClientResponse {
        ClientResponse(status: status, body: Data(text.utf8))
    }

    /// Runs the hub while `body` plays the server and the person.
    func run(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [hub] in await hub.run() }
            try await wait { await self.session.connection == .live && self.transport.sockets.count == 1 }
            try await body()
            group.cancelAll()
        }
    }

    /// Says the next frame.
    func say(_ changes: String..., limiting id: String? = nil) {
        position += 1
        let limited = id.map { ",\"limited\":[\"\($0)\"]" } ?? ""
        let text = """
            {"v":1,"lane":0,"prev":\(position - 1),"pos":\(position),"cursor":"2f-\(position)",
             "changes":[\(changes.joined(separator: ","))]\(limited)}
            """
        transport.sockets.last?.say(text)
    }

    func wait(until isTrue: () async -> Bool) async throws {
        while !(await isTrue()) {
            try Task.checkCancellation()
            await shortPause()
        }
    }

    /// Waits until the models have seen everything that was said.
    func settle() async throws {
        let end = "2f-\(position)"
        try await wait { await self.session.state.cursor?.text == end }
        let mark = Mark()
        hub.add(mark)
        // The server answers with an error, which is the next event.
        transport.sockets.last?.say(#"{"type":"error","code":"mark","detail":""}"#)
        try await wait { mark.isReached }
    }
}

/// Sees the event that a test asked for.
@MainActor private final class Mark: SessionObserver {
    private(set) var isReached = false

    func take(_ event: SessionEvent, _: ChatState) {
        if case .failure(.refused(_, "mark", _, _)) = event { isReached = true }
    }
}
