import NexusClient
import NexusModel

/// What a person enters.
extension ChatDesk {
    private static let help = """
        /list                     conversations with unread messages
        /open 2, /open harbor     opens a conversation by number or name
        /new bob                  opens the direct conversation with a person
        /new Harbor: bob, cleo    makes a group
        /edit [12] text           changes a message; without a number, your last one
        /delete [12]              deletes a message
        /react [12] 👍            reacts to a message; without a number, the last one
        /who                      members, their presence, and how far they have read
        /read                     marks the conversation as read
        /search words             finds messages
        /ask question             asks the assistant; @ai in a message asks it in the conversation
        /quit                     ends the program
        """

    /// Does what a line says; returns false for the end.
    func perform(_ line: String) async -> Bool {
        let line = line.trimmed
        let isCommand = line.hasPrefix("/") && !line.hasPrefix("//")
        let (word, rest) = isCommand ? line.firstWord : ("", line.hasPrefix("//") ? String(line.dropFirst()) : line)
        do throws(SessionError) {
            switch (word, rest.isEmpty) {
            case ("/quit", _): return false
            case ("/help", _): terminal.note(Self.help)
            case ("/list", _): await list()
            case ("/open", false): await open(rest)
            case ("/new", false): try await make(rest)
            case ("/search", false):
                let found = try await session.search(rest)
                if found.isEmpty { terminal.note("nothing was found") }
                for hit in found {
                    terminal.print(Self.safe("\(hit.conversationName), \(hit.senderName): \(hit.text)"))
                }
            case ("/ask", false):
                let answer = try await session.ask(rest)
                terminal.print(Self.safe(answer.answer))
                for source in answer.sources where source.number != nil {
                    let place = "[\(source.number ?? 0)] \(source.conversationName), \(source.senderName)"
                    terminal.print(Self.safe("\(place): \(source.excerpt)"))
                }
            case ("", true): break
            case ("", _), ("/edit", _), ("/delete", _), ("/react", _), ("/who", _), ("/read", _):
                guard let opened else {
                    terminal.note("open a conversation first: /list, /open 1, /new bob")
                    break
                }
                try await perform(word, rest, in: opened)
            default: terminal.note("unknown command; see /help")
            }
        } catch {
            terminal.note(Self.text(error))
        }
        return true
    }

    private func perform(_ word: String, _ rest: String, in id: String) async throws(SessionError) {
        let state = await session.state
        guard let place = state.conversations[id] else { return }
        guard ["/edit", "/delete", "/react"].contains(word) else {
            if word.isEmpty { await session.send(rest, to: id) }
            if word == "/who" { showMembers(of: place) }
            if word == "/read", let last = place.messages.last { await session.markRead(last.id, in: id) }
            return
        }
        let (first, tail) = rest.firstWord
        let (number, text) = Int64(first).map { ($0, tail) } ?? (nil, rest)
        guard text.isEmpty == (word == "/delete") else { return terminal.note("see /help for \(word)") }
        let found = place.messages.last { message in
            number.map { message.seq == $0 } ?? (word == "/react" || message.senderId == state.userID)
        }
        guard let message = found?.id else { return terminal.note("there is no such message here") }
        switch word {
        case "/edit": try await session.edit(message, in: id, to: text)
        case "/delete": try await session.delete(message, in: id)
        default: try await session.react(text, to: message, in: id)
        }
    }

    private func open(_ name: String) async {
        let number = Int(name).flatMap { listed.indices.contains($0 - 1) ? listed[$0 - 1] : nil }
        let (wanted, list) = (name.lowercased(), await session.state.list)
        let found =
            list.first { $0.entry.id == number ?? name } ?? list.first { $0.entry.name.lowercased() == wanted }
            ?? list.first { $0.entry.name.lowercased().hasPrefix(wanted) }
        guard let found else { return terminal.note("there is no conversation of this number or name; see /list") }
        await show(conversation: found.entry.id)
    }

    private func make(_ text: String) async throws(SessionError) {
        guard let colon = text.firstIndex(of: ":") else {
            return await show(conversation: try await session.openDirect(with: text))
        }
        let members = text[colon...].dropFirst().split(separator: ",").map { String($0).trimmed }
        guard colon > text.startIndex, !members.isEmpty, !members.contains("") else {
            return terminal.note("/new needs a name, a colon and the members")
        }
        await show(conversation: try await session.createGroup(String(text[..<colon]).trimmed, members: members))
    }

    private func showMembers(of place: ConversationState) {
        for member in place.members.sorted(by: { $0.name < $1.name }) {
            var line = member.name
            if let presence = presences[member.userId] {
                line += ", \(presence.status)"
                if presence.status == "offline", let seen = presence.lastSeen { line += " since \(seen)" }
            }
            if let receipt = place.receipts[member.userId] {
                line += receipt.readSeq >= place.head ? ", has read everything" : ", has read up to \(receipt.readSeq)"
            }
            terminal.print(Self.safe(line))
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...].drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    fileprivate var firstWord: (String, String) {
        let word = prefix { !$0.isWhitespace }
        return (String(word), String(self[word.endIndex...]).trimmed)
    }
}
