/// How many searches are carried out at a time.
public struct SearchLimits: Hashable, Sendable {
    /// Of all users.
    public var running: Int
    /// Of one user; further ones wait.
    public var perUser: Int
    /// Waiting, of one user; the rest is refused at once.
    public var waitingPerUser: Int
    /// Waiting, of all users; the rest is refused at once.
    public var waiting: Int

    /// Joins the limits; the first two are at least 1.
    public init(running: Int = 256, perUser: Int = 32, waitingPerUser: Int = 256, waiting: Int = 1_024) {
        self.running = running
        self.perUser = perUser
        self.waitingPerUser = waitingPerUser
        self.waiting = waiting
    }

    /// The limits of requests that embed many texts: one of a user at a time, as one keeps all processors busy.
    package static let embeddings = SearchLimits(running: 4, perUser: 1, waitingPerUser: 8, waiting: 64)
}

/// How many questions are answered at a time.
public struct QuestionLimits: Hashable, Sendable {
    /// Of all users.
    public var running: Int
    /// Of one user, waiting ones included.
    public var perUser: Int
    /// Waiting for a place, of all users; the rest is refused at once.
    public var waiting: Int

    /// Joins the limits; each is at least 1, but for waiting, which may be 0.
    public init(running: Int = 256, perUser: Int = 8, waiting: Int = 1_024) {
        self.running = running
        self.perUser = perUser
        self.waiting = waiting
    }
}

/// Why a request is not carried out now.
public enum LimitError: Error, Equatable, Sendable {
    /// This user has too many searches under way or waiting.
    case tooManySearches
    /// This user has too many questions under way.
    case tooManyQuestions
    /// All users together have too much waiting.
    case overloaded
}
