package import ChatCore

/// A place where a question names a conversation.
package struct ConversationMention: Equatable, Sendable {
    /// The conversations with this name, in order of id.
    package let conversations: [ConversationID]
    /// The place in the question with "#", in UTF-8 bytes.
    package let range: Range<Int>
}

/// The names of the conversations in a scope, prepared to be found in questions.
///
/// "#general" names the conversation of that name. Without the sign, a name of several words counts; a single word only
/// counts next to a word such as "channel", or if it is not an ordinary word.
package struct ConversationNames: Sendable {
    private struct Entry {
        let words: [String]
        let id: ConversationID
    }

    private var entries: [String: [Entry]] = [:]

    /// Collects the names; conversations without one are left out.
    package init(_ conversations: some Sequence<(id: ConversationID, name: String?)>) {
        for (id, name) in conversations {
            let words = NameToken.all(in: name ?? "").map(\.word)
            if let first = words.first { entries[first, default: []].append(Entry(words: words, id: id)) }
        }
    }

    /// Finds the names of conversations in a question; at each place the longest name counts.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - isOrdinaryWord: Whether a folded word is common in the texts, apart from those of ``Language``; such a word
    ///     alone is only a name with "#".
    /// - Returns: The mentions in order, without overlap.
    package func mentions(in question: String, isOrdinaryWord: (String) -> Bool) -> [ConversationMention] {
        let reader = NameReader(question: question, excluding: [])
        var mentions: [ConversationMention] = []
        var place = 0
        while place < reader.tokens.count {
            guard let (count, ids) = longest(at: place, in: reader, isOrdinaryWord) else {
                place += 1
                continue
            }
            let start = reader.tokens[place].range.lowerBound - (reader.follows("#", place) ? 1 : 0)
            let end = reader.tokens[place + count - 1].range.upperBound
            mentions.append(ConversationMention(conversations: Set(ids).sorted(), range: start..<end))
            place += count
        }
        return mentions
    }

    private func longest(
        at place: Int, in reader: NameReader, _ isOrdinaryWord: (String) -> Bool
    ) -> (count: Int, ids: [ConversationID])? {
        let isMarked = reader.follows("#", place)
        let fitting = (entries[reader.tokens[place].word] ?? []).filter { entry in
            guard reader.stands(entry.words, at: place) else { return false }
            return isMarked || entry.words.count > 1 || isNamedAlone(place, in: reader, isOrdinaryWord)
        }
        guard let count = fitting.map(\.words.count).max() else { return nil }
        return (count, fitting.filter { $0.words.count == count }.map(\.id))
    }

    private func isNamedAlone(_ place: Int, in reader: NameReader, _ isOrdinaryWord: (String) -> Bool) -> Bool {
        let word = reader.tokens[place].word
        let neighbours = [place - 1, place + 1].filter(reader.tokens.indices.contains)
        if neighbours.contains(where: { reader.words.channels.contains(reader.tokens[$0].word) }) { return true }
        return word.count >= 3 && !reader.words.isWord(word) && !isOrdinaryWord(word)
    }
}
