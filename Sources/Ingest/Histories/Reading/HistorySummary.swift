package import ChatCore
package import Foundation
import TextAnalysis

/// The content of histories: a preview of their import.
package struct HistorySummary: Sendable, Codable {
    /// A history that was found.
    package struct File: Hashable, Sendable, Codable {
        /// The file's path as given.
        package let path: String
        /// The file within the folder or archive; nil for a single file, and for a history of many files.
        package let entry: String?
        /// Its format.
        package let format: HistoryFormat
    }

    /// A present or past member of a conversation.
    package struct Reader: Hashable, Sendable, Codable {
        /// The user's id.
        package let id: UserID
        /// The name shown.
        package let name: String
        /// Since when.
        package let joinedAt: Timestamp
        /// When this person left; nil for a present member.
        package let leftAt: Timestamp?
        /// The kind of user according to the history; nil if unknown.
        package internal(set) var kind: UserKind?
    }

    /// The content for one conversation.
    package struct Place: Sendable, Codable {
        /// Its id.
        package let id: ConversationID
        /// Its name; nil for a direct conversation, or if these files do not contain it.
        package internal(set) var name: String?
        /// Direct or group; nil if these files do not say.
        package internal(set) var kind: Conversation.Kind?
        /// The users who may read it; nil if these files do not say.
        package internal(set) var visibility: Conversation.Visibility?
        /// The source of the people's ids.
        package internal(set) var source = ""
        /// Present and past members, by id.
        package internal(set) var readers: [Reader] = []
        /// When the list of its members was complete; nil if it may be incomplete.
        ///
        /// Imports end the memberships of other imported people.
        package internal(set) var listedAt: Timestamp?
        /// Its messages, without deleted ones.
        package internal(set) var messageCount = 0
        /// Messages that are deleted in the history.
        package internal(set) var deletedCount = 0
        /// How many wrote or are in it.
        package internal(set) var peopleCount = 0
        /// The time of its earliest message.
        package internal(set) var first: Timestamp?
        /// The time of its latest message.
        package internal(set) var last: Timestamp?
        /// How it differs from what is stored; nil for a new conversation, and without a store.
        package internal(set) var comparison: ChatComparison?
    }

    /// The histories that were found.
    package internal(set) var files: [File] = []
    /// Conversations, by id.
    package internal(set) var conversations: [Place] = []
    /// All messages, without deleted ones.
    package internal(set) var messageCount = 0
    /// All senders and members.
    package internal(set) var peopleCount = 0
    /// Items that would be skipped on purpose, by reason.
    package internal(set) var skipped: [SkipReason: Int] = [:]
    /// What would be taken in a narrower or simpler form.
    package internal(set) var notes: [ImportNote] = []
    /// The number of items that cannot be imported.
    package internal(set) var rejectedItems = 0
    /// An upper guess of the tokens that would be embedded.
    package internal(set) var tokenCount = 0
    /// Whether the histories have nothing to store; see ``ImportReport/isEmpty``.
    package var isEmpty: Bool {
        let hasOwnConversation = files.contains { $0.format == .jsonLines } && !conversations.isEmpty
        return !hasOwnConversation && conversations.allSatisfy { $0.messageCount == 0 && $0.deletedCount == 0 }
    }
    /// The cost of embedding them, in the currency of the configured price; nil when no price is known.
    package var cost: Double?
}

/// Reads histories from end to end and writes nothing.
package struct HistoryPreview {
    private let options: HistoryOptions
    private let store: (any ImportStore)?

    /// - Parameters:
    ///   - options: Options of the histories.
    ///   - store: What the histories are compared with; nil if there is nothing yet.
    ///   - now: The present time.
    package init(options: HistoryOptions, store: (any ImportStore)? = nil, now: Timestamp) {
        self.options = options.at(now)
        self.store = store
    }

    /// Reads histories.
    ///
    /// - Parameters:
    ///   - files: Files, folders or archives.
    ///   - progress: Called after each batch.
    ///   - rejected: Called for each item that cannot be imported.
    /// - Returns: Their content.
    /// - Throws: ``ImportFileError`` for a file that cannot be read.
    package func run(
        _ files: [URL], progress: (ImportProgress) async throws -> Void,
        rejected: (RejectedItem) async throws -> Void
    ) async throws -> HistorySummary {
        var reading = try HistoryReading(files, options: options)
        var draft = SummaryDraft()
        draft.skipped = reading.skippedFiles
        draft.notes = reading.notes
        var number = -1
        var alignment: HistoryAlignment?
        while var batch = try await Self.next(&reading) {
            if number != batch.number, let store {
                number = batch.number
                alignment = try await HistoryAlignment(batch.part, options: options, store: store)
                draft.add(alignment)
            }
            if let items = try await alignment?.aligned(batch.items) { batch.items = items }
            draft.add(batch.part)
            for item in batch.items { draft.add(item, source: batch.source) }
            if batch.part.format.hasMessageIDs { try await compare(batch.items, in: &draft) }
            for item in batch.items {
                guard case .rejected(let reason) = item.content else { continue }
                try await rejected(RejectedItem(file: batch.file, place: item.place, reason: reason))
            }
            try await progress(batch.progress)
        }
        return draft.summary()
    }

    @concurrent private static func next(_ reading: inout HistoryReading) async throws -> HistoryReading.Batch? {
        try Task.checkCancellation()
        return try reading.next()
    }

    /// Compares messages that have ids with the stored ones.
    private func compare(_ items: [HistoryItem], in draft: inout SummaryDraft) async throws {
        guard let store else { return }
        let messages = items.compactMap { item -> (message: Message, isDeleted: Bool)? in
            guard case .message(let message, let deletedAt) = item.content else { return nil }
            return (message, deletedAt != nil)
        }
        let stored = try await store.stored(messages.map(\.message.key))
        for (message, isDeleted) in messages {
            draft.compare(message, isDeleted: isDeleted, with: stored[message.key])
        }
    }
}

/// A summary that is being made.
private struct SummaryDraft {
    private var files: [HistorySummary.File] = []
    private var places: [ConversationID: HistorySummary.Place] = [:]
    private var people: [ConversationID: Set<UserID>] = [:]
    private var members: [ConversationID: [UserID: Member]] = [:]
    private var kinds: [UserID: UserKind] = [:]
    private var comparisons: [ConversationID: ChatComparison] = [:]
    private var rejectedItems = 0
    private var tokenCount = 0
    var skipped: [SkipReason: Int] = [:]
    var notes: [ImportNote] = []

    mutating func add(_ part: HistoryPart) {
        let isWhole = part.format == .slack
        let file = HistorySummary.File(
            path: part.location.url.path, entry: isWhole ? nil : part.entry.path, format: part.format)
        if files.last != file { files.append(file) }
    }

    mutating func add(_ alignment: HistoryAlignment?) {
        comparisons.merge(alignment?.comparisons ?? [:]) { $1 }
    }

    /// Counts a message that has an id.
    mutating func compare(_ message: Message, isDeleted: Bool, with stored: Message?) {
        let id = message.key.conversationID
        guard let stored else {
            comparisons[id, default: ChatComparison()].new += 1
            return
        }
        let isSame = stored.deletedAt != nil || (!isDeleted && stored.text == message.text)
        if isSame {
            comparisons[id, default: ChatComparison()].same += 1
        } else {
            comparisons[id, default: ChatComparison()].changed += 1
        }
    }

    mutating func add(_ item: HistoryItem, source: String) {
        switch item.content {
        case .roster(let roster): add(roster, source: source)
        case .author(let author): kinds[author.userID] = author.kind ?? (author.isBot ? .bot : kinds[author.userID])
        case .message(let message, let deletedAt): add(message, isDeleted: deletedAt != nil)
        case .known(let message): add(message, isDeleted: false, isKnown: true)
        case .skipped(let reason): skipped[reason, default: 0] += 1
        case .rejected: rejectedItems += 1
        case .noted(let note): notes.add(note)
        }
    }

    private mutating func add(_ roster: ConversationRoster, source: String) {
        let conversation = roster.conversation
        var place = places[conversation.id] ?? HistorySummary.Place(id: conversation.id)
        place.name = conversation.name
        place.kind = conversation.kind
        place.visibility = conversation.visibility
        place.source = source
        place.listedAt = roster.listedAt ?? place.listedAt
        for member in roster.members { members[conversation.id, default: [:]][member.userID] = member }
        places[conversation.id] = place
        people[conversation.id, default: []].formUnion(roster.members.map(\.userID))
    }

    private mutating func add(_ message: Message, isDeleted: Bool, isKnown: Bool = false) {
        let id = message.key.conversationID
        people[id, default: []].insert(message.senderID)
        places[id, default: HistorySummary.Place(id: id)].add(message, isDeleted: isDeleted)
        guard !isDeleted, !isKnown, message.kind.isTalk else { return }
        let text = PassagePreparation.text(senderName: message.senderName, searchableText: message.searchableText)
        tokenCount += TokenEstimate.count(text ?? "")
    }

    func summary() -> HistorySummary {
        var summary = HistorySummary()
        summary.files = files
        summary.conversations = places.values.sorted { $0.id < $1.id }.map { place in
            var place = place
            place.comparison = comparisons[place.id].flatMap { $0.isAboutStored ? $0 : nil }
            place.peopleCount = people[place.id]?.count ?? 0
            place.readers = (members[place.id] ?? [:]).values.sorted { $0.userID < $1.userID }.map {
                HistorySummary.Reader(
                    id: $0.userID, name: $0.displayName, joinedAt: $0.joinedAt, leftAt: $0.leftAt,
                    kind: kinds[$0.userID])
            }
            return place
        }
        summary.messageCount = summary.conversations.reduce(0) { $0 + $1.messageCount }
        summary.peopleCount = people.values.reduce(into: Set<UserID>()) { $0.formUnion($1) }.count
        summary.skipped = skipped
        summary.notes = notes
        summary.rejectedItems = rejectedItems
        summary.tokenCount = tokenCount
        return summary
    }
}

extension HistorySummary.Place {
    fileprivate mutating func add(_ message: Message, isDeleted: Bool) {
        if isDeleted { deletedCount += 1 } else { messageCount += 1 }
        first = min(first ?? message.timestamp, message.timestamp)
        last = max(last ?? message.timestamp, message.timestamp)
    }
}

extension HistorySummary.Place {
    /// The roster that an import would store.
    package var roster: ConversationRoster {
        let start = Timestamp(microseconds: 0)
        return ConversationRoster(
            conversation: Conversation(
                id: id, kind: kind ?? .group, visibility: visibility ?? .members, name: name, createdAt: start,
                updatedAt: start),
            members: readers.map {
                Member(userID: $0.id, displayName: $0.name, joinedAt: $0.joinedAt, leftAt: $0.leftAt)
            }, listedAt: listedAt)
    }
}
