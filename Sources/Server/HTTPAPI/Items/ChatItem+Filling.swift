import Assistant
package import ChatCore
package import NexusModel
import TextAnalysis
import UseCases

extension ChatItem {
    package init(_ item: ExtractedItem) {
        let kind = ChatItemKind(item.kind)
        self.init(
            id: item.id.rawValue, kind: kind, conversationId: item.key.conversationID.rawValue,
            messageId: item.key.messageID.rawValue, text: item.text, person: item.personName,
            personId: item.personID?.rawValue, due: item.due?.wireDate,
            allDay: kind == .decision ? nil : item.due?.isEndOfDay ?? false,
            status: kind == .decision ? nil : .init(item.status),
            priority: kind == .actionItem ? .init(item.priority) : nil, supersededBy: item.supersededByID?.rawValue,
            quote: item.quote, sentAt: item.sentAt.wireDate, extractedAt: item.extractedAt.wireDate)
    }
}

extension ChatItemKind {
    init(_ kind: ExtractedItem.Kind) {
        switch kind {
        case .actionItem: self = .actionItem
        case .decision: self = .decision
        case .deadline: self = .deadline
        }
    }
}

extension ChatItemPage {
    init(_ page: ListPage<ExtractedItem>) {
        self.init(
            items: page.elements.map { ChatItem($0) },
            next: page.hasMore ? page.elements.last?.id.rawValue : nil)
    }
}

extension NexusModel.MessagePriority {
    init(_ priority: Assistant.MessagePriority) {
        let message = priority.message
        self.init(
            messageId: message.key.messageID.rawValue, senderId: message.senderID.rawValue,
            senderName: message.senderName, timestamp: message.timestamp.wireDate, text: message.shownText,
            score: priority.score, reason: priority.reason)
    }
}
