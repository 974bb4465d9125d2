import ChatCore
import TextAnalysis

/// Tells whether two items say the same.
enum ItemLikeness {
    /// The share of common words from which two items of one message are the same.
    static let sameMessage = 0.5
    /// The share for items of different messages: people repeat themselves, and ask for similar things.
    static let otherMessage = 0.8

    /// Returns the share of words that two texts have in common, 0 to 1: Dice's coefficient over their stems, stop
    /// words left out.
    static func share(_ first: String, _ second: String) -> Double {
        let language = LanguageGuess.language(of: first + " " + second) ?? .other
        let (left, right) = (terms(first, language), terms(second, language))
        guard !left.isEmpty || !right.isEmpty else { return first == second ? 1 : 0 }
        return 2 * Double(left.intersection(right).count) / Double(left.count + right.count)
    }

    /// Returns whether two texts contain the same numbers: "berth 12" and "berth 21" are two things.
    static func haveSameNumbers(_ first: String, _ second: String) -> Bool { numbers(first) == numbers(second) }

    /// Tells whether items of a reply say the same.
    ///
    /// - Parameters:
    ///   - first: One.
    ///   - second: Another.
    ///   - datesTell: Whether two messages that name different dates mean two things, as a deadline that is moved.
    /// - Returns: Whether they do.
    static func isSame(_ first: ItemDraft, _ second: ItemDraft, datesTell: Bool) -> Bool {
        let isOneMessage = first.message.key == second.message.key
        // A message needs only one score; two messages may be urgent for the same reason.
        if first.score != nil { return isOneMessage }
        if datesTell, !isOneMessage, first.due != second.due { return false }
        return isSame(
            first.text, first.person?.id, second.text, second.person?.id, isOneMessage: isOneMessage)
    }

    /// Returns whether two texts about perhaps two people say the same.
    static func isSame(
        _ first: String, _ firstPerson: UserID?, _ second: String, _ secondPerson: UserID?, isOneMessage: Bool
    ) -> Bool {
        guard haveSameNumbers(first, second),
            firstPerson == secondPerson || isOneMessage && firstPerson == nil
                || isOneMessage && secondPerson == nil
        else { return false }
        return share(first, second) >= (isOneMessage ? sameMessage : otherMessage)
    }

    private static func terms(_ text: String, _ language: TextLanguage) -> Set<String> {
        Set(TextAnalyzer.terms(of: text, languages: [language]).map(\.term))
    }

    private static func numbers(_ text: String) -> Set<String> {
        Set(
            TextAnalyzer.tokens(of: text, language: .other).map(\.word)
                .filter { $0.utf8.first.map { (0x30...0x39).contains($0) } ?? false })
    }
}
