import ChatCore

/// The statements that run for each search, page or batch; a test checks their query plans.
package enum HotStatement: String, CaseIterable, Sendable {
    case page
    case laterPage
    case message
    case permitted
    case permittedAccepted
    case permittedOne
    case permittedByNumber
    case permittedOfMessages
    case membersOfConversations
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
    case repeats
    case embeddedCount
    case pendingCount
    case passageCount
    case searchableCount
    case items
    case itemsOfMessage
    case itemsOfPerson
    case itemsChanged
    case itemsPageEnd
    case removals
    case removalsOfConversation
    case removalsOfOwner
    case threads
    case laterThreads
    case threadsChanged
    case exchange
    case turns
    case laterTurns
    case turnsOfThread
    case laterTurnsOfThread
    case turnsChanged
    case turnsPageEnd
    case turnsStanding
    case textsChanged
    case summaries
    case summaryKept
    case summaryRemoval
    case summaryClearing
    case summaryMessages
    case mentionsFound
    case mentionDue
    case mentionCount
    case mentionsAnswered
    case mentionsStanding
    case mentionBasis
    case mentionPlaces
    case answerBasis
    case outdatedTurn
    case outdatedPost
    case outdatedChanged
    case comparedMessages
    case citingTurns
    case citingPosts
    case verdictsOfMessage
    case verdictsNaming
    case readingSpans
    case deliveryDue
    case feedOwn
    case feedOfConversation
    case feedErased
    case feedErasedMessages
    case feedMembers
    case feedConcerned
    case feedParents
    case unread
    case unreadMentions
    case membersUnnamed
    case nameMentioned
    case nameBeginning
    case inboxNames
    case fileUse
    case saved
    case savedWithReminder
    case reminderDue
    case scheduledDue
    case profiles
    case picture
    case groupProfiles
    case groupPicture

    /// The SQL of the statement.
    package var sql: String {
        switch self {
        case .page: SQLStore.pageSQL
        case .feedOwn: FeedReading.own
        case .feedOfConversation: FeedReading.ofConversation
        case .feedErased: FeedReading.erased
        case .feedErasedMessages: FeedReading.erasedMessages
        case .feedMembers: SharedFeed.presentMembers
        case .feedConcerned: SharedFeed.concernedUsers
        case .feedParents: SharedFeed.parents
        case .unread: InboxReading.unread
        case .unreadMentions: InboxReading.mentions
        case .laterPage: SQLStore.laterPageSQL
        case .message: StoredMessage.byKey
        case .permitted: Permission.all
        case .permittedAccepted: Permission.accepted
        case .permittedOne: Permission.one
        case .membersUnnamed: MemberNameRows.unnamed
        case .nameMentioned: MemberNameRows.mentioned
        case .nameBeginning: MemberNameRows.beginning
        case .inboxNames: InboxReading.withMember
        case .fileUse: FileRows.use
        case .permittedByNumber: Permission.oneByNumber
        case .permittedOfMessages: Permission.ofMessages
        case .membersOfConversations: SQLStore.membersOfAll
        case .conversations: Permission.page
        case .wake: QueueRows.wake()
        case .claim: QueueRows.ready
        case .entry: QueueRows.current
        case .changes: ChangeLog.selection
        case .passages: PassageRows.page
        case .passage: PassageRows.one
        case .passagesOfMessage: PassageRows.ofMessage
        case .passageOfContent: PassageRows.ofContent
        case .messagesOfNumbers: StoredMessage.byNumbers
        case .passagesOfMessages: CandidateReading.passages
        case .repeats: CandidateReading.repeats
        case .embeddedCount: QueueRows.embedded
        case .pendingCount: QueueRows.pending
        case .passageCount: PassageRows.count
        case .searchableCount: IndexedRows.count
        case .items: ItemRows.list
        case .itemsOfMessage: ItemRows.ofMessage
        case .itemsOfPerson: ItemRows.ofPerson
        case .itemsChanged: ItemRows.changed
        case .itemsPageEnd: FollowedList.pageEnd(ItemRows.followed)
        case .removals: FollowedList.exchange(of: "", in: 0).removed
        case .removalsOfConversation: FollowedList.items(of: .actionItem, in: 0).removed
        case .removalsOfOwner: FollowedList.threads(of: "").removed
        case .threads: ThreadRows.page(isFirst: true)
        case .laterThreads: ThreadRows.page(isFirst: false)
        case .threadsChanged: ThreadRows.changed
        case .exchange: ThreadRows.ofConversation
        case .turns: TurnRows.selection(TurnRows.page(inThread: false, isFirst: true))
        case .laterTurns: TurnRows.selection(TurnRows.page(inThread: false, isFirst: false))
        case .turnsOfThread: TurnRows.selection(TurnRows.page(inThread: true, isFirst: true))
        case .laterTurnsOfThread: TurnRows.selection(TurnRows.page(inThread: true, isFirst: false))
        case .turnsChanged: TurnRows.selection(TurnRows.changed)
        case .turnsPageEnd: FollowedList.pageEnd(TurnRows.followed)
        case .turnsStanding: TurnRows.standing + TurnRows.standingInThreads
        case .textsChanged: TurnRedaction.editedInConversation
        case .summaries: SummaryRows.list
        case .summaryKept: SummaryRows.kept
        case .summaryRemoval: SummaryRows.removal
        case .summaryClearing: SummaryRows.clearing
        case .summaryMessages: SummaryRows.messages
        case .mentionsFound: SQLStore.messagesBeginningWithAt
        case .mentionDue: MentionRows.due
        case .mentionCount: MentionRows.answerCount
        case .mentionsAnswered: MentionRows.answered
        case .mentionsStanding: MentionRows.standing
        case .mentionBasis: MentionRows.basis
        case .mentionPlaces: MentionRows.places
        case .answerBasis: MessageReading.hidden
        case .outdatedTurn: OutdatedRows.ofTurn
        case .outdatedPost: OutdatedRows.ofMessage
        case .outdatedChanged: OutdatedRows.changed
        case .comparedMessages: SQLStore.messagesToCompare
        case .citingTurns: OutdatedRows.turnsCiting
        case .citingPosts: OutdatedRows.postsCiting
        case .verdictsOfMessage: VerdictRows.ofMessage
        case .verdictsNaming: VerdictRows.byNewer
        case .readingSpans: ReadingSpanRows.list
        case .deliveryDue: MentionRows.deliveryDue
        case .saved: SavedRows.page
        case .savedWithReminder: SavedRows.remindedPage
        case .reminderDue: SavedRows.due
        case .scheduledDue: ScheduledRows.due
        case .profiles: ProfileRows.seen
        case .picture: ProfileRows.picture
        case .groupProfiles: ProfileRows.groups
        case .groupPicture: ProfileRows.groupPicture
        }
    }

    /// Whether its rows are few enough to be sorted.
    ///
    /// These are one asker's conversations, one search's passages, a person's items in a conversation, the turns that
    /// are based on a message, the messages among a thousand changes, the conversations of an answer, the messages that
    /// repeat one, the messages that make an answer wrong, and answers of a limited number.
    package var maySort: Bool {
        [
            .permitted, .permittedAccepted, .conversations, .passagesOfMessages, .itemsOfPerson, .turnsStanding,
            .mentionsFound,
            .mentionPlaces, .answerBasis, .repeats, .outdatedTurn, .outdatedPost, .comparedMessages, .citingTurns,
            .citingPosts, .outdatedChanged, .verdictsNaming,
        ].contains(self)
    }
}
