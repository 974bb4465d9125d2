import ChatCore
import Foundation
import HTTPAPI
import Testing

struct SecretSettingsTests {
    private static let canary = "canary-5e1f"

    private static var settings: HTTPAPISettings {
        var settings = HTTPAPISettings()
        let data = Data(canary.utf8)
        settings.firestore.secret = SecretText(canary)
        settings.authentication = AuthenticationSettings(
            tokens: TokenSettings(keys: .document(data), secret: SecretBytes(data)),
            openID: OpenIDSettings(
                issuer: "https://id.test", clientID: "chat", clientSecret: SecretText(canary), name: "Example"))
        return settings
    }

    @Test func nothingThatDescribesSettingsShowsASecret() {
        var dumped = ""
        dump(Self.settings, to: &dumped)
        let texts = [dumped, "\(Self.settings)", String(describing: Self.settings), String(reflecting: Self.settings)]

        for text in texts {
            #expect(!text.contains(Self.canary))
            // The bytes of the first letters, as arrays and data are described.
            #expect(!text.contains("99, 97, 110, 97"))
            #expect(!text.replacing("\n", with: " ").contains("- 99"))
            #expect(text.contains("firestore") && text.contains("id.test"))
        }
        #expect(Self.settings.firestore.secret?.reveal() == Self.canary)
    }
}
