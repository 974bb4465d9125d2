import ChatCore
import Foundation
import LiveChat
import Testing

struct PushOutcomeTests {
    /// 2023-11-14T22:13:20Z.
    private static let now = Timestamp(milliseconds: 1_700_000_000_000)

    private static func outcome(
        _ service: PushService, _ status: Int, _ headers: [String: String] = [:], _ body: String = ""
    ) -> PushOutcome {
        PushOutcome.of(
            PushReply(status: status, headers: headers, body: Data(body.utf8)), from: service, pushKey: "key-1",
            now: now)
    }

    private static func refused(_ status: Int, _ reason: String? = nil) -> PushOutcome {
        .misconfigured(.refused(status: status, reason: reason))
    }

    @Test(arguments: [
        (200, PushOutcome.delivered), (201, .delivered), (202, .delivered), (204, .delivered),
        (301, refused(301)), (302, refused(302)), (307, refused(307)), (400, refused(400)),
        (401, .credentialsRefused(isExpired: false)), (403, .credentialsRefused(isExpired: false)),
        (404, .rejected(since: nil)), (405, refused(405)), (406, .retry(after: nil)), (408, .retry(after: nil)),
        (410, .rejected(since: nil)), (411, refused(411)), (413, .tooLarge), (415, refused(415)),
        (425, .retry(after: nil)), (429, .retry(after: nil)), (431, refused(431)), (500, .retry(after: nil)),
        (501, .retry(after: nil)), (502, .retry(after: nil)), (503, .retry(after: nil)), (504, .retry(after: nil)),
        (507, .retry(after: nil)), (599, .retry(after: nil)), (0, .retry(after: nil)), (100, .retry(after: nil)),
        (999, .retry(after: nil)),
    ])
    func browsers(status: Int, outcome: PushOutcome) {
        #expect(Self.outcome(.web, status) == outcome)
    }

    @Test(arguments: [
        (200, "", PushOutcome.delivered),
        (400, "BadCollapseId", refused(400, "BadCollapseId")), (400, "BadDeviceToken", .rejected(since: nil)),
        (400, "BadExpirationDate", refused(400, "BadExpirationDate")),
        (400, "BadMessageId", refused(400, "BadMessageId")), (400, "BadPriority", refused(400, "BadPriority")),
        (400, "BadTopic", .rejected(since: nil)), (400, "DeviceTokenNotForTopic", .rejected(since: nil)),
        (400, "DuplicateHeaders", refused(400, "DuplicateHeaders")), (400, "IdleTimeout", .retry(after: nil)),
        (400, "InvalidPushType", refused(400, "InvalidPushType")),
        (400, "MissingDeviceToken", refused(400, "MissingDeviceToken")),
        (400, "MissingTopic", refused(400, "MissingTopic")), (400, "PayloadEmpty", refused(400, "PayloadEmpty")),
        (400, "TopicDisallowed", .rejected(since: nil)), (400, "", refused(400)),
        (403, "BadCertificate", .credentialsRefused(isExpired: false)),
        (403, "BadCertificateEnvironment", .credentialsRefused(isExpired: false)),
        (403, "ExpiredProviderToken", .credentialsRefused(isExpired: true)),
        (403, "Forbidden", .credentialsRefused(isExpired: false)),
        (403, "InvalidProviderToken", .credentialsRefused(isExpired: false)),
        (403, "MissingProviderToken", .credentialsRefused(isExpired: false)),
        (403, "UnrelatedKeyIdInToken", .credentialsRefused(isExpired: false)),
        (403, "BadEnvironmentKeyIdInToken", .credentialsRefused(isExpired: false)),
        (404, "BadPath", refused(404, "BadPath")), (405, "MethodNotAllowed", refused(405, "MethodNotAllowed")),
        (410, "Unregistered", .rejected(since: nil)), (410, "ExpiredToken", .rejected(since: nil)),
        (413, "PayloadTooLarge", .tooLarge),
        (429, "TooManyProviderTokenUpdates", .retry(after: .seconds(1_200))),
        (429, "TooManyRequests", .retry(after: nil)), (500, "InternalServerError", .retry(after: nil)),
        (503, "ServiceUnavailable", .retry(after: nil)), (503, "Shutdown", .retry(after: nil)),
    ])
    func apple(status: Int, reason: String, outcome: PushOutcome) {
        let body = reason.isEmpty ? "" : #"{"reason": "\#(reason)"}"#

        #expect(Self.outcome(.apns, status, [:], body) == outcome)
    }

    @Test func browsersServicesMaySayWhy() {
        let body = #"{"reason": "VapidPkHashMismatch"}"#

        #expect(Self.outcome(.web, 400, [:], body) == Self.refused(400, "VapidPkHashMismatch"))
    }

    @Test func appleSaysSinceWhenADeviceIsGone() {
        let body = #"{"reason": "Unregistered", "timestamp": 1699999990123}"#

        #expect(Self.outcome(.apns, 410, [:], body) == .rejected(since: Timestamp(milliseconds: 1_699_999_990_123)))
        #expect(Self.outcome(.apns, 410, [:], #"{"timestamp": "soon"}"#) == .rejected(since: nil))
        #expect(Self.outcome(.apns, 410, [:], "no JSON") == .rejected(since: nil))
    }

    private static func error(_ status: String, _ details: String = "[]", message: String = "m") -> String {
        #"{"error": {"code": 1, "message": "\#(message)", "status": "\#(status)", "details": \#(details)}}"#
    }

    private static func code(_ code: String) -> String {
        #"[{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": "\#(code)"}]"#
    }

    private static func violation(_ field: String) -> String {
        #"[{"errorCode": "INVALID_ARGUMENT"}, {"fieldViolations": [{"field": "\#(field)", "description": "d"}]}]"#
    }

    @Test(arguments: [
        (200, #"{"name": "projects/p/messages/1"}"#, PushOutcome.delivered),
        (400, "", refused(400)), (400, error("INVALID_ARGUMENT"), refused(400, "INVALID_ARGUMENT")),
        (400, error("INVALID_ARGUMENT", code("INVALID_ARGUMENT")), .rejected(since: nil)),
        (400, error("INVALID_ARGUMENT", violation("message.token")), .rejected(since: nil)),
        (400, error("INVALID_ARGUMENT", violation("message.data[0].value")), refused(400, "INVALID_ARGUMENT")),
        (
            400, error("INVALID_ARGUMENT", code("INVALID_ARGUMENT"), message: "Android message is too big"),
            .tooLarge
        ),
        (400, error("FAILED_PRECONDITION"), refused(400, "FAILED_PRECONDITION")),
        (401, error("UNAUTHENTICATED"), .credentialsRefused(isExpired: true)),
        (401, error("UNAUTHENTICATED", code("THIRD_PARTY_AUTH_ERROR")), .credentialsRefused(isExpired: false)),
        (403, error("PERMISSION_DENIED"), .credentialsRefused(isExpired: false)),
        (403, error("PERMISSION_DENIED", code("SENDER_ID_MISMATCH")), .rejected(since: nil)),
        (404, error("NOT_FOUND", code("UNREGISTERED")), .rejected(since: nil)),
        (404, error("NOT_FOUND"), refused(404, "NOT_FOUND")), (404, "<html>", refused(404)),
        (405, "", refused(405)), (410, "", refused(410)), (413, "", .tooLarge),
        (429, error("RESOURCE_EXHAUSTED", code("QUOTA_EXCEEDED")), .retry(after: .seconds(60))),
        (500, error("INTERNAL", code("INTERNAL")), .retry(after: nil)),
        (503, error("UNAVAILABLE", code("UNAVAILABLE")), .retry(after: nil)),
    ])
    func google(status: Int, body: String, outcome: PushOutcome) {
        #expect(Self.outcome(.fcm, status, [:], body) == outcome)
    }

    @Test(arguments: [
        (200, #"{"rejected": []}"#, PushOutcome.delivered), (200, #"{"rejected": ["key-1"]}"#, .rejected(since: nil)),
        (200, #"{"rejected": ["key-2"]}"#, .delivered), (200, #"{"rejected": "key-1"}"#, .delivered),
        (200, #"{"rejected": [1, null, "key-1"]}"#, .rejected(since: nil)), (200, "", .delivered),
        (204, "", .delivered), (302, "", refused(302)), (400, "", refused(400)),
        (401, "", .credentialsRefused(isExpired: false)), (403, "", .credentialsRefused(isExpired: false)),
        (404, "", refused(404)), (405, "", refused(405)), (410, "", .rejected(since: nil)), (413, "", .tooLarge),
        (429, "", .retry(after: nil)), (500, "", .retry(after: nil)), (502, "", .retry(after: nil)),
        (503, "", .retry(after: nil)),
    ])
    func gateways(status: Int, body: String, outcome: PushOutcome) {
        #expect(Self.outcome(.webhook, status, [:], body) == outcome)
    }

    @Test(arguments: PushService.allCases)
    func everyStatusHasAnOutcome(service: PushService) {
        for status in -1...1_000 {
            let outcome = Self.outcome(service, status)
            #expect((outcome == .delivered) == (200..<300).contains(status))
        }
    }

    @Test(arguments: PushService.allCases)
    func theServiceSaysWhenToTryAgain(service: PushService) {
        for status in [429, 500, 503] {
            #expect(Self.outcome(service, status, ["Retry-After": "120"]) == .retry(after: .seconds(120)))
            #expect(
                Self.outcome(service, status, ["retry-after": "Tue, 14 Nov 2023 22:15:20 GMT"])
                    == .retry(after: .seconds(120)))
        }
    }

    @Test(arguments: [
        ("0", Duration.seconds(0)), (" 5 ", .seconds(5)), ("99999999999999999999", .seconds(30 * 86_400)),
        ("Tue, 14 Nov 2023 22:13:20 GMT", .zero), ("Tue, 14 Nov 2023 22:13:30 GMT", .seconds(10)),
        ("Tuesday, 14-Nov-23 22:13:30 GMT", .seconds(10)), ("Tue Nov 14 22:13:30 2023", .seconds(10)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", .zero), ("Sun Nov  6 08:49:37 1994", .zero),
        ("Sunday, 06-Nov-94 08:49:37 GMT", .zero), ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(30 * 86_400)),
    ])
    func readsRetryAfter(text: String, pause: Duration) {
        #expect(Self.outcome(.web, 503, ["Retry-After": text]) == .retry(after: pause))
    }

    @Test(arguments: [
        "", "soon", "-5", "1.5", "5 s", "Tue, 31 Feb 2023 22:13:20 GMT", "Tue, 14 Foo 2023 22:13:20 GMT",
        "Tue, 14 Nov 2023 25:13:20 GMT", "Tue, 14 Nov 2023 22:13:20 CET", "١٢", "14 Nov 2023", "Nov",
    ])
    func ignoresWhatIsNoRetryAfter(text: String) {
        #expect(Self.outcome(.web, 503, ["Retry-After": text]) == .retry(after: nil))
    }

    @Test func appleIsNotAskedForTokensMoreOftenThanItAllows() {
        let body = #"{"reason": "TooManyProviderTokenUpdates"}"#

        #expect(Self.outcome(.apns, 429, ["retry-after": "5"], body) == .retry(after: .seconds(1_200)))
        #expect(Self.outcome(.apns, 429, ["retry-after": "5000"], body) == .retry(after: .seconds(5_000)))
    }

    @Test func aReasonIsACodeOnly() {
        for reason in ["has blanks and a token", "ab\u{0}", String(repeating: "a", count: 65), "a/b"] {
            #expect(Self.outcome(.apns, 400, [:], #"{"reason": "\#(reason)"}"#) == Self.refused(400))
        }
    }

    // MARK: - Pauses

    @Test func pausesDoubleUpToAnHour() {
        let backoff = PushBackoff()

        let pauses = (1...14).map { backoff.pause(afterFailures: $0, age: .zero) }

        #expect(
            pauses
                == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600].map { Duration.seconds($0) })
        #expect(backoff.pause(afterFailures: .max, age: .zero) == .seconds(3_600))
    }

    @Test func theServiceMayAskForALongerPause() {
        let backoff = PushBackoff()

        #expect(backoff.pause(afterFailures: 1, asked: .seconds(7_200), age: .zero) == .seconds(7_200))
        #expect(backoff.pause(afterFailures: 5, asked: .seconds(2), age: .zero) == .seconds(16))
    }

    @Test func givesUpAfterADay() {
        let backoff = PushBackoff()

        #expect(backoff.pause(afterFailures: 1, age: .seconds(86_398)) == .seconds(1))
        #expect(backoff.pause(afterFailures: 1, age: .seconds(86_399)) == nil)
        #expect(backoff.pause(afterFailures: 20, age: .seconds(86_400)) == nil)
        #expect(backoff.pause(afterFailures: 1, asked: .seconds(86_400), age: .zero) == nil)
    }
}
