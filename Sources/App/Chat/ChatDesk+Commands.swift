import NexusClient
import NexusModel

/// What a person enters.
extension ChatDesk {
    /// Does what a line says; returns false for the end.
    func perform(_ input: ChatInput) async -> Bool {
        do throws(SessionError) {
            switch input {
            case .quit: return false
            case .help: for line in ChatInput.helpLines { terminal.note(line) }
            case .unusable(let reason): terminal.note(reason)
            case .list: await list()
            case .open(let name): await open(name)
            case .newDirect(let user): await show(conversation: try await session.openDirect(with: user))
            case .newGroup(let name, let members):
                await show(conversation: try await session.createGroup(name, members: members))
            case .search(let words): try await search(words)
            case .ask(let question): try await ask(question)
            case .text, .edit, .delete, .react, .who, .read:
                guard let opened else {
                    if input != .text("") { terminal.note("open a conversation first: /list, /open 1, /new bob") }
                    return true
                }
                try await perform(input, in: opened)
            }
        } catch {
            terminal.note(Self.text(error))
        }
        return true
    }

    private func perform(_ input: ChatInput, in id: String) async throws(SessionError) {
        switch input {
        case .text(let text) where !text.isEmpty: await session.send(text, to: id)
        case .edit(let number, let text):
            if let message = await message(number, in: id, isOwn: true) {
                try await session.edit(message, in: id, to: text)
            }
        case .delete(let number):
            if let message = await message(number, in: id, isOwn: true) { try await session.delete(message, in: id) }
        case .react(let number, let emoji):
            if let message = await message(number, in: id, isOwn: false) {
                try await session.react(emoji, to: message, in: id)
            }
        case .read:
            if let last = await session.state.conversations[id]?.messages.last {
                await session.markRead(last.id, in: id)
            }
        case .who: await who(id)
        default: break
        }
    }

    /// Returns the id of a message by its number; without one, of the last message.
    private func message(_ number: Int64?, in id: String, isOwn: Bool) async -> String? {
        let state = await session.state
        let messages = state.conversations[id]?.messages ?? []
        let found = messages.last { message in
            if let number { return message.seq == number }
            return !isOwn || message.senderId == state.userID
        }
        if found == nil { terminal.note("there is no such message here") }
        return found?.id
    }

    private func open(_ name: String) async {
        if let number = Int(name), let id = zip(1..., listed).first(where: { $0.0 == number })?.1 {
            return await show(conversation: id)
        }
        let wanted = name.lowercased()
        let list = await session.state.list
        let found =
            list.first { $0.entry.id == name } ?? list.first { $0.entry.name.lowercased() == wanted }
            ?? list.first { $0.entry.name.lowercased().hasPrefix(wanted) }
        guard let found else { return terminal.note("there is no conversation of this number or name; see /list") }
        await show(conversation: found.entry.id)
    }

    private func who(_ id: String) async {
        guard let place = await session.state.conversations[id] else { return }
        for member in place.members.sorted(by: { $0.name < $1.name }) {
            var line = Self.safe(member.name)
            if let presence = presences[member.userId] {
                line += ", \(Self.safe(presence.status))"
                if presence.status == "offline", let seen = presence.lastSeen { line += " since \(Self.safe(seen))" }
            }
            if let receipt = place.receipts[member.userId] {
                line += receipt.readSeq >= place.head ? ", has read everything" : ", has read up to \(receipt.readSeq)"
            }
            terminal.print(line)
        }
    }

    private func search(_ words: String) async throws(SessionError) {
        let found = try await session.search(words)
        if found.isEmpty { terminal.note("nothing was found") }
        for hit in found {
            terminal.print("\(Self.safe(hit.conversationName)), \(Self.safe(hit.senderName)): \(Self.safe(hit.text))")
        }
    }

    private func ask(_ question: String) async throws(SessionError) {
        let answer = try await session.ask(question)
        terminal.print(Self.safe(answer.answer))
        for source in answer.sources {
            guard let number = source.number else { continue }
            terminal.print(
                "[\(number)] \(Self.safe(source.conversationName)), \(Self.safe(source.senderName)): "
                    + Self.safe(source.excerpt))
        }
    }
}
