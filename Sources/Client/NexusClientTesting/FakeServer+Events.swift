public import Foundation
import NexusClient
public import NexusModel

/// What happens on the server.
extension FakeServer {
    /// Makes a group, or replaces the name and the members of a known one.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - name: Its name; nil takes the id.
    ///   - members: The other members.
    public func addConversation(_ id: String, name: String? = nil, members: [String] = []) {
        change { state in
            let people = ([user] + members).map { ChatMember(userId: $0, name: $0.capitalized) }
            var place = state.places[id] ?? Place(name: name ?? id, members: people)
            (place.name, place.members) = (name ?? id, people)
            for person in people where place.receipts[person.userId] == nil {
                place.receipts[person.userId] = ChatReceipt(userId: person.userId, readSeq: 0, joinedSeq: place.head)
            }
            state.places[id] = place
            return [Self.conversation(id, place, for: user)]
        }
    }

    /// Takes the person out of a conversation.
    public func removeConversation(_ id: String) {
        change { state in
            guard state.places.removeValue(forKey: id) != nil else { return [] }
            var departure = FeedChangeContent(type: "departure")
            departure.conversationId = id
            return [departure]
        }
    }

    /// Writes a message.
    ///
    /// - Parameters:
    ///   - text: Its text.
    ///   - sender: The writer.
    ///   - id: The conversation.
    ///   - time: When it was sent; by default now.
    ///   - body: Changes the message before it is stored.
    /// - Returns: The message; nil if there is no such conversation.
    @discardableResult
    public func post(
        _ text: String, by sender: String, in id: String, at time: Date = Date(),
        _ body: (inout ChatMessage) -> Void = { _ in }
    ) -> ChatMessage? {
        var posted: ChatMessage?
        change { state in
            guard var place = state.places[id] else { return [] }
            place.head += 1
            state.messageCount += 1
            let name = place.members.first { $0.userId == sender }?.name ?? sender
            var message = ChatMessage(
                id: "m\(state.messageCount)", conversationId: id, senderId: sender, senderName: name, text: text,
                timestamp: TimeText.date(TimeText.text(time)) ?? time,
                seq: place.head)
            body(&message)
            place.messages.append(message)
            state.places[id] = place
            posted = message
            return [Self.present(message)]
        }
        return posted
    }

    /// Changes a message, for example its text.
    ///
    /// - Returns: Whether there is such a message.
    @discardableResult
    public func edit(_ message: String, in id: String, _ body: (inout ChatMessage) -> Void) -> Bool {
        change { state in
            guard let index = state.places[id]?.messages.firstIndex(where: { $0.id == message }),
                var edited = state.places[id]?.messages[index]
            else { return [] }
            body(&edited)
            state.places[id]?.messages[index] = edited
            return [Self.present(edited)]
        }
    }

    /// Deletes a message.
    ///
    /// - Returns: Whether there was such a message.
    @discardableResult
    public func delete(_ message: String, in id: String) -> Bool {
        change { state in
            guard let index = state.places[id]?.messages.firstIndex(where: { $0.id == message }) else { return [] }
            let gone = state.places[id]?.messages.remove(at: index)
            var deletion = FeedChangeContent(type: "deletion")
            (deletion.conversationId, deletion.messageId, deletion.seq) = (id, message, gone?.seq)
            return [deletion]
        }
    }

    /// Lets a member read up to a message.
    public func read(upTo message: String, by reader: String, in id: String) {
        change { state in
            guard let seq = state.places[id]?.messages.first(where: { $0.id == message })?.seq else { return [] }
            var receipt = state.places[id]?.receipts[reader] ?? ChatReceipt(userId: reader, readSeq: 0)
            (receipt.readSeq, receipt.deliveredSeq) = (seq, max(seq, receipt.deliveredSeq))
            state.places[id]?.receipts[reader] = receipt
            var change = FeedChangeContent(type: "receipt")
            (change.conversationId, change.receipt) = (id, receipt)
            return [change]
        }
    }

    /// Shows that somebody types, for 6 s.
    public func showTyping(by writer: String, in id: String) {
        let sign = #"{"type":"typing","conversationId":"\#(id)","userId":"\#(writer)","milliseconds":6000}"#
        for socket in state.withLock({ $0.sockets }) { socket.say(sign) }
    }

    /// The messages of a conversation, as the server has them.
    public func messages(in id: String) -> [ChatMessage] { state.withLock { $0.places[id]?.messages ?? [] } }

    /// Makes changes and sends them; returns whether there were any.
    @discardableResult
    func change(_ body: (inout State) -> [FeedChangeContent]) -> Bool {
        state.withLock { state in
            let changes = body(&state)
            for change in changes {
                let text = Self.frame(change, at: state.log.count)
                state.log.append(change)
                for socket in state.sockets { socket.say(text) }
            }
            return !changes.isEmpty
        }
    }

    private static func present(_ message: ChatMessage) -> FeedChangeContent {
        var change = FeedChangeContent(type: "message")
        change.message = message
        return change
    }

    static func conversation(_ id: String, _ place: Place, for user: String) -> FeedChangeContent {
        var change = FeedChangeContent(type: "conversation")
        change.conversation = entry(id, place, for: user)
        change.members = place.members
        change.receipts = place.receipts.values.sorted { $0.userId < $1.userId }
        return change
    }

    static func entry(_ id: String, _ place: Place, for user: String) -> ChatConversation {
        let read = place.receipts[user]?.readSeq ?? 0
        let last = place.messages.last
        return ChatConversation(
            id: id, kind: .group, visibility: .members, name: place.name, head: place.head,
            lastMessage: last.map {
                .init(
                    id: $0.id, senderId: $0.senderId, senderName: $0.senderName, text: $0.text, timestamp: $0.timestamp)
            }, activeAt: last?.timestamp ?? .distantPast, readSeq: read,
            unreadCount: place.messages.count { $0.senderId != user && ($0.seq ?? 0) > read }, mentionCount: 0,
            role: .member, preferences: place.preferences)
    }
}
