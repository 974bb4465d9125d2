import Foundation
import NexusClient
import Testing

/// What people are told about errors.
struct ErrorSentenceTests {
    private func sentence(_ status: Int, _ code: String = "") -> ErrorSentence {
        SessionError.refused(status: status, code: code, detail: "text: secret words", retryAfter: 3).sentence
    }

    @Test func keysAreDifferentAndSentencesAreSentences() {
        let all = ErrorSentence.all

        #expect(Set(all.map(\.key)).count == all.count && Set(all.map(\.text)).count == all.count)
        for sentence in all {
            #expect(sentence.key.hasPrefix("nexus.error."))
            #expect(sentence.text.hasSuffix(".") && sentence.text.first?.isUppercase == true)
        }
    }

    @Test(arguments: [
        (403, "foreign_user", "forbidden"), (404, "turn_not_found", "missing"), (409, "message_deleted", "deleted"),
        (409, "conflict", "conflict"), (429, "daily_tokens_used_up", "tokens_used_up"), (429, "", "too_many"),
        (503, "model_misconfigured", "model_missing"), (502, "model_failed", "model_unavailable"),
        (503, "shutting_down", "busy"), (507, "storage_full", "storage_full"), (400, "invalid_field", "invalid"),
        (413, "body_too_large", "too_large"), (401, "token_expired", "signed_out"), (500, "internal", "server"),
        (418, "later_code", "invalid"),
    ])
    func aRefusalHasASentence(status: Int, code: String, key: String) {
        #expect(sentence(status, code).key == "nexus.error." + key)
    }

    @Test func theServersExplanationIsNotShown() {
        for status in 400...599 {
            let told = sentence(status)
            #expect(ErrorSentence.all.contains(told) && !told.text.contains("secret"))
        }
        let error = SessionError.refused(status: 400, code: "x", detail: "secret", retryAfter: nil)
        #expect(error.localizedDescription == sentence(400).text)
    }

    @Test func everyErrorOfATransportHasASentence() {
        let refusal = ClientResponse(status: 429, body: Data(#"{"code":"too_many_handshakes"}"#.utf8))
        let sentences = [
            ClientTransportError.unreachable, .broken, .timedOut, .refused(refusal), .tooLarge, .protocolViolation,
        ].map(\.sentence.key)

        #expect(
            sentences
                == ["offline", "offline", "timed_out", "too_many", "too_large", "unreadable"].map {
                    "nexus.error." + $0
                })
        #expect(SessionError.signedOut.sentence.remedy == .signIn && SessionError.unavailable.sentence.remedy == .wait)
    }
}
