/// The chat itself: what people and importers write, and what a search reads.
public typealias ChatStore = ConversationRepository & MessageRepository

/// What the worker claims, embeds and commits.
public typealias IngestStore = WorkQueue & GenerationRepository

/// What the indexes are derived from.
public typealias IndexFeed = ChangeFeed & GenerationRepository

/// What the assistant keeps: questions and answers, threads, extracted items, summaries, mentions.
public typealias AssistantStore = TurnRepository & ThreadRepository & ItemRepository & SummaryRepository
    & MentionRepository & TokenUsageRepository

/// What administrators manage: keys, events from other systems, the files of the indexes.
public typealias AdminStore = APIKeyRepository & EventIntake & SnapshotRegister

/// Everything that a store does.
///
/// A module takes the part that it needs; only assembly, the HTTP API and contract tests know the whole.
public protocol Store: ChatStore, IngestStore, IndexFeed, AssistantStore, AdminStore {}
