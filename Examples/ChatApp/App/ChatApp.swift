#if canImport(SwiftUI)
import ChatAppCore
import NexusClient
import NexusTransportURLSession
import SwiftUI

@main struct ChatApp: App {
    @State private var app = AppModel { address in
        NexusServer(
            address, over: try URLSessionTransport(url: address), device: Self.device,
            folder: .applicationSupportDirectory, credentials: KeychainCredentials())
    }

    var body: some Scene {
        WindowGroup { RootView(app: app) }
    }

    /// The id of this installation.
    private static var device: String {
        if let known = UserDefaults.standard.string(forKey: "device") { return known }
        let made = UUID().uuidString.lowercased()
        UserDefaults.standard.set(made, forKey: "device")
        return made
    }
}

/// The sign-in, or the workspace.
struct RootView: View {
    /// What a person entered, once.
    struct Entry: Hashable {
        var number = 0
        var user = ""
        var password = ""
    }

    let app: AppModel
    @AppStorage("server") private var server = ""
    @State private var entry = Entry()

    var body: some View {
        content.task(id: entry) {
            if entry.number > 0 {
                await app.signIn(to: server, user: entry.user, password: entry.password)
            } else if !server.isEmpty {
                await app.resume(at: server)
            }
        }
    }

    @ViewBuilder private var content: some View {
        switch app.phase {
        case .signedOut(let reason):
            SignInView(reason: reason, server: $server) { user, password in
                entry = Entry(number: entry.number + 1, user: user, password: password)
            }
        case .signedIn(let workspace): WorkspaceView(workspace: workspace) { Task { await workspace.signOut() } }
        }
    }
}

struct SignInView: View {
    let reason: ErrorSentence?
    @Binding var server: String
    let signIn: (_ user: String, _ password: String) -> Void
    @State private var user = ""
    @State private var password = ""

    var body: some View {
        Form {
            TextField("Server", text: $server)
            TextField("User", text: $user)
            SecureField("Password", text: $password)
            if let reason { Text(reason.localized).foregroundStyle(.red) }
            Button("Sign in") { signIn(user, password) }
                .disabled(server.isEmpty || user.isEmpty || password.isEmpty)
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
