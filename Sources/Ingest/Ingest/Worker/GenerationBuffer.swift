import ChatCore

/// The claimed messages of one generation that were not sent yet.
///
/// A message that does not fit a request is sent in several turns, alternating with the other messages. Messages that
/// fit keep their order, and a message of hundreds of passages delays them by one request at a time.
struct GenerationBuffer {
    /// Messages of one kind.
    private struct Line {
        /// Messages that fit a request, in their order.
        var short: [PreparedMessage] = []
        /// Longer messages, each with its next turn.
        var long: [PreparedMessage] = []
        /// Whether a long message has the next turn, if both kinds wait.
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
    /// Whether the queue may contain more than was claimed.
    var mayHaveMore = true

    init(_ generation: EmbeddingGeneration) {
        self.generation = generation
    }

    /// The service that embeds for it.
    var service: ModelServiceName { generation.service }

    /// Everything that waits.
    var items: [WorkItem] { new.items + backlog.items }
    var backlogCount: Int { backlog.count }
    var isEmpty: Bool { new.count == 0 && backlog.count == 0 }

    /// Replaces the generation by its new state.
    mutating func renew(_ generation: EmbeddingGeneration) {
        self.generation = generation
    }

    /// Adds claimed messages, or messages that need another turn.
    mutating func append(_ messages: [PreparedMessage], settings: IngestSettings) {
        for message in messages {
            if message.item.isBacklog {
                backlog.append(message, settings: settings)
            } else {
                new.append(message, settings: settings)
            }
        }
    }

    /// Puts back messages that were not embedded; they are sent next.
    mutating func putBack(_ messages: [PreparedMessage], isBacklog: Bool, settings: IngestSettings) {
        if isBacklog {
            backlog.putBack(messages, settings: settings)
        } else {
            new.putBack(messages, settings: settings)
        }
    }

    /// Removes and returns everything, or only the backlog.
    mutating func removeAll(backlogOnly: Bool = false) -> [WorkItem] {
        let removed = backlogOnly ? backlog.items : items
        backlog = Line()
        if !backlogOnly { new = Line() }
        return removed
    }

    /// Takes the messages of the next request; none if there are none, or too few for a full request while more are
    /// wanted.
    ///
    /// - Parameters:
    ///   - isBacklog: Whether to take backlog or new messages.
    ///   - settings: How many texts fit into a request; a message is divided only if it alone has more.
    ///   - tokenLimit: How many tokens fit into a request; a single message, or passage of a long one, may have more.
    ///   - waitsForMore: Whether a request that is not full is postponed.
    /// - Returns: The messages and their expected tokens.
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
