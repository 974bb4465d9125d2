import NexusClient
import NexusModel
import NexusTransportURLSession

/// Shows a conversation, and then what is written there.
@MainActor final class Screen: SessionObserver {
    let conversation: String
    var lines: [String] = []
    private var shown: Set<String> = []

    init(_ conversation: String) { self.conversation = conversation }

    func take(_ event: SessionEvent, _ state: ChatState) {
        for message in state.conversations[conversation]?.messages ?? [] where shown.insert(message.id).inserted {
            lines.append("\(message.senderName): \(message.text)")
        }
    }
}

@MainActor func chat(on screen: Screen, over transport: any ClientTransport, token: String) async {
    let session = NexusSession(transport: transport, user: nil, device: "kitchen", tokens: AppTokens { _ in token })
    let hub = SessionHub(session)
    hub.add(screen)
    async let running: Void = hub.run()
    await hub.open(screen.conversation)
    await session.send("hello", to: screen.conversation)
    await running
}

@MainActor func main() async throws {
    await chat(on: Screen("pier"), over: try URLSessionTransport(url: "https://chat.example.com"), token: "eyJhb…")
}
