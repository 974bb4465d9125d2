import Foundation
public import NexusModel

/// What a person does in a conversation. A failure is in ``ConversationModel/failure``.
extension ConversationModel {
    /// Puts the conversation on the screen: it is loaded, and typing in it is reported.
    public func open() async { await hub.open(id) }

    /// Takes it from the screen.
    public func close() async {
        await keepDraft()
        if hub.openConversation == id { await hub.open(nil) }
    }

    /// Sends what is in the composer, or changes the message that is edited.
    public func send() async {
        let text = composer.draft.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return }
        let mode = composer.mode
        composer = Composer()
        if window.end != nil { window = Window() }
        switch mode {
        case .new: await session.send(text, to: id)
        case .reply(let message): await session.send(text, to: id, replyTo: message.id)
        case .edit(let message, let draft):
            composer.draft = draft
            let isDone = await attempt { session throws(SessionError) in
                try await session.edit(message.id, in: self.id, to: text)
            }
            // The person does not lose the text, unless another one was begun.
            if !isDone, composer.mode == .new, composer.draft == draft { composer = Composer(draft: text, mode: mode) }
        }
        await keepDraft()
        await refresh()
    }

    /// Says that the person types, and keeps the draft on this device; call it when the draft changes.
    public func noteTyping() async {
        if case .edit = composer.mode { return }
        if !isKeepingDraft {
            isKeepingDraft = true
            hub.after(.milliseconds(500)) { [weak self] in await self?.keepDraft() }
        }
        if !composer.draft.isEmpty { await session.type(in: id) }
    }

    /// Keeps what is in the composer; of an edit, what was there before.
    private func keepDraft() async {
        isKeepingDraft = false
        guard place != nil else { return }
        let draft =
            switch composer.mode {
            case .new: Draft(text: composer.draft)
            case .reply(let message): Draft(text: composer.draft, replyTo: message.id)
            case .edit(_, let draft): Draft(text: draft)
            }
        await attempt { session throws(SessionError) in try await session.setDraft(draft, in: self.id) }
    }

    /// Begins to change a message of the person.
    public func beginEditing(_ message: ChatMessage) {
        guard message.senderId == user else { return }
        cancelMode()
        composer = Composer(draft: message.text, mode: .edit(message, draftBefore: composer.draft))
    }

    /// Begins a reply.
    public func beginReply(to message: ChatMessage) {
        cancelMode()
        composer.mode = .reply(to: message)
    }

    /// Ends editing or replying.
    public func cancelMode() {
        if case .edit(_, let draft) = composer.mode { composer.draft = draft }
        composer.mode = .new
    }

    /// Sends a refused message again, and those behind it.
    public func retry(_ message: OutgoingMessage) async { await session.retry(message) }

    /// Drops a message that was not sent.
    public func discard(_ message: OutgoingMessage) async {
        await session.discard(message)
        await refresh()
    }

    /// Sends a refused edit, deletion or reaction again.
    public func retry(_ change: OutgoingChange) async { await session.retry(change) }

    /// Drops an edit, deletion or reaction that was not made.
    public func discard(_ change: OutgoingChange) async {
        await session.discard(change)
        await refresh()
    }

    /// Deletes a message.
    public func delete(_ message: ChatMessage) async {
        await attempt { session throws(SessionError) in try await session.delete(message.id, in: self.id) }
        await refresh()
    }

    /// Adds the person's reaction to a message, or removes it.
    public func toggle(_ emoji: String, on message: ChatMessage) async {
        let isSet = message.reactions.contains { reaction in
            reaction.isOf(emoji) && user.map { reaction.userIds.contains($0) } == true
        }
        await attempt { session throws(SessionError) in
            try await session.react(emoji, isSet: !isSet, to: message.id, in: self.id)
        }
        await refresh()
    }

    /// Marks everything that is known as read.
    public func markRead() async {
        guard unreadCount > 0, let newest = place?.messages.last(where: { $0.seq != nil }) else { return }
        await session.markRead(newest.id, in: id)
    }

    /// Takes the failure from the screen.
    public func dismissFailure() { failure = nil }

    /// Marks a message and all later ones as unread.
    public func markUnread(from message: ChatMessage) async {
        await attempt { session throws(SessionError) in try await session.markUnread(from: message.id, in: self.id) }
    }

    /// Changes the person's own settings of the conversation, for example that it is muted.
    public func changePreferences(_ body: @Sendable (inout ChatPreferences) -> Void) async {
        await attempt { session throws(SessionError) in
            try await session.changePreferences(of: self.id, body)
        }
    }

    /// Loads messages before the first one that is shown.
    public func loadEarlier() async { await fill(.earlier) }

    /// Shows messages of a gap; those that this device does not have are loaded.
    public func fill(_ gap: ConversationEntry.Gap) async {
        switch gap {
        case .earlier:
            if let firstGap, await !load(firstGap) { return }
        case .between(let place):
            guard await load(place) else { return }
        case .later:
            guard let end = window.end else { return }
            // The end is the first message that is not shown.
            window.end = try? await session.store.position(Window.pageSize - 1, after: end, in: id)
        }
        window.limit += Window.pageSize
        await refresh()
    }

    private func load(_ gap: TimelinePosition) async -> Bool {
        await attempt { session throws(SessionError) in try await session.fill(gap, in: self.id) }
    }

    /// Shows a message: ``ConversationModel/target`` is its id as soon as it is among the entries.
    public func jump(to message: String) async {
        target = nil
        if !isShown(message) {
            await attempt { session throws(SessionError) in
                let place = try await session.position(of: message, in: self.id)
                self.window = Window(end: try await session.end(Window.pageSize / 2, after: place, in: self.id))
            }
            await refresh()
        }
        if isShown(message) { target = message }
    }

    /// Leaves the messages around a jump: the newest ones remain.
    public func showNewest() async {
        window = Window()
        target = nil
        await refresh()
    }

    @discardableResult
    private func attempt(_ action: (NexusSession) async throws(SessionError) -> Void) async -> Bool {
        do throws(SessionError) {
            try await action(session)
            return true
        } catch {
            failure = error.sentence
            return false
        }
    }
}
