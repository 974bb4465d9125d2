import Assistant
import ChatCore
import NexusModel
import Retrieval
import TextAnalysis

extension ChatTimeline {
    /// - Parameters:
    ///   - timeline: The timeline.
    ///   - links: Makes links to messages that came without one.
    init(_ timeline: Timeline, links: MessageLinkTemplate?) {
        self.init(
            entries: timeline.entries.map { Entry($0, links: links) }, asOf: timeline.asOf?.text,
            noAnswerReason: NexusModel.NoAnswerReason(rawValue: timeline.noAnswerReason.rawValue))
    }
}

extension ChatVerdict {
    init(_ verdict: ReplacementVerdict) {
        self.init(
            verdict: verdict.kind.rawValue, newer: MessagePlace(verdict.newer.key), userId: verdict.userID.rawValue,
            userName: verdict.userName, saidAt: verdict.saidAt.wireDate)
        (start, end) = (verdict.range?.lowerBound, verdict.range?.upperBound)
    }
}

extension ChatTimeline.Entry {
    init(_ entry: Timeline.Entry, links: MessageLinkTemplate?) {
        let message = entry.hit.message
        self.init(
            messageId: message.key.messageID.rawValue, conversationId: message.key.conversationID.rawValue,
            conversationName: entry.hit.conversation.displayName, senderId: message.senderID.rawValue,
            senderName: message.senderName, timestamp: message.timestamp.wireDate, excerpt: entry.sentence,
            states: entry.values.map {
                ChatTimeline.Value(
                    kind: $0.kind, text: $0.text, value: $0.value, isReplaced: $0.isReplaced ? true : nil)
            },
            replacedBy: entry.replacedBy.map { MessagePlace($0) },
            replaces: entry.replaces.isEmpty ? nil : entry.replaces.map { MessagePlace($0) })
        verdict = entry.verdict.map { ChatVerdict($0) }
        (start, end) = (entry.shownRange?.lowerBound, entry.shownRange?.upperBound)
        file = message.filePart(at: entry.range).map { NexusModel.FilePlace($0.place) }
        url = message.link(links)
    }
}
