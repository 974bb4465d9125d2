import ChatCore
import Extraction
import Prompting

/// The messages of one request to a model, by time.
struct MessageList: Sendable {
    /// The messages, each once.
    private(set) var messages: [NumberedMessage]
    private let known: [MessageKey: [String]]

    /// Joins messages; a message that is both new and earlier counts as new.
    init(new: [Message], earlier: [Message], known: [ExtractedItem] = []) {
        var seen: Set<MessageKey> = []
        let all =
            new.map { NumberedMessage($0, isContext: false) } + earlier.map { NumberedMessage($0, isContext: true) }
        messages = all.filter { seen.insert($0.key).inserted }
            .sorted { ($0.timestamp, $0.key) < ($1.timestamp, $1.key) }
        self.known = known.reduce(into: [:]) { $0[$1.key, default: []].append($1.listed) }
    }

    /// Splits the list in two, each with a part of the new messages; nil with a single new message.
    ///
    /// The second half begins with the end of the first as context.
    func halves(contextCount: Int) -> (MessageList, MessageList)? {
        let new = messages.indices.filter { !messages[$0].isContext }
        guard new.count > 1 else { return nil }
        let middle = new[new.count / 2]
        let earlier = messages.filter { $0.isContext && known[$0.key] != nil }
        var (first, second) = (self, self)
        first.messages = Array(messages[..<middle])
        let tail = messages[..<middle].suffix(contextCount).map(\.asContext)
        second.messages =
            (earlier + tail).unique().sorted { ($0.timestamp, $0.key) < ($1.timestamp, $1.key) }
            + messages[middle...].filter { message in !earlier.contains { $0.key == message.key } || !message.isContext
            }
        return (first, second)
    }

    /// Returns the list without messages for context, or, if there are none, with the text of its message cut.
    func shortened() -> MessageList? {
        var list = self
        list.messages = messages.filter { !$0.isContext }
        return list.messages.count < messages.count ? list : nil
    }

    /// Returns the request that asks a model for the items of a schema.
    func request(_ schema: ExtractionSchema, at place: ExtractionService.Place) -> ListRequest {
        ListRequest(
            template: schema.template,
            fields: schema.fields.map { ListRequest.Field(name: $0.name, meaning: $0.description) },
            participants: participants(at: place),
            messages: messages.map { message in
                ListedMessage(
                    sender: message.senderName, timestamp: message.timestamp, text: message.text,
                    isEarlier: message.isContext, known: known[message.key] ?? [])
            },
            reader: place.roster.members.first { $0.userID == place.asker }?.displayName ?? place.asker.rawValue,
            timeZone: place.zone)
    }

    /// The most names that are shown.
    private static let nameLimit = 100

    /// The names of the senders, then of other present members.
    private func participants(at place: ExtractionService.Place) -> [String] {
        let senders = Set(messages.map(\.senderID))
        let members = place.roster.members
        let named =
            members.filter { senders.contains($0.userID) }
            + members.filter { !senders.contains($0.userID) && $0.leftAt == nil }
        return named.prefix(Self.nameLimit).map { member in
            member.aliases.isEmpty
                ? member.displayName : member.displayName + " (" + member.aliases.joined(separator: ", ") + ")"
        }
    }
}

extension NumberedMessage {
    fileprivate init(_ message: Message, isContext: Bool) {
        self.init(
            key: message.key, senderID: message.senderID, senderName: message.senderName, timestamp: message.timestamp,
            text: message.searchableText, isContext: isContext)
    }

    fileprivate var asContext: NumberedMessage {
        NumberedMessage(
            key: key, senderID: senderID, senderName: senderName, timestamp: timestamp, text: text, isContext: true)
    }
}

extension [NumberedMessage] {
    fileprivate func unique() -> [NumberedMessage] {
        var seen: Set<MessageKey> = []
        return filter { seen.insert($0.key).inserted }
    }
}

extension ExtractedItem {
    /// The item in the form that a model is shown.
    fileprivate var listed: String { personName.map { "\(text) (\($0))" } ?? text }
}

extension ExtractionSchema {
    /// The template for this kind.
    fileprivate var template: PromptName {
        switch itemKind {
        case .actionItem: .actionItems
        case .decision: .decisions
        case .deadline: .deadlines
        case nil: .priorities
        }
    }
}
