/// The statements that run for each search, page or batch; a test reads their query plans.
package enum HotStatement: String, CaseIterable, Sendable {
    case page
    case laterPage
    case message
    case permitted
    case permittedOne
    case permittedByNumber
    case conversations
    case wake
    case claim
    case entry
    case changes
    case passages
    case passage
    case passagesOfMessage
    case passageOfContent
    case messagesOfNumbers
    case passagesOfMessages
    case embeddedCount
    case pendingCount
    case passageCount
    case searchableCount

    /// The statement as it is run.
    package var sql: String {
        switch self {
        case .page: SQLiteStore.pageSQL
        case .laterPage: SQLiteStore.laterPageSQL
        case .message: StoredMessage.byKey
        case .permitted: Permission.all
        case .permittedOne: Permission.one
        case .permittedByNumber: Permission.oneByNumber
        case .conversations: Permission.page
        case .wake: QueueRows.wake
        case .claim: QueueRows.ready
        case .entry: QueueRows.current
        case .changes: ChangeLog.selection
        case .passages: PassageRows.page
        case .passage: PassageRows.one
        case .passagesOfMessage: PassageRows.ofMessage
        case .passageOfContent: PassageRows.ofContent
        case .messagesOfNumbers: StoredMessage.byNumbers
        case .passagesOfMessages: CandidateReading.passages
        case .embeddedCount: QueueRows.embedded
        case .pendingCount: QueueRows.pending
        case .passageCount: PassageRows.count
        case .searchableCount: IndexedRows.count
        }
    }

    /// Whether its rows are few enough to be sorted: one asker's conversations, one search's passages.
    package var maySort: Bool { self == .permitted || self == .conversations || self == .passagesOfMessages }
}
