import Foundation
public import NexusModel

/// What a person does in a conversation. A failure is in ``ConversationModel/failure``.
extension ConversationModel {
    /// Puts the conversation on the screen: it is loaded, and typing in it is reported.
    public func open() async { await hub.open(id) }

    /// Takes it from the screen.
    public func close() async {
        if hub.openConversation == id { await hub.open(nil) }
    }

    /// Sends what is in the composer, or changes the message that is edited.
    public func send() async {
        let text = composer.draft.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return }
        let mode = composer.mode
        composer = Composer()
        switch mode {
        case .new: await session.send(text, to: id)
        case .reply(let message): await session.send(text, to: id, replyTo: message.id)
        case .edit(let message, let draft):
            composer.draft = draft
            let isDone = await attempt { session throws(SessionError) in
                try await session.edit(message.id, in: self.id, to: text)
            }
            // The person does not lose the text, unless another one was begun.
            guard !isDone, composer.mode == .new, composer.draft == draft else { return }
            composer = Composer(draft: text, mode: mode)
        }
    }

    /// Says that the person types; call it when the draft changes.
    public func noteTyping() async {
        if case .edit = composer.mode { return }
        if !composer.draft.isEmpty { await session.type(in: id) }
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
        keepEchoes(await session.waiting(in: id), not: message)
    }

    /// Deletes a message.
    public func delete(_ message: ChatMessage) async {
        await attempt { session throws(SessionError) in try await session.delete(message.id, in: self.id) }
    }

    /// Adds the person's reaction to a message, or removes it.
    public func toggle(_ emoji: String, on message: ChatMessage) async {
        let isSet = message.reactions.contains { reaction in
            reaction.emoji == emoji && user.map { reaction.userIds.contains($0) } == true
        }
        await attempt { session throws(SessionError) in
            try await session.react(emoji, isSet: !isSet, to: message.id, in: self.id)
        }
    }

    /// Marks everything that is known as read.
    public func markRead() async {
        guard unreadCount > 0, let newest = place?.messages.last(where: { $0.seq != nil }) else { return }
        await session.markRead(newest.id, in: id)
    }

    /// Takes the failure from the screen.
    public func dismissFailure() { failure = nil }

    /// Loads messages before the first one that is shown.
    public func loadEarlier() async { await fill(.earlier) }

    /// Loads messages of a gap.
    public func fill(_ gap: ConversationEntry.Gap) async {
        switch (gap, island) {
        case (.between, nil): return
        case (.between, let present?):
            guard let last = present.messages.last else { return }
            await loadWindow { session throws(SessionError) in
                try await session.window(after: last.id, in: self.id)
            } adding: {
                $0?.addLater($1)
            }
        case (.earlier, let present?):
            guard let first = present.messages.first else { return }
            await loadWindow { session throws(SessionError) in
                try await session.window(before: first.id, in: self.id)
            } adding: {
                $0?.addEarlier($1)
            }
        case (.earlier, nil):
            do {
                try await session.loadEarlier(id)
            } catch { failure = (error as? SessionError ?? .unavailable).sentence }
        }
    }

    /// Shows a message: ``ConversationModel/target`` is its id as soon as it is among the entries.
    public func jump(to message: String) async {
        target = nil
        if !isShown(message) {
            await loadWindow { session throws(SessionError) in
                try await session.window(around: message, in: self.id)
            } adding: {
                $0 = MessageIsland($1)
            }
        }
        if isShown(message) { target = message }
    }

    /// Leaves the messages around a jump: the newest ones remain.
    public func showNewest() {
        island = nil
        target = nil
        showEntries()
    }

    private func isShown(_ message: String) -> Bool {
        guard case .loaded(let entries) = state else { return false }
        return entries.contains { $0.id == .message(message) }
    }

    private func loadWindow(
        _ load: @escaping (NexusSession) async throws(SessionError) -> MessageWindow,
        adding add: (inout MessageIsland?, MessageWindow) -> Void
    ) async {
        do throws(SessionError) {
            let window = try await load(session)
            add(&island, window)
            showEntries()
        } catch { failure = error.sentence }
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
