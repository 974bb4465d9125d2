import ChatCore
import TextAnalysis

/// Tells which participant a model names.
struct ParticipantNames {
    /// Who is meant.
    enum Meaning: Equatable {
        /// One participant.
        case one(Participant)
        /// All of them, or no one in particular.
        case everybody
        /// Nobody who takes part, or one of several.
        case unknown
    }

    private let participants: [Participant]
    private let index: NameIndex

    init(_ participants: [Participant]) {
        self.participants = participants
        index = NameIndex(participants)
    }

    /// Returns who `name` is in an item of a message.
    func meaning(of name: String, writtenBy senderID: UserID) -> Meaning {
        let words = TextAnalyzer.tokens(of: name, language: .other).filter { $0.kind != .bigram }
            .map(\.word).joined(separator: " ")
        if Self.everybody.contains(words) || Self.everybody.contains(name) { return .everybody }
        if Self.writer.contains(words) || Self.writer.contains(name) { return one { $0.id == senderID } }
        if Self.reader.contains(words), participants.count == 2 { return one { $0.id != senderID } }
        if case .one(let participant) = one({ $0.displayName == name || $0.id.rawValue == name }) {
            return .one(participant)
        }
        // "@" marks the name as one, so that ordinary words count too.
        let marked = name.hasPrefix("@") ? name : "@" + name
        let named = Set(index.cues(in: marked, isOrdinaryWord: { _ in false }).people)
        return named.count == 1 ? one { named.contains($0.id) } : .unknown
    }

    private func one(_ isMeant: (Participant) -> Bool) -> Meaning {
        let found = participants.filter(isMeant)
        return found.count == 1 ? .one(found[0]) : .unknown
    }

    private static let everybody = Language.words(languages, \.people.everybody)
    private static let writer = Language.words(languages, \.people.writer)
    private static let reader = Language.words(languages, \.people.reader)
    private static let languages = Language.all.map(\.language)
}
