import App
import Foundation
import Testing

/// A setting is one value: its default is shown, used and documented from it.
@Suite struct SettingDefaultTests {
    /// Settings with which services are used, so that the defaults of their other settings count.
    private static let services = [
        "auth.firebase-project": "chat", "auth.oidc-issuer": "https://id.test", "auth.oidc-client-id": "chat",
        "embedding.provider": "compatible", "embedding.base-url": "https://embed.test/v1", "embedding.model": "e",
        "chat.provider": "compatible", "chat.base-url": "https://chat.test/v1", "chat.model": "c",
        "rerank.base-url": "https://rerank.test/v1",
    ]

    /// Returns all settings as text; the elements of a set have no order.
    private static func settings(_ values: [String: String]) async throws -> [Substring] {
        let dumped = try #require(try await SettingsProbe.descriptions(values).last)
        return dumped.split(separator: "\n").sorted()
    }

    @Test(arguments: [[:], services])
    func theDefaultShownIsTheDefaultUsed(services: [String: String]) async throws {
        let usual = try await Self.settings(services)

        for setting in Settings.all where services[setting.name] == nil {
            guard let value = setting.defaultValue else { continue }
            let given = try await Self.settings(services.merging([setting.name: value]) { $1 })
            #expect(given == usual, "\(setting.name) is not \(value)")
        }
    }

    @Test func aDefaultIsAnotherValueThanTheOthers() async throws {
        let usual = try await Self.settings([:])

        #expect(try await Self.settings(["http.drain-seconds": "2"]) != usual)
    }

    @Test func everySettingIsInTheListOnce() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..").standardized
        let folder = root.appending(path: "Sources/App/App/Settings")
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            count += text.matches(of: /static let \w+ = Setting</).count
            count += 2 * text.matches(of: /static let \w+ = SecretSetting\(/).count
        }

        #expect(Settings.all.count == count)
        #expect(Set(Settings.all.map(\.name)).count == count)
    }
}
