import ChatCore

/// The claimed messages of one generation that were not sent yet.
///
/// A message that does not fit a request is sent in several, in turns with the others: messages that fit keep their order
/// among themselves, and a message of hundreds of passages delays them by one request at a time.
struct GenerationBuffer {
    /// Messages of one kind.
    private struct Line {
        /// Messages that fit a request, in their order.
        var short: [PreparedMessage] = []
        /// Messages that do not, each for its next turn.
        var long: [PreparedMessage] = []
        /// Whether a long message has the next turn, when there are both.
        var longIsNext = false

        var count: Int { short.count + long.count }
        var items: [WorkItem] { (short + long).map(\.item) }

        mutating func append(_ message: PreparedMessage, settings: IngestSettings) {
            if message.isLong(settings) { long.append(message) } else { short.append(message) }
        }

        mutating func putBack(_ messages: [PreparedMessage], settings: IngestSettings) {
            short.insert(contentsOf: messages.filter { !$0.isLong(settings) }, at: 0)
            long.insert(contentsOf: messages.filter { $0.isLong(settings) }, at: 0)
        }
    }

    private(set) var generation: EmbeddingGeneration
    private var new = Line()
    private var backlog = Line()
    /// Whether the queue may hold more than was claimed.
    var mayHaveMore = true

    init(_ generation: EmbeddingGeneration) {
        self.generation = generation
    }

    /// The service that embeds for it.
    var service: ModelServiceName { generation.service }

    /// Everything that waits here.
    var items: [WorkItem] { new.items + backlog.items }
    /// How much backlog waits here.
    var backlogCount: Int { backlog.count }
    /// Whether nothing waits here.
    var isEmpty: Bool { new.count == 0 && backlog.count == 0 }

    /// Takes note of what the generation is used for now.
    mutating func renew(_ generation: EmbeddingGeneration) {
        self.generation = generation
    }

    /// Adds what was claimed, or what has more turns to come.
    mutating func append(_ messages: [PreparedMessage], settings: IngestSettings) {
        for message in messages {
            if message.item.isBacklog {
                backlog.append(message, settings: settings)
            } else {
                new.append(message, settings: settings)
            }
        }
    }

    /// Puts back what was not embedded; it is the next to be sent.
    mutating func putBack(_ messages: [PreparedMessage], isBacklog: Bool, settings: IngestSettings) {
        if isBacklog {
            backlog.putBack(messages, settings: settings)
        } else {
            new.putBack(messages, settings: settings)
        }
    }

    /// Removes everything, or the backlog alone, and returns it.
    mutating func removeAll(backlogOnly: Bool = false) -> [WorkItem] {
        let removed = backlogOnly ? backlog.items : items
        backlog = Line()
        if !backlogOnly { new = Line() }
        return removed
    }

    /// Takes the messages of the next request; none when there are none, or not enough for a full one while more is
    /// wanted.
    ///
    /// - Parameters:
    ///   - isBacklog: Of which kind.
    ///   - settings: How many texts fit into a request; only a message that alone has more is divided.
    ///   - tokenLimit: How many tokens fit into it; a single message, or passage of a long one, may have more.
    ///   - waitsForMore: Whether a request that is not full is put off.
    /// - Returns: The messages and the tokens that they are expected to take.
    mutating func next(
        isBacklog: Bool, settings: IngestSettings, tokenLimit: Int, waitsForMore: Bool
    ) -> (messages: [PreparedMessage], tokenCount: Int) {
        var line = isBacklog ? backlog : new
        defer { if isBacklog { backlog = line } else { new = line } }
        if line.longIsNext || line.short.isEmpty, !line.long.isEmpty {
            line.longIsNext = false
            let turn = line.long.removeFirst()
                .takingTurn(itemLimit: settings.batchItemCount, tokenLimit: min(tokenLimit, settings.batchTokenCount))
            return ([turn.message], turn.tokenCount)
        }
        var (count, items, tokens) = (0, 0, 0)
        for message in line.short {
            let nextItems = items + message.passages.count
            let nextTokens = tokens + message.tokenCount
            let isTooMuch = nextItems > settings.batchItemCount || nextTokens > tokenLimit
            if count > 0, isTooMuch { break }
            (count, items, tokens) = (count + 1, nextItems, nextTokens)
        }
        if count == line.short.count, waitsForMore, count < settings.batchItemCount, line.long.isEmpty {
            return ([], 0)
        }
        let messages = Array(line.short.prefix(count))
        line.short.removeFirst(count)
        line.longIsNext = true
        return (messages, tokens)
    }
}
