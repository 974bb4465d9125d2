import ChatCore
import Testing

struct MessageLinkTests {
    @Test(arguments: [
        ("https://chat.example.com/c/{conversationId}/m/{messageId}", "https://chat.example.com/c/a%2Fb/m/m%201%C3%BC"),
        ("http://h/?m={messageId}", "http://h/?m=m%201%C3%BC"),
        ("https://h:8443/#{messageId}-{messageId}", "https://h:8443/#m%201%C3%BC-m%201%C3%BC"),
    ]) func aTemplateEncodesTheIds(text: String, url: String) throws {
        let template = try #require(MessageLinkTemplate(text))

        #expect(template.url(of: MessageKey(conversationID: "a/b", messageID: "m 1ü")) == url)
    }

    @Test(arguments: [
        "https://chat.example.com/c/{conversationId}", "chat.example.com/{messageId}", "ftp://h/{messageId}",
        "https://{messageId}/x", "https://{conversationId}.example.com/{messageId}", "https://h/{other}/{messageId}",
        "https://h/ {messageId}", "{messageId}", "",
    ]) func whatIsNoTemplateIsRefused(text: String) {
        #expect(MessageLinkTemplate(text) == nil)
    }
}
