import ChatCore
import Foundation
import LiveChat
import Testing

struct PushPayloadTests {
    /// A text in which every kind of scalar occurs: escaped, one to four bytes, combining, joined.
    private static let mixed = String(repeating: "a\"\\\n\u{1}é語👩‍👩‍👧e\u{301}🇩🇪", count: 40)

    private static func body(_ words: PushPayload.Words?) -> Data {
        let text = words?.messageText ?? ""
        return (try? JSONEncoder().encode(["text": text])) ?? Data()
    }

    @Test func idsHaveNoWords() {
        var shown: [PushPayload.Words?] = []
        _ = PushPayload.fitted(.sample(), .ids, byteLimit: 4_096) { words in
            shown.append(words)
            return Data()
        }

        #expect(shown == [nil])
    }

    @Test func aTextThatFitsIsWhole() throws {
        let notification = PushNotification.sample(Self.mixed)
        let whole = try JSONEncoder().encode(["text": Self.mixed])

        let body = PushPayload.fitted(notification, .text, byteLimit: whole.count, Self.body)

        #expect(body == whole)
    }

    /// Every limit from nothing to the whole, so that the cut meets every boundary between scalars.
    @Test func cutsAtEveryBoundary() throws {
        let whole = try JSONEncoder().encode(["text": Self.mixed]).count
        let scalars = Array(Self.mixed.unicodeScalars)
        let cuts = (0...scalars.count).map { count in
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars.prefix(count))
            return String(view) + "…"
        }
        let sizes = try cuts.map { try JSONEncoder().encode(["text": $0]).count }
        var seen: Set<Int> = []

        for limit in sizes[0]..<whole {
            let body = PushPayload.fitted(.sample(Self.mixed), .text, byteLimit: limit, Self.body)
            let longest = try #require(sizes.lastIndex { $0 <= limit })
            let text = try JSONDecoder().decode([String: String].self, from: body)["text"] ?? ""
            #expect(body.count <= limit)
            #expect(text.unicodeScalars.elementsEqual(cuts[longest].unicodeScalars), "limit \(limit)")
            seen.insert(longest)
        }

        // The cut before the last scalars is as long as the whole text because of the "…".
        #expect(seen.count >= scalars.count - 3)
    }

    @Test func withoutRoomThereAreNoWords() {
        let body = PushPayload.fitted(.sample("some text"), .text, byteLimit: 2) { words in
            words == nil ? Data("ok".utf8) : Data("too long".utf8)
        }

        #expect(body == Data("ok".utf8))
    }

    @Test func namesAreShortAndPlain() {
        var name = ""
        _ = PushPayload.fitted(
            .sample("t", name: "A\u{0}\n" + String(repeating: "é", count: 300)), .text, byteLimit: 4_096
        ) { words in
            name = words?.senderName ?? ""
            return Data()
        }

        #expect(name.hasPrefix("A  é") && name.utf8.count <= 256)
    }

    @Test func keysCollapseAConversationOnADevice() {
        let notification = PushNotification.sample()
        let other = PushNotification(
            conversationID: "c2", messageID: "m7", seq: 7, senderID: "ada", senderName: "", text: "", unread: 0)
        let later = PushNotification(
            conversationID: "c1", messageID: "m8", seq: 8, senderID: "ada", senderName: "", text: "", unread: 0)

        let key = notification.collapseKey(on: "d1")

        #expect(
            key.utf8.count == 32 && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        #expect(later.collapseKey(on: "d1") == key)
        #expect(other.collapseKey(on: "d1") != key && notification.collapseKey(on: "d2") != key)
        #expect(notification.idempotencyKey(on: "d1") == notification.idempotencyKey(on: "d1"))
        #expect(notification.idempotencyKey(on: "d1") != later.idempotencyKey(on: "d1"))
    }

    @Test func describesNoText() {
        let notification = PushNotification.sample("a private text", name: "Ada Private")
        var text = "\(notification) \([notification])"
        dump(notification, to: &text)

        #expect(!text.lowercased().contains("private"))
    }
}
