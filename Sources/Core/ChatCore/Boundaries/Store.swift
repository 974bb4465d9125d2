/// The chat itself: people and importers write it, searches read it.
public typealias ChatStore = ConversationRepository & MessageRepository

/// What imports write, and what they compare an export with.
public typealias ImportStore = ChatStore & ImportedChatRepository

/// The queue from which the worker claims, and the generations that it fills.
public typealias IngestStore = WorkQueue & GenerationRepository

/// The source from which the indexes are derived.
public typealias IndexFeed = ChangeFeed & GenerationRepository

/// The data of the assistant: questions and answers, threads, extracted items, summaries, mentions, and
/// what made answers wrong.
public typealias AssistantStore = TurnRepository & ThreadRepository & ItemRepository & SummaryRepository
    & MentionRepository & TokenUsageRepository & OutdatedAnswerRepository & VerdictRepository

/// The data that administrators manage: keys, events from other systems, the files of the indexes, the audit log.
public typealias AdminStore = APIKeyRepository & EventIntake & SnapshotRegister & AuditLog

/// All functions of a store.
///
/// A module uses the part that it needs; only assembly, the HTTP API and contract tests use the whole.
public protocol Store: ImportStore, IngestStore, IndexFeed, AssistantStore, AdminStore {}
