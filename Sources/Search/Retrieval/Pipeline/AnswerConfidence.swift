import ChatCore
import TextAnalysis

/// How surely the best messages of a search answer its question, as ``RetrievalSettings/thresholds`` define it.
///
/// With vectors it is the highest cosine of the first five, raised if the question names the sender, plus the lead of the
/// people whom the question names. With words alone it is the part of the question's words that the best message contains.
///
/// Weight and limits of the lead were chosen on the development half of LoCoMo, whose questions without an answer name the
/// wrong one of two people: there a question with an answer gets a higher value than one without in 80 of 100 pairs, in 56
/// without the lead. On the sample chats, where such questions mostly name nobody, it is 62 and 65 of 100.
struct AnswerConfidence {
    let found: Recalled
    let plan: QuestionPlan
    /// What a score contains for a message of a person whom the question names.
    let speakerWeight: Double

    /// The first messages of a ranking that are compared.
    private static let depth = 20
    private static let leadWeight = 0.5
    private static let leadRange = -1.0...0.3

    /// - Parameters:
    ///   - ranked: The messages, best first.
    ///   - texts: Their texts, as far as they were read.
    /// - Returns: 0 or more; mostly below 1.
    func value(of ranked: [Fusion.Ranked], texts: (MessageNumber) -> String?) -> Double {
        guard found.mode != .lexicalOnly else { return found.coverage }
        let space = found.generation?.generation.scale
        let nearness = ranked.prefix(5).compactMap { entry in
            entry.candidate.cosine.map { space.read($0) + (entry.candidate.isBySpeaker ? 0.1 : 0) }
        }
        return max(0, (nearness.max() ?? 0) + Self.leadWeight * lead(in: ranked, texts))
    }

    /// How much better the best message by, or about, a person whom the question names fits than the best of the others;
    /// 0 if it names nobody.
    ///
    /// That somebody else says the same of themselves is no answer.
    private func lead(in ranked: [Fusion.Ranked], _ texts: (MessageNumber) -> String?) -> Double {
        guard !plan.named.isEmpty else { return 0 }
        let senders = Set(plan.named.map(\.rowNumber))
        var best: (named: Double, other: Double) = (-.infinity, -.infinity)
        for entry in ranked.prefix(Self.depth) {
            let score = entry.score - (entry.candidate.isBySpeaker ? speakerWeight : 0)
            let isNamed =
                senders.contains(entry.candidate.sender)
                || texts(entry.candidate.number).map { plan.namesOfNamed.speaks(ofSomebodyIn: $0) } ?? false
            if isNamed { best.named = max(best.named, score) } else { best.other = max(best.other, score) }
        }
        return min(max(best.named - best.other, Self.leadRange.lowerBound), Self.leadRange.upperBound)
    }
}

extension NameIndex {
    /// Whether a message says something about one of the people, rather than only addresses them ("Thanks, Mel!").
    fileprivate func speaks(ofSomebodyIn text: String) -> Bool {
        let bytes = Array(text.utf8)
        return cues(in: text).mentions.contains { mention in
            let after = bytes[mention.range.upperBound...].first
            let before = bytes[..<mention.range.lowerBound].last { $0 != UInt8(ascii: " ") }
            let isAddressed = after.map { Self.endsOfAddress.contains($0) } ?? true
            return !isAddressed && before != UInt8(ascii: ",")
        }
    }

    private static let endsOfAddress = Set(",!?.:".utf8)
}
