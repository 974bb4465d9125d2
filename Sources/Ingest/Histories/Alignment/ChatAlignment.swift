import ChatCore

/// What becomes of the messages and people of one chat of an export that is stored already.
struct ChatAlignment {
    enum Fate: UInt8 {
        /// It gets a new id.
        case new
        /// It is stored.
        case same
        /// It is stored with another text, or is deleted in the export.
        case changed
        /// It was stored, and was erased with its author.
        case erased
    }

    /// What a stored message keeps, whatever the export says.
    struct Kept {
        let id: MessageID
        let authorID: UserID
        let authorName: String
        let timestamp: Timestamp
    }

    /// The conversation.
    let id: ConversationID
    /// The id that the export gives it.
    let origin: ConversationID
    /// What becomes of each message, in the order of the export.
    private(set) var fates: [Fate] = []
    /// What stored messages keep, by their places in the export; only where the export says something else.
    private(set) var kept: [Int: Kept] = [:]
    /// The stored authors, by the ids that the export gives them.
    private(set) var people: [UserID: UserID] = [:]
    /// The earlier names of people who have another one in the export, by their stored ids.
    private(set) var earlierNames: [UserID: String] = [:]
    /// The stored names of people whom the export calls "you", by their stored ids.
    private(set) var keptNames: [UserID: String] = [:]
    private(set) var comparison = ChatComparison()
    /// By how much the times of the export are later than the stored ones, for most messages.
    let shift: Duration
    /// Whether something was stored later than the last message of the export: what it says else may be outdated.
    let isOlder: Bool
    /// Whether the export has something later than the last stored message: what it says else is newer, too.
    private let isNewer: Bool
    private let isExact: Bool
    /// The shifts of the times.
    private let shifts: [Int64]
    /// Authors of the export of whom everything was erased, by the ids that the export gives them.
    private(set) var erasedAuthors: Set<UserID> = []
    /// What erased messages are called instead, by their places in the export.
    private(set) var marks: [Int: MessageID] = [:]

    /// Compares a chat with what is stored.
    ///
    /// - Parameters:
    ///   - chat: The chat of the export.
    ///   - id: The conversation that it is.
    ///   - origin: The id that the export gives it.
    ///   - transcript: The stored messages.
    ///   - isExact: Whether times are precise and in one zone.
    init(
        _ chat: ExportOutline.Chat, in id: ConversationID, origin: ConversationID, _ transcript: StoredTranscript,
        isExact: Bool
    ) {
        (self.id, self.origin) = (id, origin)
        let alignment = SequenceAlignment(stored: transcript.lines, export: chat.lines, isExact: isExact)
        let shift = alignment.shifts[0]
        self.shift = .microseconds(shift)
        let end = chat.lines.span?.upperBound ?? .min
        let last = transcript.lines.span.map { ClockShift.floor($0.upperBound) }
        isOlder = last.map { $0 > ClockShift.floor(end - shift) } ?? false
        // Times of whole minutes do not tell all: it may go on after what was the last message.
        let goesOn =
            !isOlder && alignment.matches.last.map { $0 < 0 } ?? false
            && alignment.matches.contains { Int($0) == transcript.lines.lines.count - 1 }
        isNewer = last.map { $0 < ClockShift.floor(end - shift) || goesOn } ?? true
        (shifts, self.isExact) = (alignment.shifts, isExact)
        rememberPeople(alignment)
        for (place, match) in alignment.matches.enumerated() {
            guard match >= 0 else {
                fates.append(.new)
                continue
            }
            record(place, as: Int(match), alignment, ids: (chat.ids[place], transcript.ids[Int(match)]))
        }
        count(alignment, shift: shift)
    }

    /// How applications call the owner of the phone; nobody else means that person by it.
    private static let ownNames: Set<String> = [
        "you", "du", "tú", "vous", "você", "jij", "вы", "siz", "anda", "أنت", "आप", "あなた", "나", "你", "您",
    ]

    private mutating func rememberPeople(_ alignment: SequenceAlignment) {
        let (stored, export) = (alignment.stored, alignment.export)
        for (author, other) in alignment.authors.continued.enumerated() {
            guard let other else { continue }
            let id = stored.authors[other]
            people[export.authors[author]] = id
            let (from, to) = (stored.names[other], export.names[author])
            guard !from.isEmpty, from != to else { continue }
            guard !Self.ownNames.contains(to.lowercased()) else {
                keptNames[id] = from
                continue
            }
            earlierNames[id] = from
            comparison.renamed.append(ChatComparison.Renaming(id: id, from: from, to: to))
        }
    }

    private mutating func record(
        _ place: Int, as match: Int, _ alignment: SequenceAlignment, ids: (new: Int, old: MessageID)
    ) {
        let (line, other) = (alignment.export.lines[place], alignment.stored.lines[match])
        let differs = line.text != other.text && !other.isDeleted && (line.isDeleted || isLater(line, than: other))
        fates.append(differs ? .changed : .same)
        let author = alignment.stored.signature(of: other)
        let isKept =
            ids.new == ids.old.hashValue && line.time == other.time
            && alignment.export.signature(of: line) == author
        guard !isKept else { return }
        kept[place] = Kept(
            id: ids.old, authorID: author.authorID,
            authorName: author.name.isEmpty ? alignment.export.signature(of: line).name : author.name,
            timestamp: Timestamp(microseconds: other.time))
    }

    /// Whether the text of a line is the one that was written later.
    private func isLater(_ line: LineSequence.Line, than other: LineSequence.Line) -> Bool {
        guard !isOlder, !isNewer else { return isNewer }
        // Both end with the same message: only an edit that is marked as one is known to be later.
        return line.editedAt > .min && (!isExact || line.editedAt >= other.editedAt)
    }

    /// Notes which messages were erased with their author: they stay away, also with other seconds, zones and names.
    ///
    /// - Parameters:
    ///   - erased: The marks of what was erased in this conversation.
    ///   - chat: The chat of the export.
    mutating func record(erased: Set<MessageID>, in chat: ExportOutline.Chat) {
        guard !erased.isEmpty else { return }
        var remaining: Set<UserID> = []
        for (place, line) in chat.lines.lines.enumerated() {
            let author = chat.lines.signature(of: line).authorID
            guard fates[place] == .new, let mark = mark(of: line, among: erased) else {
                remaining.insert(author)
                continue
            }
            fates[place] = .erased
            marks[place] = mark
            comparison.new -= 1
            erasedAuthors.insert(author)
        }
        erasedAuthors.subtract(remaining)
    }

    private func mark(of line: LineSequence.Line, among erased: Set<MessageID>) -> MessageID? {
        for shift in shifts.contains(0) ? shifts : shifts + [0] {
            let time = Timestamp(microseconds: line.time.subtractingClamped(shift))
            let mark = ErasedLine.mark(text: line.text, time: time, in: id)
            if erased.contains(mark) { return mark }
        }
        return nil
    }

    private mutating func count(_ alignment: SequenceAlignment, shift: Int64) {
        for fate in fates {
            switch fate {
            case .new: comparison.new += 1
            case .same: comparison.same += 1
            case .changed: comparison.changed += 1
            case .erased: break
            }
        }
        guard let span = alignment.export.span else { return }
        // Seconds may be left out on either side.
        let times = ClockShift.floor(span.lowerBound - shift)...(span.upperBound - shift)
        comparison.missing = zip(alignment.stored.lines, alignment.isMatched).count { line, isMatched in
            !isMatched && !line.isDeleted && times.contains(line.time)
        }
    }
}
