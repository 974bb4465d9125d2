import Accounts
import Assistant
import ChatCore
import NIOCore
import Retrieval
import UseCases
import WebServer

extension Failure {
    /// Makes the failure that a client sees of an error; no other place decides this.
    ///
    /// An unknown error becomes 500 without detail.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let fault as RequestFault: self.init(fault)
        case let error as FieldError: self = .invalid(field: error.field, error.reason)
        case let error as JSONSyntaxError: self = Failure(400, "malformed_json", error.detail, .invalidArgument)
        case let error as RepositoryError: self.init(error)
        case let error as FileError: self.init(error)
        case let error as PictureError: self.init(error)
        case let error as AccountError: self.init(error)
        case let error as DailyTokensUsedUp: self = .dailyTokensUsedUp(error)
        case let error as RetrievalError: self.init(error)
        case let error as LimitError: self.init(error)
        case let error as GroupLimitError: self.init(error)
        case let error as ScheduleError: self.init(error)
        case let error as PermissionError: self.init(error)
        case let error as AddingRefusal: self.init(error)
        case let error as ModelServiceError: self.init(error)
        case let error as NIOTooManyBytesError: self = .bodyTooLarge(limit: error.maxBytes ?? 0)
        case is CancellationError: self = .shuttingDown
        default: self = .unexpected
        }
    }

    private init(_ error: LimitError) {
        switch error {
        case .tooManySearches: self = .tooManySearches
        case .tooManyQuestions: self = .tooManyQuestions
        case .overloaded: self = .overloaded
        }
    }

    private init(_ error: GroupLimitError) {
        let detail =
            switch error {
            case .conversationsPerDay(let limit): "this user made \(limit) conversations within 24 hours: wait"
            case .conversations(let limit): "this user made \(limit) conversations, and may not make more"
            case .membersPerRequest(let limit): "one request may add at most \(limit) members"
            case .membersPerDay(let limit):
                "this user may add at most \(limit) members within 24 hours: wait, or add fewer"
            case .members(let limit): "this user may have added at most \(limit) present members"
            }
        self = Failure(429, "too_many_members", detail, .resourceExhausted)
    }

    private init(_ refusal: AddingRefusal) {
        let detail =
            switch refusal {
            case .whenMade: "members of this group can only be named when it is made (permissions.add-members)"
            case .administrators: "only administrators of this group may add others (permissions.add-members)"
            case .members: "only members of this group may add others"
            case .direct: "nobody can be added to a direct conversation; make a group"
            }
        self = Failure(403, "adding_forbidden", detail, .permissionDenied)
    }

    private init(_ error: ScheduleError) {
        switch error {
        case .full(let limit):
            self = Failure(
                409, "schedules_full", "a person may have \(limit) schedules; delete one first", .resourceExhausted)
        }
    }

    private init(_ error: PermissionError) {
        switch error {
        case .notOwn: self = .notOwn
        case .foreignSender: self = .senderForbidden
        case .addingForbidden: self = .addingForbidden
        case .openingForbidden: self = .fieldForbidden(JSONField(nil, at: FieldPath("visibility")))
        case .creatorMissing: self = .invalid(field: "members", "must name the one who asks")
        }
    }

    private init(_ error: RepositoryError) {
        switch error {
        case .noSuchConversation: self = .conversationForbidden
        case .noSuchMessage: self = Failure(404, "message_not_found", "there is no such message", .notFound)
        case .noSuchItem: self = Failure(404, "item_not_found", "there is no such item", .notFound)
        case .noSuchThread: self = .noSuchThread
        case .noSuchSchedule: self = .noSuchSchedule
        case .noSuchScheduledMessage:
            self = Failure(
                404, "scheduled_message_not_found", "this user has no such scheduled message; it may have been sent",
                .notFound)
        case .noSuchTurn: self = .noSuchTurn
        case .extractionUnderWay:
            self = Failure(
                409, "extraction_under_way", "an extraction is under way in this conversation", .unavailable,
                retryAfter: 5)
        case .rightsEnded: self = .sessionEnded
        case .expiredCursor:
            self = Failure(
                410, "cursor_expired", "the cursor belongs to another change log: read again without it",
                .failedPrecondition)
        case .conflict:
            self = Failure(409, "conflict", "this id is already used for other content", .alreadyExists)
        case .invalid(let field, let reason): self = .invalid(field: field, reason)
        case .storageFull:
            self = Failure(
                507, "storage_full", "the disk is full; nothing of this request was kept", .resourceExhausted)
        case .storageReadOnly:
            self = Failure(
                507, "storage_read_only", "the disk is read-only; nothing of this request was stored",
                .failedPrecondition)
        case .storageDamaged:
            self = Failure(
                503, "storage_damaged", "the database is damaged; nothing is stored until a backup was restored",
                .unavailable)
        case .fromTheFuture, .unavailable:
            self = Failure(
                503, "store_unavailable", "the store cannot be used at present", .unavailable, retryAfter: 5)
        }
    }

    private init(_ error: RetrievalError) {
        switch error {
        case .noPermittedConversation: self = .conversationForbidden
        case .invalid(let field, let reason): self = .invalid(field: field, reason)
        }
    }

    /// 503 if waiting may help, 502 if the service answers wrongly or must be repaired; on callable routes UNAVAILABLE
    /// and FAILED_PRECONDITION, so that clients do not retry without a chance.
    private init(_ error: ModelServiceError) {
        if error == Self.lackOfModel {
            self = Failure(
                503, "model_not_configured", "no language model is configured on this server", .failedPrecondition)
            return
        }
        let status =
            switch error {
            case .unreachable, .busy, .misconfigured: 503
            case .slow: 504
            default: 502
            }
        self.init(
            status, "model_\(error.code)", Self.detail(of: error),
            error.isTransient ? .unavailable : .failedPrecondition)
        if error.isTransient { retryAfter = 5 }
        if case .busy(let wish?) = error { retryAfter = max(1, Int(clamping: wish.components.seconds)) }
    }

    /// What the assistant throws without a language model: there is nothing to repair.
    private static let lackOfModel = ModelServiceError.misconfigured(reason: "no language model is configured")

    private static func detail(of error: ModelServiceError) -> String {
        switch error {
        case .unreachable: "the model service cannot be reached"
        case .slow(let wait): "the model service \(wait.explanation); the time limit has passed"
        case .busy: "the model service is too busy"
        case .failed(let status): "the model service fails (status \(status))"
        case .unauthorized(let status): "the model service refuses the server's key (status \(status))"
        case .quotaExhausted: "the model service's account has no credit left"
        case .rejected(let status, _): "the model service refuses the request (status \(status))"
        case .tooLong: "the text is longer than the model takes"
        case .invalidReply: "the model service's reply is not valid"
        case .incompleteReply: "the model service's reply broke off"
        case .misconfigured: "the model service is not configured correctly"
        }
    }
}
