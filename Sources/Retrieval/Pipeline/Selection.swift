import ChatCore

/// Chooses hits from ordered candidates; pure.
struct Selection: Sendable {
    /// So many hits are looked after; what stands further down comes as it stands.
    private static let watchedCount = 10

    /// Messages of fewer words ("ok, thanks") are alike without telling the same.
    private static let telling = 4

    let settings: SelectionSettings

    /// Returns at most `limit` of `ranked`, in their order.
    ///
    /// Of messages of one conversation with nearly the same words only the best stays; the same words elsewhere were
    /// said to others. Where a thread has had its places among the first ten,
    /// its others come after them; they are not lost.
    func hits(of ranked: [Fusion.Ranked], limit: Int) -> [Fusion.Ranked] {
        spread(distinct(ranked, atLeast: limit)).prefix(limit).map { $0 }
    }

    private func distinct(_ ranked: [Fusion.Ranked], atLeast limit: Int) -> [Fusion.Ranked] {
        guard settings.duplicateOverlap <= 1 else { return ranked }
        var kept: [Fusion.Ranked] = []
        var said: [ConversationNumber: [Set<String>]] = [:]
        for entry in ranked {
            if kept.count >= limit { break }
            let visible = entry.candidate.visible
            let words = Set(
                TextAnalysis.tokens(of: visible.message.searchableText, language: .other).map(\.word))
            let known = said[visible.conversation] ?? []
            if words.count >= Self.telling,
                known.contains(where: { Self.overlap($0, words) >= settings.duplicateOverlap })
            {
                continue
            }
            kept.append(entry)
            said[visible.conversation] = known + [words]
        }
        return kept
    }

    /// The part of two sets that they share, as Jaccard has it: 0...1.
    private static func overlap(_ left: Set<String>, _ right: Set<String>) -> Double {
        guard !left.isEmpty, !right.isEmpty else { return 0 }
        let (small, large) = left.count < right.count ? (left, right) : (right, left)
        let shared = small.count { large.contains($0) }
        return Double(shared) / Double(left.count + right.count - shared)
    }

    private func spread(_ entries: [Fusion.Ranked]) -> [Fusion.Ranked] {
        guard settings.threadLimit > 0 else { return entries }
        var counts: [Thread: Int] = [:]
        var first: [Fusion.Ranked] = []
        var late: [Fusion.Ranked] = []
        for (place, entry) in entries.enumerated() {
            if first.count >= Self.watchedCount { return first + late + entries[place...] }
            let thread = Thread(entry.candidate)
            counts[thread, default: 0] += 1
            if thread.root != nil, counts[thread, default: 0] > settings.threadLimit {
                late.append(entry)
            } else {
                first.append(entry)
            }
        }
        return first + late
    }

    private struct Thread: Hashable {
        let conversation: ConversationID
        let root: MessageID?

        init(_ candidate: Candidate) {
            conversation = candidate.visible.message.key.conversationID
            root = candidate.visible.message.threadRootID
        }
    }
}
