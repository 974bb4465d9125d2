import ChatCore
package import Foundation

/// The bodies of notifications, and how long texts are cut to the services' limits.
package enum PushPayload {
    /// The limit of APNs and FCM.
    package static let appByteLimit = 4_096
    /// The limit of a body to a gateway, which has to fit the text into a service's limit itself.
    package static let gatewayByteLimit = 16_384
    private static let nameByteLimit = 256
    private static let ellipsis = "…"

    /// The readable part of a notification.
    package struct Words: Equatable, Sendable {
        /// The sender's name, at most 256 bytes, without control characters.
        package let senderName: String
        /// The text, or its beginning and "…".
        package let messageText: String
    }

    /// Returns the longest body within the limit.
    ///
    /// The text is cut between two Unicode scalars. If not even an empty text fits, the body has no words.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - detail: Whether the body has words.
    ///   - byteLimit: The most bytes of the body; a body without words must fit.
    ///   - render: Writes the body; the longer the text, the longer the body.
    /// - Returns: The body.
    /// - Complexity: O(log *limit*) calls of `render`.
    package static func fitted(
        _ notification: PushNotification, _ detail: PushDetail, byteLimit: Int, _ render: (Words?) -> Data
    ) -> Data {
        guard detail == .text else { return render(nil) }
        let name = cleanName(notification.senderName)
        func body(_ text: String) -> Data? {
            guard text.utf8.count <= byteLimit else { return nil }
            let body = render(Words(senderName: name, messageText: text))
            return body.count <= byteLimit ? body : nil
        }
        if let whole = body(notification.text) { return whole }
        let scalars = Array(notification.text.prefix(utf8Count: byteLimit).unicodeScalars)
        var longest: Data?
        var (low, high) = (0, scalars.count)
        while low <= high {
            let count = (low + high) / 2
            var beginning = String.UnicodeScalarView()
            beginning.append(contentsOf: scalars.prefix(count))
            if let fitting = body(String(beginning) + ellipsis) {
                longest = fitting
                low = count + 1
            } else {
                high = count - 1
            }
        }
        return longest ?? render(nil)
    }

    private static func cleanName(_ name: String) -> String {
        let scalars = name.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(String(view).prefix(utf8Count: nameByteLimit))
    }

    /// The keys that apps read, the same for every service.
    static func fields(of notification: PushNotification, _ words: Words?) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "conversationId": .string(notification.conversationID.rawValue),
            "messageId": .string(notification.messageID.rawValue),
            "senderId": .string(notification.senderID.rawValue),
            "unread": .integer(Int64(notification.unread)),
        ]
        if let seq = notification.seq { fields["seq"] = .integer(seq) }
        if let words {
            fields["senderName"] = .string(words.senderName)
            fields["messageText"] = .string(words.messageText)
        }
        return fields
    }
}
