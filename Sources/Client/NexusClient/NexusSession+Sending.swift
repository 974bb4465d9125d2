import Foundation
import NexusModel

/// The queue of what a person writes: on disk, in order, and one at a time in each conversation.
extension NexusSession {
    /// Queues a message.
    ///
    /// It is on disk when this returns, and is sent once, also after a restart.
    ///
    /// - Parameters:
    ///   - text: Its text; may be empty if there are files.
    ///   - conversation: The conversation.
    ///   - replyTo: The message that it replies to.
    ///   - files: Files that are uploaded before it.
    /// - Returns: The queued message; one that failed with ``SessionError/storage(_:)`` is only in memory.
    @discardableResult
    public func send(
        _ text: String, to conversation: String, replyTo: String? = nil, files: [FileToSend] = []
    ) async -> OutgoingMessage {
        await send(OutgoingDraft(text, replyTo: replyTo, files: files), to: conversation)
    }

    /// Queues a message with all that it can have, as ``send(_:to:replyTo:files:)``.
    @discardableResult
    public func send(_ draft: OutgoingDraft, to conversation: String) async -> OutgoingMessage {
        await enqueue(draft, makeID(), conversation)
    }

    private func enqueue(_ draft: OutgoingDraft, _ id: String, _ conversation: String) async -> OutgoingMessage {
        var message = OutgoingMessage(
            localId: id, conversationId: conversation, text: draft.text, replyTo: draft.replyTo,
            threadRoot: draft.threadRoot,
            files: draft.files.map { OutgoingFile(name: $0.name, mediaType: $0.mediaType, byteCount: $0.data.count) })
        beingStored.insert(message.localId)
        do throws(StoreError) {
            guard draft.files.allSatisfy({ $0.data.count <= store.limits.fileByteCount }) else { throw .full }
            let item = try await store.enqueue(id, draft, to: conversation)
            if let stored = item?.message { message = stored }
            unstored[id] = nil
        } catch {
            message.state = .failed(.storage(error))
            if !isEnding { unstored[id] = draft }
        }
        // It may have been sent already.
        if beingStored.remove(message.localId) != nil { track(message) }
        sendWork.continuation.yield(message.conversationId)
        return message
    }

    /// Edits or deletes a message, or reacts to it, when its turn comes, also after a restart.
    ///
    /// A message that was not sent is changed or dropped at once. A change waits until its message was sent, and is
    /// cancelled with it. An edit replaces an earlier one that waits, and a deletion all other changes.
    ///
    /// - Parameters:
    ///   - action: What is done.
    ///   - subject: The message.
    ///   - conversation: Its conversation.
    /// - Returns: The queued change; nil if it was made at once.
    /// - Throws: ``SessionError/storage(_:)``; ``SessionError/refused(status:code:detail:retryAfter:)`` with
    ///   `message_not_found` if there is no such outgoing message any more.
    @discardableResult
    public func submit(
        _ action: OutgoingChange.Action, of subject: OutgoingChange.Subject, in conversation: String
    ) async throws(SessionError) -> OutgoingChange? {
        let id = makeID()
        beingStored.insert(id)
        defer { beingStored.remove(id) }
        let queued: MessageStore.Queued
        do throws(StoreError) {
            queued = try await store.enqueue(id, action, of: subject, in: conversation)
        } catch {
            throw .storage(error)
        }
        defer { sendWork.continuation.yield(conversation) }
        switch queued {
        case .change(let item, let replaced):
            cancel(replaced)
            guard let change = item.change else { return nil }
            if beingStored.contains(id) { track(change) }
            return change
        case .message(let item): if let message = item.message { track(message) }
        case .dropped(let item, let cancelled): cancel([item.localID] + cancelled)
        case .gone:
            // It came back meanwhile and has an id.
            guard case .outgoing(let localID) = subject,
                let message = state.conversations[conversation]?.messages.last(where: { $0.localId == localID })
            else { throw .refused(status: 404, code: "message_not_found", detail: "", retryAfter: nil) }
            return try await submit(action, of: .stored(message.id), in: conversation)
        }
        return nil
    }

    /// Sends a message again that the server refused, and then those behind it.
    public func retry(_ message: OutgoingMessage) async {
        guard let known = outgoing[message.conversationId]?.first(where: { $0.localId == message.localId }),
            case .failed = known.state
        else { return }
        if let draft = unstored[known.localId], known.number == 0 {
            _ = await enqueue(draft, known.localId, known.conversationId)
        } else {
            await retry(known.localId)
        }
        sendWork.continuation.yield(message.conversationId)
    }

    /// Sends a change again that the server refused.
    public func retry(_ change: OutgoingChange) async {
        await retry(change.id)
        sendWork.continuation.yield(change.conversationId)
    }

    private func retry(_ id: String) async {
        beingStored.insert(id)
        defer { beingStored.remove(id) }
        do throws(StoreError) {
            let item = try await store.retry(id)
            // It may be on its way already.
            if let item, beingStored.contains(id) { track(item) }
        } catch {
            report(.failure(.storage(error)))
        }
    }

    /// Drops a message that is not on its way, and its changes; those behind it are sent.
    ///
    /// If a reply was lost, the server may have the message: then it is deleted there when its turn has come.
    public func discard(_ message: OutgoingMessage) async {
        if unstored.removeValue(forKey: message.localId) != nil { return cancel([message.localId]) }
        await discard(message.localId)
        if self.message(message.localId)?.state == .queued {
            do throws(SessionError) {
                try await submit(.delete, of: .outgoing(message.localId), in: message.conversationId)
            } catch {
                report(.failure(error))
            }
        }
        sendWork.continuation.yield(message.conversationId)
    }

    /// Drops a change that was not sent.
    public func discard(_ change: OutgoingChange) async {
        await discard(change.id)
        sendWork.continuation.yield(change.conversationId)
    }

    private func discard(_ id: String) async {
        do throws(StoreError) {
            if let cancelled = try await store.discard(id) { cancel([id] + cancelled) }
        } catch {
            report(.failure(.storage(error)))
        }
    }
}

/// Sending.
extension NexusSession {
    func sendQueued() async {
        await withDiscardingTaskGroup { group in
            for await id in sendWork.stream {
                guard sendingConversations.insert(id).inserted else {
                    sendAgain.insert(id)
                    continue
                }
                group.addTask { await self.sendItems(of: id) }
            }
        }
    }

    /// Sends what waits in a conversation until something fails.
    private func sendItems(of id: String) async {
        var wait: Duration?
        while wait == nil, connection.isConnected, !Task.isCancelled {
            do throws(StoreError) {
                let (item, cancelled) = try await store.claim(in: id)
                cancel(cancelled)
                guard let item else { break }
                track(item)
                wait = try await attempt(item)
            } catch {
                if !isEnding { report(.failure(.storage(error))) }
                wait = nextWait(in: id)
            }
        }
        if let wait { await pause(wait, bell: id) }
        sendingConversations.remove(id)
        if sendAgain.remove(id) != nil || wait != nil, connection.isConnected { sendWork.continuation.yield(id) }
    }

    private func nextWait(in id: String, retryAfter: Int? = nil) -> Duration {
        sendBackoffs[id, default: Backoff()].next(retryAfter: retryAfter, share: timing.share())
    }

    /// Sends one item; returns how long to wait before the next attempt, nil for none.
    private func attempt(_ item: OutboxItem) async throws(StoreError) -> Duration? {
        let failure: SessionError
        do throws(SessionError) {
            switch item.body {
            case .message(let text, let replyTo, let rest):
                try await post(item, PostBody(text: text, localId: item.localID, replyTo: replyTo, rest))
            case .change(let action): try await make(action, item)
            }
            sendBackoffs[item.conversation] = nil
            return nil
        } catch {
            failure = error
        }
        if failure.isTransient || failure.isSignedOut {
            if try await store.release(item.localID, failure: nil) { track(item, .queued) } else { forget(item) }
            return nextWait(in: item.conversation, retryAfter: failure.retryAfter)
        }
        if case .storage(let error) = failure { throw error }
        if failure.isGone {
            // It was stored and deleted before the reply came, or there is nothing left to change.
            let cancelled = try await store.finish(item.localID)
            complete(item, isDone: item.message != nil || item.isDeletion)
            cancel(cancelled ?? [])
        } else if try await store.release(item.localID, failure: failure) {
            track(item, .failed, failure)
        } else {
            forget(item)
        }
        return nil
    }

    private func post(_ item: OutboxItem, _ written: PostBody) async throws(SessionError) {
        var body = written
        for (position, file) in item.files.enumerated() {
            let uploaded = try await id(of: file, at: position, of: item.localID)
            body.attachments = (body.attachments ?? []) + [uploaded]
        }
        let reply: MessageOutcome = try await fetch("POST", path(item.conversation, "messages"), body)
        do throws(StoreError) {
            guard try await store.recordSent(item.localID, seq: reply.seq, id: reply.messageId) else {
                return forget(item)
            }
        } catch {
            throw .storage(error)
        }
        // The feed may have been first while this waited.
        guard var message = message(item.localID) else { return }
        message.state = .sent(seq: reply.seq)
        message.messageId = reply.messageId
        track(message)
    }

    /// Returns the server's id of a file, which is uploaded if it was not yet.
    private func id(of file: OutgoingFile, at position: Int, of localID: String) async throws(SessionError) -> String {
        if let id = file.fileId { return id }
        let data: Data?
        do throws(StoreError) { data = try await store.data(ofFile: position, of: localID) } catch {
            throw .storage(error)
        }
        guard let data else { throw .storage(.failed) }
        let uploaded = try await upload("/v1/files?name=\(Self.encoded(file.name))", data, type: file.mediaType)
        do throws(StoreError) {
            try await store.recordUpload(uploaded.id, ofFile: position, of: localID)
        } catch {
            throw .storage(error)
        }
        return uploaded.id
    }

    private func make(_ action: OutgoingChange.Action, _ item: OutboxItem) async throws(SessionError) {
        let message = path(item.conversation, "messages", item.target ?? "")
        switch action {
        case .edit(let text): try await change("PATCH", message, ["text": text])
        case .delete: try await change("DELETE", message)
        case .reaction(let emoji, let isSet):
            try await change(isSet ? "PUT" : "DELETE", message + "/reactions/" + Self.encoded(emoji))
        }
        do throws(StoreError) {
            _ = try await store.finish(item.localID)
            complete(item, isDone: true)
            if action == .delete, let target = item.target {
                cancel(try await store.cancelChanges(of: target, in: item.conversation))
            }
        } catch {
            throw .storage(error)
        }
    }
}

/// A message to post.
private struct PostBody: Encodable {
    let text: String
    let localId: String
    let replyTo: String?
    let threadRoot: String?
    let extra: [String: JSONContent]?
    var attachments: [String]?

    init(text: String, localId: String, replyTo: String?, _ rest: OutboxItem.Rest?) {
        self.text = text
        self.localId = localId
        self.replyTo = replyTo
        threadRoot = rest?.threadRoot
        extra = rest?.extra
        attachments = rest?.attachments
    }
}
