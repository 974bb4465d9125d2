import Foundation
import NexusClient
import NexusTransportURLSession
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
        (403, "later_refusal", "forbidden"), (401, "sign_in_failed", "sign_in_failed"),
        (404, "turn_not_found", "missing"), (409, "message_deleted", "deleted"),
        (409, "conflict", "conflict"), (429, "daily_tokens_used_up", "tokens_used_up"), (429, "", "too_many"),
        (503, "model_misconfigured", "model_missing"), (502, "model_failed", "model_unavailable"),
        (503, "shutting_down", "busy"), (507, "storage_full", "storage_full"), (400, "invalid_field", "invalid"),
        (413, "body_too_large", "too_large"), (401, "token_expired", "signed_out"), (500, "internal", "server"),
        (418, "later_code", "invalid"),
    ])
    func aRefusalHasASentence(status: Int, code: String, key: String) {
        #expect(sentence(status, code).key == "nexus.error." + key)
    }

    /// Every refusal that the server documents says more than that it is one.
    @Test func everyRefusalHasASentence() throws {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let page = try String(
            contentsOf: root.appending(path: "docs/http-api/authentication.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| 403 |") || $0.hasPrefix("| 401 |") }
        let codes = rows.flatMap { row in row.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 } }
            .map { String($0.element) }

        #expect(codes.count > 10)
        for code in codes where !code.hasPrefix("token") && !code.hasPrefix("key") {
            #expect(sentence(403, code).key != "nexus.error.forbidden", "\(code)")
        }
    }

    @Test func anAddressAndARefusalSayWhatIsWrong() {
        let error = ClientTransportError.refused(
            ChatFixture.json(#"{"code":"not_own","detail":"this belongs to another user"}"#, status: 403))
        #expect("\(error)".contains("403, not_own: this belongs to another user"))
        let page = ClientResponse(status: 502, body: Data("<html>secret</html>".utf8))
        #expect("\(ClientTransportError.refused(page))".contains("502, 19 bytes"))
        #expect(throws: AddressError("chat.example.com")) { try URLSessionTransport(url: "chat.example.com") }
        let told = AddressError("chat.example.com").localizedDescription
        #expect(told.contains("https:// is missing") && told.contains("chat.example.com"))
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
        #expect(SessionError.signedOut(.person).sentence.remedy == .signIn)
        #expect(SessionError.unavailable.sentence.remedy == .wait)
    }
}
