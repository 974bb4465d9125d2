import NexusClient
import NexusModel

/// What a person enters.
extension ChatDesk {
    private static let help = """
        /list, /open 2, /open harbor                   conversations, by number or name
        /new bob, /new Harbor: bob, cleo               a direct conversation, a group
        /edit [12] text, /delete [12], /react [12] 👍  a message; without a number, the last one
        /who, /read                                    the members of the conversation; all of it is read
        /search words, /ask question                   finds messages; asks the assistant, as @ai in a message does
        /quit                                          ends the program
        """

    /// Does what a line says; returns false for the end.
    func perform(_ line: String) async -> Bool {
        let isCommand = line.hasPrefix("/") && !line.hasPrefix("//")
        let (word, rest) = isCommand ? line.firstWord : ("", String(line.dropFirst(line.hasPrefix("//") ? 1 : 0)))
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
                    terminal.print(Console.line("\(hit.conversationName), \(hit.senderName): \(hit.text)"))
                }
            case ("/ask", false):
                let answer = try await session.ask(rest)
                terminal.print(Console.line(answer.answer))
                for source in answer.sources {
                    let place = source.number.map { "[\($0)] \(source.conversationName), \(source.senderName): " }
                    if let place { terminal.print(Console.line(place + source.excerpt)) }
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
        if word.isEmpty { return _ = await session.send(rest, to: id) }
        let state = await session.state
        guard let place = state.conversations[id] else { return }
        if word == "/who" { return showMembers(of: place) }
        if word == "/read" { return await session.markRead(place.messages.last?.id ?? "", in: id) }
        let (first, tail) = rest.firstWord
        let (number, text) = Int64(first).map { ($0, tail) } ?? (nil, rest)
        let found = place.messages.last { message in
            number.map { message.seq == $0 } ?? (word == "/react" || message.senderId == state.userID)
        }
        guard text.isEmpty == (word == "/delete") else { return terminal.note("see /help for \(word)") }
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
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
            String($0).trimmed
        }
        guard parts.count == 2 else { return await show(conversation: try await session.openDirect(with: text)) }
        let members = parts[1].split(separator: ",").map { String($0).trimmed }
        guard !parts[0].isEmpty, !members.isEmpty, !members.contains("") else {
            return terminal.note("/new needs a name, a colon and the members")
        }
        await show(conversation: try await session.createGroup(parts[0], members: members))
    }

    private func showMembers(of place: ConversationState) {
        for member in place.members.sorted(by: { $0.name < $1.name }) {
            let presence = presences[member.userId]
            let seen =
                presence?.status == .offline ? presence?.lastSeen.map { " since \(TimeText.text($0))" } ?? "" : ""
            let read = place.receipts[member.userId].map {
                $0.readSeq >= place.head ? "everything" : "up to \($0.readSeq)"
            }
            let parts = [member.name, presence.map { $0.status.rawValue + seen }, read.map { "has read \($0)" }]
            terminal.print(Console.line(parts.compactMap(\.self).joined(separator: ", ")))
        }
    }
}

extension String {
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    fileprivate var firstWord: (String, String) {
        let word = prefix { !$0.isWhitespace }
        return (String(word), String(self[word.endIndex...]).trimmed)
    }
}
