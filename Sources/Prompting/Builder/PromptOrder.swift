import ChatCore

/// In which order a prompt shows its sources.
public enum PromptLayout: String, Hashable, Sendable, Codable, CaseIterable {
    /// Best first.
    case byRank = "by_rank"
    /// Each conversation together, the one with the best source first, and in order of time, so that they read as a talk.
    case byConversation = "by_conversation"
}

/// The order in which sources are shown: what the numbers of a prompt count.
public enum PromptOrder {
    /// Returns the order of sources.
    ///
    /// - Parameters:
    ///   - sources: Best first.
    ///   - layout: How they are put.
    /// - Returns: The places of `sources`, each once: the first is that of the source shown first. Messages of the same
    ///   moment stand best first.
    public static func places(of sources: some Collection<PromptSource>, layout: PromptLayout) -> [Int] {
        switch layout {
        case .byRank:
            return Array(0..<sources.count)
        case .byConversation:
            var best: [ConversationID: Int] = [:]
            for (place, source) in sources.enumerated() where best[source.conversationID] == nil {
                best[source.conversationID] = place
            }
            return sources.enumerated()
                .map { place, source in (best[source.conversationID] ?? place, source.timestamp, place) }
                .sorted { $0 < $1 }
                .map(\.2)
        }
    }
}
