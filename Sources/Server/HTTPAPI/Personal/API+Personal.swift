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
            Route(.get, "v1/saved", .user, id: "listSaved", "Lists the messages that the asker saved, the last first.")
            {
                try await listSaved($0, $1)
            },
            Route(.put, Self.saved, .person, id: "saveMessage", "Saves a message for the asker; nobody else sees it.") {
                incoming, caller in
                let body = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
                let (asker, time) = (try incoming.asker(caller, body: body), body["remindAt"])
                let saved = try await incoming.useCases.save(
                    try incoming.messageKey(), for: asker,
                    reminder: time.isGiven ? .at(try time.optionalTimestamp()) : .unchanged)
                return try reply(
                    MessageSaving(savedAt: saved.savedAt.wireDate, remindAt: saved.remindAt?.wireDate),
                    status: saved.isNew ? .created : .ok)
            },
            Route(.delete, Self.saved, .person, id: "endSaving", "Ends that a message is saved for the asker.") {
                incoming, caller in
                try await incoming.useCases.endSaving(
                    try incoming.messageKey(), for: try incoming.asker(caller))
                return Response(status: .noContent)
            },
        ]
    }

    private static let saved = "v1/conversations/:conversation/messages/:message/saved"

    private func listSaved(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let before = try incoming.query("before").map { _ in
            Int64(try incoming.integer("before", in: 1...Self.largestNumber, default: 1))
        }
        let reminders = incoming.query("reminders")
        guard [nil, "true", "false"].contains(reminders) else {
            throw FieldError(FieldPath("reminders"), "must be true or false")
        }
        let page = try await incoming.useCases.savedMessages(
            of: asker, hasReminder: reminders == "true", before: before, limit: limit)
        let messages = try await wires(page.elements.map(\.message), for: asker, incoming)
        return try reply(
            SavedMessagePage(
                messages: zip(page.elements, messages).map { saved, message in
                    SavedChatMessage(
                        savedAt: saved.savedAt.wireDate, remindAt: saved.remindAt?.wireDate, message: message)
                }, next: page.hasMore ? page.elements.last.map { Int($0.number) } : nil))
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
