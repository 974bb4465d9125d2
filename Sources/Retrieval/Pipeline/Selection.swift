import ChatCore
import TextAnalysis

/// Chooses hits from ordered candidates; pure.
struct Selection: Sendable {
    /// So many hits are looked after; what stands further down comes as it stands.
    private static let watchedCount = 10

    let settings: SelectionSettings
    /// The messages of what is chosen from.
    let visible: [MessageNumber: VisibleMessage]
    /// Whether the search was for messages of certain senders.
    var isFilteredBySender = false

    /// What was chosen.
    struct Choice {
        var hits: [Fusion.Ranked]
        /// Whether it would be the same if more followed what it was chosen from.
        var isFinal: Bool
    }

    /// Returns at most `limit` of `ranked`, in their order.
    ///
    /// Of messages of one conversation with nearly the same words only the best stays; the same words elsewhere were
    /// said to others. An author who had the share that one may have waits until there is room again, or nobody else is
    /// left. Where a thread has had its places among the first ten, its others come after them; they are not lost.
    func hits(of ranked: some Sequence<Fusion.Ranked>, limit: Int) -> Choice {
        var choice = chosen(of: ranked, limit: limit)
        choice.hits = spread(choice.hits)
        return choice
    }

    private func chosen(of ranked: some Sequence<Fusion.Ranked>, limit: Int) -> Choice {
        var shares = AuthorShares(settings.authorShare)
        var duplicates = Duplicates(overlap: settings.duplicateOverlap)
        var late: [Fusion.Ranked] = []
        var kept: [Fusion.Ranked] = []
        func keep(_ entry: Fusion.Ranked) {
            kept.append(entry)
            shares.count(entry)
        }
        for entry in ranked where kept.count < limit {
            guard let visible = visible[entry.candidate.number], !duplicates.repeats(visible) else { continue }
            while kept.count < limit, let place = late.firstIndex(where: shares.hasRoom) {
                keep(late.remove(at: place))
            }
            if kept.count == limit { break }
            if isFilteredBySender || shares.hasRoom(for: entry) { keep(entry) } else { late.append(entry) }
        }
        let isFinal = kept.count == limit
        while kept.count < limit, !late.isEmpty {
            keep(late.remove(at: late.firstIndex(where: shares.hasRoom) ?? 0))
        }
        return Choice(hits: kept, isFinal: isFinal)
    }

    private func spread(_ entries: [Fusion.Ranked]) -> [Fusion.Ranked] {
        guard settings.threadLimit > 0 else { return entries }
        var counts: [Thread: Int] = [:]
        var first: [Fusion.Ranked] = []
        var late: [Fusion.Ranked] = []
        for (place, entry) in entries.enumerated() {
            if first.count >= Self.watchedCount { return first + late + entries[place...] }
            let thread = Thread(
                conversation: entry.candidate.conversation.id,
                root: visible[entry.candidate.number]?.message.threadRootID)
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
    }
}

/// Finds messages of one conversation that say what a better one said.
private struct Duplicates {
    /// Messages of fewer words ("ok, thanks") are alike without telling the same.
    private static let telling = 4

    private let least: Double
    private var said: [ConversationNumber: [Set<String>]] = [:]

    init(overlap: Double) {
        least = overlap
    }

    /// Whether a message repeats one that was looked at before; notes it when not.
    mutating func repeats(_ visible: VisibleMessage) -> Bool {
        guard least <= 1 else { return false }
        let words = Set(TextAnalyzer.tokens(of: visible.message.searchableText, language: .other).map(\.word))
        let known = said[visible.conversation] ?? []
        if words.count >= Self.telling, known.contains(where: { Self.overlap($0, words) >= least }) { return true }
        said[visible.conversation] = known + [words]
        return false
    }

    /// The part of two sets that they share, as Jaccard has it: 0...1.
    private static func overlap(_ left: Set<String>, _ right: Set<String>) -> Double {
        guard !left.isEmpty, !right.isEmpty else { return 0 }
        let (small, large) = left.count < right.count ? (left, right) : (right, left)
        let shared = small.count { large.contains($0) }
        return Double(shared) / Double(left.count + right.count - shared)
    }
}

/// How many places each author has.
private struct AuthorShares {
    /// The share counts from so many places on: of fewer an author may have as many as of these.
    private static let fewest = 5

    private let share: Double
    private var total = 0
    private var counts: [Int64: Int] = [:]

    init(_ share: Double) {
        self.share = share
    }

    /// Whether the next place may be this message's.
    func hasRoom(for entry: Fusion.Ranked) -> Bool {
        guard share < 1, !entry.candidate.isBySpeaker else { return true }
        let limit = (share * Double(max(Self.fewest, total + 1))).rounded(.up)
        return Double(counts[entry.candidate.sender, default: 0] + 1) <= limit
    }

    mutating func count(_ entry: Fusion.Ranked) {
        total += 1
        counts[entry.candidate.sender, default: 0] += 1
    }
}
