extension ItemFault.Reason {
    /// What a model is told, so that it can mend its reply.
    public var explanation: String {
        switch self {
        case .noItems: "there is no JSON object with a list \"items\""
        case .truncated: "the list breaks off before its end: give fewer words to each item"
        case .unknownMessage: "\"message\" is not the number of a message above"
        case .contextMessage: "the message is marked \"(earlier)\""
        case .missingText: "it does not say what"
        case .unknownPerson: "the person is not one participant of the list"
        case .badDate: "the date is not one that a message says"
        case .foreignQuote: "the quote does not stand in the message"
        case .duplicate: "it says the same as another item"
        case .badScore: "\"score\" is not a number from 0 to 1"
        case .unknownSuperseded: "\"supersedes\" is not the number of an earlier message"
        case .tooMany: "there are more items than the messages can hold"
        }
    }
}
