#if canImport(SwiftUI)
import ChatAppCore
import NexusClient
import NexusTransportURLSession
import SwiftUI

@main struct ChatApp: App {
    @State private var app = AppModel { try URLSessionTransport(url: $0) }

    var body: some Scene {
        WindowGroup { RootView(app: app) }
    }
}

/// The sign-in, or the workspace.
struct RootView: View {
    struct Account: Hashable {
        var server: String
        var token: String
    }

    let app: AppModel
    @State private var account: Account?

    var body: some View {
        content.task(id: account) {
            guard let account else { return }
            await app.run(server: account.server, device: Self.device, tokens: AppTokens { _ in account.token })
            self.account = nil
        }
    }

    @ViewBuilder private var content: some View {
        switch app.phase {
        case .signedOut(let reason): SignInView(reason: reason) { account = $0 }
        case .signedIn(let workspace): WorkspaceView(workspace: workspace) { account = nil }
        }
    }

    /// The id of this installation.
    private static var device: String {
        if let known = UserDefaults.standard.string(forKey: "device") { return known }
        let made = UUID().uuidString.lowercased()
        UserDefaults.standard.set(made, forKey: "device")
        return made
    }
}

struct SignInView: View {
    let reason: ErrorSentence?
    let signIn: (RootView.Account) -> Void
    @State private var server = ""
    @State private var token = ""

    var body: some View {
        Form {
            TextField("Server", text: $server)
            SecureField("Token", text: $token)
            if let reason { Text(reason.localized).foregroundStyle(.red) }
            Button("Sign in") { signIn(RootView.Account(server: server, token: token)) }
                .disabled(server.isEmpty || token.isEmpty)
        }
        .padding()
    }
}

extension ErrorSentence {
    /// The sentence in the person's language, from the app's string catalogue.
    var localized: String { Bundle.main.localizedString(forKey: key, value: text, table: nil) }
}
#else
/// The drawing needs SwiftUI.
@main enum ChatApp {
    static func main() { print("This example draws with SwiftUI: open it on a Mac.") }
}
#endif
