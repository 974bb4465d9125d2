import ChatCore
import Foundation
import Hummingbird
import LiveChat
import NIOCore
import NexusModel
import ServiceLifecycle
import UseCases

/// The feed as server-sent events, and what its clients say by requests.
extension API {
    var feedRoutes: [Route] {
        [
            Route(
                .get, "v1/feed", .user, id: "followFeed", "Streams what changes for the asker.",
                takesTicket: true
            ) { incoming, caller in
                try await countingRefusals { try await feed(incoming, caller) }
            },
            Route(
                .post, "v1/feed/say", .person, id: "sayToFeed",
                "Says something for a stream of GET /v1/feed: the messages that a socket takes."
            ) { try await say($0, $1) },
            Route(
                .post, "v1/feed/ticket", .user, id: "makeTicket",
                "Makes a ticket with which a browser opens GET /v1/socket or GET /v1/feed, once and within 30 s."
            ) { incoming, caller in
                try await countingRefusals { try await makeTicket(incoming, caller) }
            },
        ]
    }

    /// Counts refused handshakes by their reasons.
    func countingRefusals<Value>(_ open: () async throws -> Value) async throws -> Value {
        do {
            return try await open()
        } catch {
            if !(error is CancellationError) { services.live.metrics.countRefused(Failure(error)) }
            throw error
        }
    }

    private func makeTicket(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
        let asker = try incoming.asker(caller, body: body)
        try await services.live.takeTicket(for: asker)
        guard
            let ticket = try await services.tickets.make(
                for: asker, validity: incoming.validity, at: incoming.receivedAt)
        else { throw Failure.overloaded }
        return try reply(FeedTicket(ticket: ticket, expiresIn: FeedTickets.lifetime))
    }

    private func say(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let listener = try services.live.listener(of: try body["stream"].string(), for: asker)
        try await listener.take(body, at: incoming.receivedAt)
        return Response(status: .noContent)
    }

    /// Streams frames from the cursor in `Last-Event-ID` or the query; without one, from now on.
    ///
    /// A cursor that has expired gets the event `resync`, and the stream ends.
    private func feed(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        try await services.live.takeHandshake(from: incoming.address)
        try await services.live.takeHandshake(of: asker)
        let text = try incoming.request.headers.onlyValue(of: "last-event-id") ?? incoming.query("cursor")
        let given = try text.map { try ChangeCursor(of: JSONField(.string($0), at: FieldPath("cursor"))) }
        let start: ChangeCursor
        if let given { start = given } else { start = try await services.store.latestChange() }
        let device = incoming.query("device").flatMap { DeviceID(validating: $0) }
        let validity = incoming.validity
        let hidesLastSeen = try await incoming.useCases.personalSettings(of: asker).hidesLastSeen
        let parts = LiveParts(services, links: settings.messageLinks)
        return .events(
            ResponseBody { writer in
                guard services.live.begin(.stream, of: asker) else { return try await writer.finish(nil) }
                defer { services.live.end(.stream, of: asker) }
                var stream = LiveStream(
                    client: LiveClient(
                        asker, device: device, after: start, validity: validity, hidesLastSeen: hidesLastSeen,
                        parts: parts),
                    heartbeat: services.live.settings.heartbeat, id: randomID())
                services.live.add(stream.id, stream.client.listener)
                defer {
                    services.live.remove(stream.id)
                    stream.client.close(isClean: true)
                }
                // The head of the response and this line show that the server listens.
                try await writer.write(ByteBuffer(string: ":\n\n"))
                try await incoming.whileClientListens {
                    while let events = try await stream.next() {
                        let byteCount = events.readableBytes
                        try await writer.write(events)
                        stream.client.listener.connection.beat()
                        services.live.metrics.countSent(byteCount, .stream)
                    }
                }
                try await writer.finish(nil)
            })
    }
}

/// The output for one client as server-sent events: first `stream`, then `frame`, `heartbeat`, `presence`, `typing`
/// and `delta`; `resync` or `end` is the last one.
private struct LiveStream {
    var client: LiveClient
    let heartbeat: Duration
    /// The client names it in requests.
    let id: String
    private var isBegun = false
    private var isOver = false
    /// When the client was told a cursor last.
    private var toldAt = ContinuousClock.now
    /// When it was checked last whether the client may stay; a busy stream tells cursors all the time.
    private var checkedAt = ContinuousClock.now

    init(client: LiveClient, heartbeat: Duration, id: String) {
        self.client = client
        self.heartbeat = heartbeat
        self.id = id
    }

    /// Waits for the next events; nil at the end, and when the server stops: the client resumes elsewhere.
    mutating func next() async throws -> ByteBuffer? {
        if !isBegun {
            isBegun = true
            // A browser that loses the connection before the first frame sends this cursor when it connects again.
            return try event("stream", WireEncoding.data(FeedStreamName(stream: id)), at: client.sent)
        }
        while !isOver {
            let seen = client.signal.count
            let buffer = try await waiting()
            if buffer.readableBytes > 0 { return buffer }
            let signal = client.signal
            let rest = max(.milliseconds(1), heartbeat - toldAt.duration(to: .now))
            do {
                try await cancelWhenGracefulShutdown { try await signal.wait(after: seen, timeout: rest) }
            } catch let error as CancellationError {
                guard !Task.isCancelled else { throw error }
                return nil
            }
        }
        return nil
    }

    /// Returns what is there now.
    private mutating func waiting() async throws -> ByteBuffer {
        var buffer = ByteBuffer()
        let isDue = toldAt.duration(to: .now) >= heartbeat
        let isTick = checkedAt.duration(to: .now) >= heartbeat
        if isTick { checkedAt = .now }
        if let ending = await client.ending(isTick: isTick) { return try end(ending) }
        do {
            for live in try client.events() { buffer.writeImmutableBuffer(try event(live.name, live.data())) }
            guard client.hasWork || isDue else { return buffer }
            if let frame = try await client.frame() {
                buffer.writeImmutableBuffer(event("frame", frame, at: client.sent))
                toldAt = .now
            } else if isDue {
                let cursor = client.heartbeat()
                buffer.writeImmutableBuffer(
                    event("heartbeat", try WireEncoding.data(FeedHeartbeat(cursor: FeedCursor(cursor))), at: cursor))
                toldAt = .now
            }
            return buffer
        } catch RepositoryError.expiredCursor {
            isOver = true
            return event("resync", try WireEncoding.data(FeedEnding(reason: "cursor_expired")))
        } catch is LivePeople.ForgottenError {
            return try end(.userErased)
        }
    }

    private mutating func end(_ ending: LiveEnding) throws -> ByteBuffer {
        isOver = true
        return event("end", try WireEncoding.data(FeedEnding(reason: ending.rawValue)))
    }

    private func event(_ name: String, _ data: Data, at cursor: ChangeCursor? = nil) -> ByteBuffer {
        event(name, String(decoding: data, as: UTF8.self), at: cursor)
    }

    private func event(_ name: String, _ text: String, at cursor: ChangeCursor? = nil) -> ByteBuffer {
        let id = cursor.map { "id: \($0)\n" } ?? ""
        return ByteBuffer(string: "\(id)event: \(name)\ndata: \(text)\n\n")
    }
}
