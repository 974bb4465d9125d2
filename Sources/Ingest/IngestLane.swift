import ChatCore

/// The claimed messages of one generation that were not sent yet.
struct IngestLane {
    private(set) var generation: EmbeddingGeneration
    private var new: [PreparedMessage] = []
    private var backlog: [PreparedMessage] = []
    /// Whether the queue may hold more than was claimed.
    var mayHaveMore = true

    init(_ generation: EmbeddingGeneration) {
        self.generation = generation
    }

    /// The service that embeds for it.
    var service: ModelServiceName { generation.service }

    /// Everything that waits here.
    var items: [WorkItem] { (new + backlog).map(\.item) }
    /// How much backlog waits here.
    var backlogCount: Int { backlog.count }
    /// Whether nothing waits here.
    var isEmpty: Bool { new.isEmpty && backlog.isEmpty }

    /// Takes note of what the generation is used for now.
    mutating func renew(_ generation: EmbeddingGeneration) {
        self.generation = generation
    }

    /// Adds what was claimed.
    mutating func append(_ messages: [PreparedMessage]) {
        for message in messages {
            if message.item.isBacklog { backlog.append(message) } else { new.append(message) }
        }
    }

    /// Puts back what was not embedded; it is the next to be sent.
    mutating func putBack(_ messages: [PreparedMessage], isBacklog: Bool) {
        if isBacklog { backlog.insert(contentsOf: messages, at: 0) } else { new.insert(contentsOf: messages, at: 0) }
    }

    /// Removes everything, or the backlog alone, and returns it.
    mutating func removeAll(backlogOnly: Bool = false) -> [WorkItem] {
        let removed = (backlogOnly ? backlog : new + backlog).map(\.item)
        backlog = []
        if !backlogOnly { new = [] }
        return removed
    }

    /// Takes the messages of the next request; none when there are none, or not enough for a full one while more is
    /// wanted.
    ///
    /// - Parameters:
    ///   - isBacklog: Of which kind.
    ///   - settings: How many texts fit into a request; a message is never divided.
    ///   - tokenLimit: How many tokens fit into it; a single message may have more.
    ///   - waitsForMore: Whether a request that is not full is put off.
    /// - Returns: The messages and the tokens that they are expected to take.
    mutating func next(
        isBacklog: Bool, settings: IngestSettings, tokenLimit: Int, waitsForMore: Bool
    ) -> (messages: [PreparedMessage], tokenCount: Int) {
        let waiting = isBacklog ? backlog : new
        var (count, items, tokens) = (0, 0, 0)
        for message in waiting {
            let nextItems = items + message.passages.count
            let nextTokens = tokens + message.tokenCount
            let isTooMuch = nextItems > settings.batchItemCount || nextTokens > tokenLimit
            if count > 0, isTooMuch { break }
            (count, items, tokens) = (count + 1, nextItems, nextTokens)
        }
        if count == waiting.count, waitsForMore, count < settings.batchItemCount { return ([], 0) }
        if isBacklog { backlog.removeFirst(count) } else { new.removeFirst(count) }
        return (Array(waiting[..<count]), tokens)
    }
}
