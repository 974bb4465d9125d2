import Foundation
import NexusModel

/// The queue of outgoing messages: in order, and one at a time in each conversation.
extension NexusSession {
    /// Queues a message.
    ///
    /// - Parameters:
    ///   - text: Its text.
    ///   - conversation: The conversation.
    ///   - replyTo: The message that it replies to.
    /// - Returns: The queued message.
    @discardableResult
    public func send(_ text: String, to conversation: String, replyTo: String? = nil) -> OutgoingMessage {
        let message = OutgoingMessage(
            localId: makeID(), conversationId: conversation, text: text, replyTo: replyTo)
        outgoing[conversation, default: []].append(message)
        report.yield(.outgoing(message))
        sendWork.continuation.yield(conversation)
        return message
    }

    /// Sends a message again that the server refused, and then those behind it.
    public func retry(_ message: OutgoingMessage) {
        guard case .failed = outgoing[message.conversationId]?.first?.state,
            outgoing[message.conversationId]?.first?.localId == message.localId
        else { return }
        setHead(of: message.conversationId, to: .queued)
        sendWork.continuation.yield(message.conversationId)
    }

    /// Drops a message that is not on its way; those behind it are sent.
    public func discard(_ message: OutgoingMessage) {
        outgoing[message.conversationId]?.removeAll { $0.localId == message.localId && $0.state != .sending }
        sendWork.continuation.yield(message.conversationId)
    }

    func sendQueued() async {
        await withDiscardingTaskGroup { group in
            for await id in sendWork.stream {
                guard sendingConversations.insert(id).inserted else { continue }
                group.addTask { await self.sendMessages(of: id) }
            }
        }
    }

    /// Sends the messages of a conversation until one fails.
    private func sendMessages(of id: String) async {
        var wait: Duration?
        while wait == nil, connection.isConnected, let head = outgoing[id]?.first, head.state == .queued {
            setHead(of: id, to: .sending)
            do throws(SessionError) {
                let reply: PostReply = try await fetch(
                    "POST", path(id, "messages"),
                    PostBody(text: head.text, localId: head.localId, replyTo: head.replyTo))
                finish(head, .sent(seq: reply.seq))
                sendBackoffs[id] = nil
            } catch {
                guard isHead(head) else { continue }
                if case .refused(_, "message_deleted", _, _) = error {
                    // It was stored and deleted before the reply came.
                    finish(head, .confirmed)
                } else if error.isTransient || error == .signedOut {
                    setHead(of: id, to: .queued)
                    wait = sendBackoffs[id, default: Backoff()].next(
                        retryAfter: error.retryAfter, share: timing.share())
                } else {
                    setHead(of: id, to: .failed(error))
                }
            }
        }
        if let wait { try? await timing.sleep(wait) }
        sendingConversations.remove(id)
        // What came meanwhile found the conversation taken.
        if connection.isConnected, outgoing[id]?.first?.state == .queued { sendWork.continuation.yield(id) }
    }

    private func isHead(_ message: OutgoingMessage) -> Bool {
        outgoing[message.conversationId]?.first?.localId == message.localId
    }

    /// Takes a message out of the queue, unless the feed has confirmed it.
    private func finish(_ message: OutgoingMessage, _ next: OutgoingMessage.State) {
        guard isHead(message) else { return }
        outgoing[message.conversationId]?.removeFirst()
        var message = message
        message.state = next
        if case .sent = next { unconfirmed[message.localId] = message }
        report.yield(.outgoing(message))
    }

    private func setHead(of id: String, to next: OutgoingMessage.State) {
        guard var head = outgoing[id]?.first else { return }
        head.state = next
        outgoing[id]?[0] = head
        report.yield(.outgoing(head))
    }

    /// Confirms the outgoing message that came back; whichever of reply and feed is first completes it.
    func reconcile(_ message: ChatMessage) {
        guard let localID = message.localId, state.userID == nil || state.userID == message.senderId else { return }
        var own = unconfirmed[localID]
        if own == nil, let head = outgoing[message.conversationId]?.first, head.localId == localID,
            head.state == .sending || head.state == .queued
        {
            own = head
            outgoing[message.conversationId]?.removeFirst()
        }
        guard let own, own.conversationId == message.conversationId else { return }
        if state.userID == nil { state.userID = message.senderId }
        confirm(own)
    }

    func confirm(_ message: OutgoingMessage) {
        var message = message
        message.state = .confirmed
        unconfirmed[message.localId] = nil
        report.yield(.outgoing(message))
    }
}

/// A message to post.
private struct PostBody: Encodable {
    let text: String
    let localId: String
    let replyTo: String?
}

/// What the server made of it.
private struct PostReply: Decodable {
    let seq: Int64?
}
