import ChatCore
import HTTPTypes
import Hummingbird
import LiveChat
import NexusModel
import UseCases

/// What only one person sees: notifications and own settings; and the receipts of one message.
extension API {
    /// The largest number of a notification.
    private static let largestNumber = Int(1) << 53

    var personalRoutes: [Route] {
        [
            Route(
                .get, "v1/notifications", .user, id: "listNotifications",
                "Lists the asker's newest notifications: unread, not dismissed, newest first."
            ) { incoming, caller in
                let asker = try incoming.asker(caller)
                let limit = try incoming.limit(in: Self.notificationRange, default: NotificationEntry.limit)
                let entries = try await incoming.useCases.notifications(of: asker, limit: limit)
                return try reply(ChatNotificationList(notifications: entries.map { ChatNotification($0) }))
            },
            Route(
                .post, "v1/notifications/dismiss", .person, id: "dismissNotifications",
                "Dismisses notifications of the asker on all devices."
            ) { try await dismissNotifications($0, $1) },
            Route(.get, "v1/settings", .user, id: "getSettings", "Shows the asker's own settings.") {
                incoming, caller in
                try reply(
                    ChatSettings(
                        try await incoming.useCases.personalSettings(of: try incoming.asker(caller))))
            },
            Route(
                .put, "v1/settings", .person, id: "setSettings",
                "Changes the asker's own settings: those that it names, and nothing else."
            ) { try await setSettings($0, $1) },
            Route(.patch, "v1/settings", .person, id: "changeSettings", "The same as PUT.") {
                try await setSettings($0, $1)
            },
            Route(
                .get, "v1/conversations/:conversation/messages/:message/receipts", .user, id: "getMessageReceipts",
                "Shows who has received and read a message."
            ) { incoming, caller in
                let receipts = try await incoming.useCases.receipts(
                    of: try incoming.messageKey(), asker: try incoming.asker(caller))
                return try reply(MessageReceiptCounts(receipts))
            },
        ]
    }

    static let notificationRange = 1...NotificationEntry.limit

    private func dismissNotifications(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let ids = try body["ids"].optionalArray(atMost: settings.batchLimit)
        if try body["all"].optionalFlag() ?? false {
            try await incoming.useCases.dismissAllNotifications(of: asker)
        } else {
            guard let ids else { throw body["ids"].missing }
            var numbers: [Int64] = []
            for field in ids {
                guard let number = try field.optionalInteger(in: 0...Self.largestNumber) else { throw field.missing }
                numbers.append(Int64(number))
            }
            try await incoming.useCases.dismissNotifications(numbers, of: asker)
        }
        return Response(status: .noContent)
    }

    private func setSettings(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let change = try PersonalSettingsFields.change(body)
        let changed = try await incoming.useCases.changePersonalSettings(of: asker, change)
        services.people.setHidesLastSeen(changed.hidesLastSeen, of: asker)
        return try reply(ChatSettings(changed))
    }
}
