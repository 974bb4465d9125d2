import ChatCore
import TextAnalysis

/// Chooses hits from ordered candidates; pure.
struct Selection: Sendable {
    /// The number of hits that the limit for threads applies to; later ones keep their order.
    private static let watchedCount = 10

    let settings: SelectionSettings
    /// The messages of the candidates.
    let visible: [MessageNumber: VisibleMessage]
    /// Whether the search was for messages of certain senders.
    var isFilteredBySender = false

    /// The time zone of conversations that have none.
    var zone = "UTC"

    /// The chosen hits.
    struct Choice {
        var hits: [Fusion.Ranked]
        /// The messages that each hit stands for, by the hit's number; see ``RepeatKey``.
        var repeats: [MessageNumber: [MessageNumber]] = [:]
        /// Whether more candidates would not change it.
        var isFinal: Bool
        /// Whether there are candidates behind it.
        var hasMore: Bool

        /// Leaves out hits that stand for one of `shown`, and those behind the first `limit`.
        mutating func keep(_ limit: Int, without shown: Set<MessageNumber>) {
            hits.removeAll { entry in
                let number = entry.candidate.number
                return shown.contains(number) || repeats[number]?.contains(where: shown.contains) == true
            }
            if hits.count > limit {
                hits.removeLast(hits.count - limit)
                hasMore = true
            }
        }
    }

    /// Returns at most `limit` of `ranked`, in their order.
    ///
    /// Of messages that say the same in one conversation, only the best is kept. In different conversations they are
    /// kept, because they were said to different people. An author who reached the share limit is skipped until other
    /// authors are used up. Further messages of a thread that reached its limit come after the first ten.
    ///
    /// - Parameters:
    ///   - ranked: Candidates whose messages were read, best first.
    ///   - limit: The most hits.
    ///   - unread: The candidates behind them.
    /// - Returns: The hits.
    func hits(
        of ranked: some Collection<Fusion.Ranked>, limit: Int, before unread: some Sequence<Fusion.Ranked>
    ) -> Choice {
        var choice = chosen(of: ranked, limit: limit, before: unread)
        choice.hits = spread(choice.hits)
        return choice
    }

    private func chosen(
        of ranked: some Collection<Fusion.Ranked>, limit: Int, before unread: some Sequence<Fusion.Ranked>
    ) -> Choice {
        var shares = AuthorShares(settings.authorShare)
        var groups = RepeatGroups(zone: zone)
        var late: [Fusion.Ranked] = []
        var kept: [Fusion.Ranked] = []
        func keep(_ entry: Fusion.Ranked) {
            kept.append(entry)
            shares.count(entry)
        }
        for entry in ranked where kept.count < limit {
            guard let visible = visible[entry.candidate.number] else { continue }
            if settings.groupsRepeats, groups.repeats(visible, in: entry.candidate.conversation) { continue }
            while kept.count < limit, let place = late.firstIndex(where: shares.hasRoom) {
                keep(late.remove(at: place))
            }
            if kept.count == limit { break }
            if isFilteredBySender || shares.hasRoom(for: entry) { keep(entry) } else { late.append(entry) }
        }
        // An unread message is skipped if its author has no place left. It fills no place at the end either if as many
        // skipped ones of the same author come before it as there are places.
        let skipped = Dictionary(late.map { ($0.candidate.sender, 1) }, uniquingKeysWith: +)
        let isFinal =
            kept.count == limit
            || unread.allSatisfy { entry in
                !isFilteredBySender && !shares.hasRoom(for: entry)
                    && skipped[entry.candidate.sender, default: 0] >= limit - kept.count
            }
        while kept.count < limit, !late.isEmpty {
            keep(late.remove(at: late.firstIndex(where: shares.hasRoom) ?? 0))
        }
        let count = kept.count + groups.repeats.values.reduce(0) { $0 + $1.count }
        let hasMore = count < ranked.count || unread.contains { _ in true }
        return Choice(hits: kept, repeats: groups.repeats, isFinal: isFinal, hasMore: hasMore)
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

/// Messages that say the same as a better one.
private struct RepeatGroups {
    let zone: String
    private(set) var repeats: [MessageNumber: [MessageNumber]] = [:]
    /// By ``RepeatKey/sign(of:)``.
    private var known: [Int: [VisibleMessage]] = [:]

    init(zone: String) {
        self.zone = zone
    }

    /// Returns whether a message says the same as an earlier one, and adds it to that one's group.
    mutating func repeats(_ visible: VisibleMessage, in conversation: PermittedConversation) -> Bool {
        guard RepeatKey.canRepeat(visible.message) else { return false }
        let zone = conversation.timeZone ?? zone
        let sign = RepeatKey.sign(of: visible.message)
        guard let first = known[sign]?.first(where: { RepeatKey.areEqual($0, visible, zone: zone) }) else {
            known[sign, default: []].append(visible)
            return false
        }
        repeats[first.number, default: []].append(visible.number)
        return true
    }
}

/// The number of places of each author.
private struct AuthorShares {
    /// With fewer places than this, the share is taken of this many.
    private static let fewest = 5

    private let share: Double
    private var total = 0
    private var counts: [Int64: Int] = [:]

    init(_ share: Double) {
        self.share = share
    }

    /// Whether this message may have the next place.
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
