import ChatCore

/// Messages that are stored together: looks up what the rows of all depend on, and then stores one after another.
struct AcceptBatch {
    /// A message that its author sent under an id of the client.
    private struct Sending: Hashable {
        let conversationID: ConversationID
        let author: UserID
        /// Texts that only look alike are equal in Swift.
        let localID: [UInt8]

        init(_ conversationID: ConversationID, _ author: UserID, _ localID: String) {
            (self.conversationID, self.author, self.localID) = (conversationID, author, Array(localID.utf8))
        }
    }

    /// A message with what is known of it before the transaction.
    struct Draft: Sendable {
        let given: MessageDraft
        /// The user who must see the conversation; nil without a check of permission.
        let reader: UserID?
        let refusal: AcceptOutcome?
        /// The places of its text that may mention somebody.
        let places: MentionPlaces

        init(_ given: MessageDraft, for reader: UserID? = nil) {
            let message = given.message
            (self.given, self.reader) = (given, reader)
            refusal = StoreRules.refusal(of: message)
            places = MentionPlaces(in: refusal == nil && LiveRows.mayMention(message) ? message.text : "")
        }

        /// How long it keeps the writer busy, beside others.
        var weight: Int { 1 + places.count + given.message.text.utf8.count / 4_096 }
    }

    /// A reader of a conversation.
    private struct Reading: Hashable {
        let conversationID: ConversationID
        let reader: UserID

        init?(_ draft: Draft) {
            guard let reader = draft.reader else { return nil }
            (conversationID, self.reader) = (draft.given.message.key.conversationID, reader)
        }
    }

    /// A member who writes.
    private struct Author: Hashable {
        let conversationID: ConversationID
        let userID: UserID
    }

    private var drafts: ArraySlice<Draft>
    private var writer: MessageWriter
    private let source: String
    private let mode: AcceptMode
    private var places: [ConversationID: MessagePlace] = [:]
    /// The conversations with a new position.
    private var moved: Set<ConversationID> = []
    private var present: Set<MessageKey> = []
    /// The stored messages to which others reply.
    private var targets: [MessageKey: MessageReading.Subject] = [:]
    /// The conversations whose members do not read all of the history.
    private var limited: Set<ConversationID> = []
    private var sent: [Sending: (id: MessageID, isDeleted: Bool)] = [:]
    private var users: [UserID: UserID] = [:]
    /// The members with names that messages may mention, in each conversation.
    private var named: [ConversationID: [String: UserID]] = [:]
    /// The names of authors who are members.
    private var memberNames: [Author: String] = [:]
    /// The authors who have not accepted that a stranger added them.
    private var invited: Set<Author> = []
    /// The readers who see the conversations.
    private var permitted: Set<Reading> = []
    /// Whether there are tombstones; most stores have none.
    private let hasTombstones: Bool

    private var db: any SQLSession { writer.db }

    /// - Parameters:
    ///   - drafts: The messages, in the order in which they are stored.
    ///   - source: Where their authors are known.
    ///   - mode: What happens to messages that are there.
    ///   - isBacklog: Whether they come from a history.
    ///   - moment: The present time.
    ///   - db: The transaction.
    /// - Throws: Storage errors.
    init(
        _ drafts: [Draft], source: String, mode: AcceptMode, isBacklog: Bool, at moment: Timestamp,
        in db: any SQLSession
    ) throws {
        self.drafts = drafts[...]
        (self.source, self.mode) = (source, mode)
        let readable = drafts.filter { $0.refusal == nil }
        let usable = readable.map(\.given.message)
        let authors = Set(usable.map(\.senderID)).sorted().map(\.rawValue)
        let conversations = Set(usable.map(\.key.conversationID)).sorted().map(\.rawValue)
        var lookups = [
            SQLStatement(MessageWriter.activeGenerations), SQLStatement(Tombstones.any),
            SQLStatement(MessagePlace.byIDs, [conversations]),
            SQLStatement(Authors.byIDs, [source, authors]),
        ]
        if !isBacklog {
            lookups.append(SQLStatement(MessagePlace.listeners, [conversations]))
            lookups.append(SQLStatement(Self.members, [conversations, authors]))
        }
        let readings = Set(readable.compactMap(Reading.init)).sorted {
            ($0.conversationID, $0.reader) < ($1.conversationID, $1.reader)
        }
        let rows = try db.rows(
            lookups + readings.map { WritingRights.seeing($0.conversationID, by: $0.reader, at: moment) })
        permitted = Set(zip(readings, rows.suffix(readings.count)).filter { !$1.isEmpty }.map(\.0))
        writer = MessageWriter(db, at: moment, isBacklog: isBacklog, generations: rows[0])
        hasTombstones = !rows[1].isEmpty
        for row in rows[2] { places[row.identifier(0)] = MessagePlace(row, from: 1) }
        for row in rows[3] { users[row.identifier(0)] = row.identifier(1) }
        if !isBacklog {
            for id in places.keys { places[id]?.listeners = [] }
            for row in rows[4] { places[row.identifier(0)]?.listeners?.append(row.identifier(1)) }
            for row in rows[5] {
                let author = Author(conversationID: row.identifier(0), userID: row.identifier(1))
                memberNames[author] = row[2]
                if row[3] { invited.insert(author) }
            }
        }
        try findStored(readable, names: isBacklog ? [:] : Self.names(in: readable))
    }

    /// The names that messages may mention, in each conversation.
    private static func names(in drafts: [Draft]) -> [ConversationID: [String]] {
        Dictionary(grouping: drafts.filter { $0.places.count > 0 }, by: \.given.message.key.conversationID)
            .mapValues { drafts in drafts.reduce(into: Set<String>()) { $0.formUnion($1.places.names) }.sorted() }
    }

    /// Looks up which of the messages are there, and who has the names that they may mention.
    private mutating func findStored(_ drafts: [Draft], names: [ConversationID: [String]]) throws {
        let known = drafts.map(\.given.message).compactMap { message in
            places[message.key.conversationID].map { (message, place: $0.number) }
        }
        let replied = Set(drafts.filter { $0.reader != nil }.flatMap { Self.targets(of: $0.given.message).map(\.key) })
            .filter { places[$0.conversationID] != nil }.sorted()
        let sendings = known.compactMap { message, place in
            message.localID.map { (message, place: place, localID: $0) }
        }
        let asked = names.compactMap { id, names in places[id].map { (id: id, place: $0.number, names: names) } }
        let rows = try db.rows(
            known.map { SQLStatement(Self.presence, [$0.place, $0.0.key.messageID.rawValue]) }
                + sendings.map { message, place, localID in
                    SQLStatement(Self.sending, [place, source, message.senderID.rawValue, localID])
                }
                + replied.map { SQLStatement(Self.target, [$0.conversationID.rawValue, $0.messageID.rawValue]) }
                + asked.flatMap { MemberNameRows.lookups($0.names, in: $0.place) })
        var rest = rows.dropFirst(known.count + sendings.count)
        for (key, rows) in zip(replied, rest) {
            guard let row = rows.first else { continue }
            targets[key] = MessageReading.Subject(
                number: row[0], timestamp: row.moment(1), isAnswer: row[2] == Message.Kind.assistant.rawValue)
            if row[3] { limited.insert(key.conversationID) }
        }
        rest = rest.dropFirst(replied.count)
        for (id, _, names) in asked {
            named[id] = MemberNameRows.users(of: names, rest.prefix(names.count))
            rest = rest.dropFirst(names.count)
        }
        for ((message, _), rows) in zip(known, rows) where !rows.isEmpty { present.insert(message.key) }
        for ((message, _, localID), rows) in zip(sendings, rows[known.count...]) {
            guard let row = rows.first else { continue }
            sent[Sending(message.key.conversationID, message.senderID, localID)] =
                (row.identifier(0), row.momentIfAny(1) != nil)
        }
    }

    /// Values: conversation, message.
    private static let presence = "SELECT number FROM messages WHERE conversation = ? AND id = ?"

    /// Values: conversation, message.
    private static let target = """
        SELECT m.number, m.timestamp, m.kind, c.history <> 'all'
        FROM conversations c JOIN messages m ON m.conversation = c.number WHERE c.id = ? AND m.id = ?
        """

    /// Returns the messages that a message names, with the fields that name them.
    private static func targets(of message: Message) -> [(field: String, key: MessageKey)] {
        [("replyTo", message.replyToID), ("threadRoot", message.threadRootID)].compactMap { field, id in
            id.map { (field, MessageKey(conversationID: message.key.conversationID, messageID: $0)) }
        }
    }

    /// Values: lists of conversations and of authors, who are members of the same id.
    private static let members = """
        SELECT c.id, m.user_id, m.display_name, m.is_invited
        FROM conversations c CROSS JOIN members m ON m.conversation = c.number
        WHERE c.id IN (SELECT value FROM json_each(?1, '$')) AND m.user_id IN (SELECT value FROM json_each(?2, '$'))
        """

    /// Values: conversation, source, author, the author's id.
    private static let sending = """
        SELECT id, deleted_at FROM messages WHERE conversation = ? AND source = ? AND author_id = ? AND local_id = ?
        """

    /// Stores the next messages; returns for each what became of it, and the position of a new one.
    mutating func accept(_ count: Int, at moment: Timestamp) throws -> [PostedMessage] {
        writer.moment = moment
        let next = drafts.prefix(count)
        drafts = drafts.dropFirst(count)
        return try next.map { draft in
            let outcome = try draft.refusal ?? accept(draft)
            let id = draft.given.message.key.conversationID
            return PostedMessage(outcome: outcome, seq: outcome == .inserted ? places[id]?.lastSeq : nil)
        }
    }

    private mutating func accept(_ draft: Draft) throws -> AcceptOutcome {
        let key = draft.given.message.key
        guard let place = places[key.conversationID], Reading(draft).map(permitted.contains) ?? true else {
            return .noSuchConversation
        }
        let existing = present.contains(key) ? try StoredMessage.find(key, in: db) : nil
        if existing?.message.deletedAt != nil { return .deletedBefore }
        let sender = Author(conversationID: key.conversationID, userID: draft.given.message.senderID)
        let given = draft.given.message(stored: existing?.message, memberName: memberNames[sender])
        if existing == nil, hasTombstones, try Tombstones.contain(given.key, in: db) { return .deletedBefore }
        if let outcome = try outcomeOfTwin(of: given) { return outcome }
        if existing == nil, let reader = draft.reader, let field = try unknownTarget(of: given, for: reader) {
            return .invalid(field: field, reason: "names no message of this conversation")
        }
        let author = given.senderID
        var message = given.written(by: users[author] ?? author)
        do {
            message = try FileRows(db: db).described(
                message, owners: [author, message.senderID], existing: existing?.message)
        } catch RepositoryError.invalid(let field, let reason) {
            return .invalid(field: field, reason: reason)
        }
        if let existing {
            if existing.message == message { return .unchanged(given.key.messageID) }
            if mode == .posting { return .conflict }
            try register(author)
            try writer.replace(existing, with: message, author: (source, author.rawValue))
            sent = sent.filter { sending, known in
                MessageKey(conversationID: sending.conversationID, messageID: known.id) != given.key
            }
            remember(given)
            return .updated
        }
        try register(author)
        let mentions = draft.places.mentions(of: named[given.key.conversationID] ?? [:])
        let stored = try writer.insert(
            message, in: place, source: source, authorID: author.rawValue, mentions: mentions
        ).place
        if invited.remove(Author(conversationID: key.conversationID, userID: message.senderID)) != nil {
            try LiveRows(db: db).accept(message.senderID, in: place.number)
        }
        if stored.lastSeq != place.lastSeq { moved.insert(given.key.conversationID) }
        places[given.key.conversationID] = stored
        remember(given)
        return .inserted
    }

    /// Returns the field that names a message which a reader does not see; one that was deleted may be named.
    private func unknownTarget(of message: Message, for reader: UserID) throws -> String? {
        var reading = MessageReading(reader: reader, moment: writer.moment, db: db)
        for (field, key) in Self.targets(of: message) {
            guard let target = targets[key], let place = places[key.conversationID] else {
                // Stored a moment ago, or gone.
                if present.contains(key) { continue }
                if hasTombstones, try Tombstones.contain(key, in: db) { continue }
                return field
            }
            let isLimited = limited.contains(key.conversationID)
            if try reading.hides(target, in: place.number, isLimited: isLimited) { return field }
        }
        return nil
    }

    /// Notes that a message is stored now.
    private mutating func remember(_ given: Message) {
        present.insert(given.key)
        guard let localID = given.localID else { return }
        sent[Sending(given.key.conversationID, given.senderID, localID)] = (given.key.messageID, false)
    }

    /// Stores the positions that conversations gave to new messages.
    func storePositions() throws {
        let places = moved.compactMap { self.places[$0] }.sorted { $0.number < $1.number }
        try MessagePlace.storePositions(of: places, in: db)
    }

    /// Completes the times that the history left out, in the conversations of the messages.
    func completeTimes() throws {
        let conversations = ConversationWriter(db: db, moment: writer.moment)
        for number in places.values.map(\.number).sorted() { try conversations.completeTimes(of: number) }
    }

    /// Returns the outcome when the same author sent the same local id under another message id; nil otherwise.
    private func outcomeOfTwin(of message: Message) throws -> AcceptOutcome? {
        guard let localID = message.localID else { return nil }
        let (id, author) = (message.key.conversationID, message.senderID)
        guard let twin = sent[Sending(id, author, localID)] else {
            let isSpent =
                try hasTombstones && SpentLocalIDs.contain(localID, of: author.rawValue, source: source, in: id, db)
            return isSpent ? .deletedBefore : nil
        }
        guard twin.id != message.key.messageID else { return nil }
        return twin.isDeleted ? .deletedBefore : .unchanged(twin.id)
    }

    private mutating func register(_ author: UserID) throws {
        guard users[author] == nil else { return }
        try Authors.register(author.rawValue, source: source, in: db)
        users[author] = author
    }
}
