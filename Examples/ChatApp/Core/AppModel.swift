import Foundation
public import NexusClient
import NexusModel
public import Observation

/// The whole app without its drawing: who is signed in, and what is on the screen.
@Observable @MainActor public final class AppModel {
    /// Whether somebody is signed in.
    public enum Phase {
        /// Nobody is; the sentence says why, if it was not the person.
        case signedOut(ErrorSentence?)
        /// Somebody is.
        case signedIn(Workspace)
    }

    /// Whether somebody is signed in.
    public private(set) var phase = Phase.signedOut(nil)

    @ObservationIgnored private let server: @MainActor (String) throws -> NexusServer

    /// - Parameter server: Returns the server at an address, such as `https://chat.example.com`.
    public init(server: @escaping @MainActor (String) throws -> NexusServer) {
        self.server = server
    }

    /// Signs in, and shows the workspace until the person is signed out or the task is cancelled.
    ///
    /// - Parameters:
    ///   - address: The address of the server.
    ///   - user: The person.
    ///   - password: The password.
    public func signIn(to address: String, user: String, password: String) async {
        await show { try await NexusSession.signIn(user: user, password: password, on: try self.server(address)) }
    }

    /// Shows the workspace of the person who signed in before, if there is one.
    ///
    /// - Parameter address: The address of the server.
    public func resume(at address: String) async {
        await show { try NexusSession.resume(on: try self.server(address)) }
    }

    private func show(_ session: @MainActor () async throws -> NexusSession?) async {
        do {
            guard let session = try await session() else { return phase = .signedOut(nil) }
            await run(session)
        } catch let error as SessionError {
            phase = .signedOut(error.sentence)
        } catch {
            phase = .signedOut(ClientTransportError.unreachable.sentence)
        }
    }

    private func run(_ session: NexusSession) async {
        let hub = SessionHub(session)
        let workspace = await Workspace(hub)
        phase = .signedIn(workspace)
        await hub.run()
        var reason: ErrorSentence?
        if case .signedOut(let end) = await session.connection, end != .person {
            reason = SessionError.signedOut(end).sentence
        }
        phase = .signedOut(reason)
        await session.store.close()
    }
}

/// What a person sees who is signed in.
@Observable @MainActor public final class Workspace {
    /// What is on the screen beside the list.
    public enum Screen {
        /// Nothing.
        case empty
        /// A conversation.
        case conversation(ConversationModel)
        /// The assistant.
        case assistant
    }

    /// The list of conversations.
    public let list: ConversationListModel
    /// The connection.
    public let connection: ConnectionModel
    /// The assistant across conversations.
    @ObservationIgnored public private(set) lazy var assistant = AssistantModel(hub) { [weak self] place in
        self?.go(to: place)
    }
    /// Banners for new messages elsewhere.
    public private(set) var banners: NotificationBannerModel?
    /// What is on the screen beside the list.
    public private(set) var screen = Screen.empty
    /// Where a tap leads that ``followTaps()`` has not carried out.
    @ObservationIgnored private let taps = AsyncStream.makeStream(of: MessagePlace.self)

    @ObservationIgnored private let hub: SessionHub

    init(_ hub: SessionHub) async {
        self.hub = hub
        list = await ConversationListModel(hub)
        connection = await ConnectionModel(hub)
        banners = await NotificationBannerModel(hub) { [weak self] place in self?.go(to: place) }
    }

    /// Puts a conversation on the screen.
    public func open(_ conversation: String) async {
        if case .conversation(let present) = screen, present.id == conversation { return }
        let model = await ConversationModel(hub, id: conversation)
        screen = .conversation(model)
        await model.open()
    }

    /// Puts the assistant on the screen.
    public func openAssistant() async {
        await leave()
        screen = .assistant
    }

    /// Puts nothing on the screen.
    public func leave() async {
        if case .conversation(let model) = screen { await model.close() }
        screen = .empty
    }

    /// Signs out: the app shows its sign-in, and nothing is left on this device.
    public func signOut() async { _ = try? await hub.signOut() }

    /// Shows the messages of tapped banners and sources; runs as long as the app shows the workspace.
    public func followTaps() async {
        for await place in taps.stream {
            await open(place.conversationId)
            if case .conversation(let model) = screen { await model.jump(to: place.messageId) }
        }
    }

    private func go(to place: MessagePlace) { taps.continuation.yield(place) }
}
