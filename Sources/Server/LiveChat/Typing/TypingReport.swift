import ChatCore
import Foundation

/// A ``TypingEvent`` as nodes tell it each other.
struct TypingReport: Codable {
    var conversation: ConversationID
    var user: UserID
    /// In milliseconds.
    var remaining: Int64

    private enum CodingKeys: String, CodingKey {
        case conversation = "c"
        case user = "u"
        case remaining = "r"
    }

    init(_ event: TypingEvent) {
        (conversation, user) = (event.conversation, event.user)
        remaining = Int64(max(0, event.remaining / .milliseconds(1)))
    }

    /// Nil for a text that cannot be read.
    init?(_ text: String) {
        guard let report = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = report
    }

    var text: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    var event: TypingEvent {
        TypingEvent(conversation: conversation, user: user, remaining: .milliseconds(max(0, remaining)))
    }
}
