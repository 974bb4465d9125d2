import ArgumentParser
import ChatCore

/// What `nexus eval run` measures.
enum EvalTask: String, CaseIterable, ExpressibleByArgument {
    /// What the search finds.
    case search
    /// What the language model takes out of conversations: `items.jsonl` holds what there is.
    case actionItems = "action-items"
    case decisions
    case deadlines
    /// What summaries of conversations tell: `facts.jsonl` holds what they should.
    case summaries
    /// How unread messages are told apart: `priorities.jsonl` says which are urgent.
    case priorities
    /// Which replies are suggested: `replies.jsonl` says where there must be some, and in which language.
    case replies
}
