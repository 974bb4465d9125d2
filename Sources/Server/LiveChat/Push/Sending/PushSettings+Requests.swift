package import ChatCore
import Foundation

/// The request of each service for a notification.
extension PushSettings {
    private var seconds: Int64 { max(0, timeToLive.components.seconds) }
    private var shownPlaceholder: String { String(placeholder.prefix(utf8Count: 256)) }

    /// RFC 8030, with the encryption of RFC 8291.
    ///
    /// - Throws: The errors of the encryption.
    package func webRequest(
        _ notification: PushNotification, to device: PushDevice.ID, endpoint: String, p256dh: String, auth: String,
        authorization: String, addresses: [IPAddress], encryption: WebPushEncryption = WebPushEncryption()
    ) throws -> PushRequest? {
        guard let receiver = WebPushKeys.publicKey(p256dh), let secret = WebPushKeys.secret(auth) else { return nil }
        let content = PushPayload.fitted(notification, detail, byteLimit: WebPushEncryption.contentByteLimit) { words in
            JSONValue.object(PushPayload.fields(of: notification, words)).jsonData
        }
        let body = try encryption.body(
            of: content, paddingByteCount: WebPushEncryption.paddingByteCount(for: content.count), for: receiver,
            secret: secret)
        return PushRequest(
            url: endpoint,
            headers: [
                "Authorization": authorization, "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream", "TTL": String(seconds), "Urgency": "high",
                "Topic": notification.collapseKey(on: device),
            ], body: body, addresses: addresses)
    }

    /// "Sending notification requests to APNs" of Apple.
    package func apnsRequest(
        _ notification: PushNotification, to device: PushDevice.ID, token: String, topic: String, origin: String,
        authorization: String, at now: Timestamp
    ) -> PushRequest {
        let body = PushPayload.fitted(notification, detail, byteLimit: PushPayload.appByteLimit) { words in
            var fields = PushPayload.fields(of: notification, words)
            fields["aps"] = .object(appleFields(of: notification, alert(words)))
            return JSONValue.object(fields).jsonData
        }
        return PushRequest(
            url: "\(origin)/3/device/\(token)",
            headers: [
                "authorization": authorization, "content-type": "application/json", "apns-topic": topic,
                "apns-push-type": "alert", "apns-priority": "10",
                "apns-collapse-id": notification.collapseKey(on: device),
                "apns-expiration": String((now + timeToLive).seconds),
            ], body: body)
    }

    private func alert(_ words: PushPayload.Words?) -> JSONValue {
        guard let words else { return .object(["body": .string(shownPlaceholder)]) }
        return .object(["title": .string(words.senderName), "body": .string(words.messageText)])
    }

    /// The dictionary `aps`.
    ///
    /// With `mutable-content` the app's extension may load the text. A badge of 0 is not sent: it would remove the notifications of other servers that the same app shows.
    private func appleFields(of notification: PushNotification, _ alert: JSONValue?) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "sound": .string("default"), "mutable-content": .integer(1),
            "thread-id": .string(notification.conversationID.rawValue),
        ]
        fields["alert"] = alert
        if notification.unread > 0 { fields["badge"] = .integer(Int64(notification.unread)) }
        return fields
    }

    /// "REST Resource: projects.messages" of FCM; data has strings only.
    ///
    /// Without words Android gets data alone, and the app shows the notification; iOS shows the placeholder.
    package func fcmRequest(
        _ notification: PushNotification, to device: PushDevice.ID, token: String, url: String, authorization: String
    ) -> PushRequest {
        let key = JSONValue.string(notification.collapseKey(on: device))
        let body = PushPayload.fitted(notification, detail, byteLimit: PushPayload.appByteLimit) { words in
            var android: [String: JSONValue] = [
                "collapse_key": key, "priority": .string("HIGH"), "ttl": .string("\(seconds)s"),
            ]
            var message: [String: JSONValue] = ["token": .string(token)]
            message["data"] = .object(PushPayload.fields(of: notification, words).mapValues(\.asString))
            if words != nil {
                message["notification"] = alert(words)
                android["notification"] = .object(["tag": key])
            }
            message["android"] = .object(android)
            let apple = appleFields(of: notification, words == nil ? alert(nil) : nil)
            message["apns"] = .object([
                "headers": .object(["apns-collapse-id": key, "apns-priority": .string("10")]),
                "payload": .object(["aps": .object(apple)]),
            ])
            return JSONValue.object(["message": .object(message)]).jsonData
        }
        return PushRequest(
            url: url, headers: ["Authorization": authorization, "Content-Type": "application/json"], body: body)
    }

    /// `POST /_matrix/push/v1/notify` of the Matrix Push Gateway API, with the keys of the other services beside.
    package func webhookRequest(
        _ notification: PushNotification, to device: PushDevice, url: String, pushKey: String, appID: String,
        credentials: WebhookCredentials, addresses: [IPAddress], at now: Timestamp
    ) -> PushRequest {
        let entry: [String: JSONValue] = [
            "app_id": .string(appID), "pushkey": .string(pushKey), "pushkey_ts": .integer(device.registeredAt.seconds),
            "data": .object([:]),
        ]
        let body = PushPayload.fitted(notification, detail, byteLimit: PushPayload.gatewayByteLimit) { words in
            var fields = PushPayload.fields(of: notification, words)
            fields["room_id"] = fields["conversationId"]
            fields["event_id"] = fields["messageId"]
            fields["sender"] = fields["senderId"]
            fields["counts"] = .object(["unread": .integer(Int64(notification.unread))])
            fields["prio"] = .string("high")
            fields["devices"] = .array([.object(entry)])
            if let words {
                fields["sender_display_name"] = .string(words.senderName)
                fields["content"] = .object(["msgtype": .string("m.text"), "body": .string(words.messageText)])
            }
            return JSONValue.object(["notification": .object(fields)]).jsonData
        }
        return PushRequest(
            url: url,
            headers: [
                "Content-Type": "application/json", "Idempotency-Key": notification.idempotencyKey(on: device.id),
                "Nexus-Signature": credentials.signature(of: body, at: now),
            ], body: body, addresses: addresses)
    }
}

extension JSONValue {
    /// A number as a string; other values as they are.
    fileprivate var asString: JSONValue {
        wholeNumber.map { .string(String($0)) } ?? self
    }
}
