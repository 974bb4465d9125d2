#if canImport(SwiftUI)
import ChatAppCore
import NexusClient
import SwiftUI

/// The list on one side, a conversation or the assistant on the other, and banners over both.
struct WorkspaceView: View {
    @Bindable var workspace: Workspace
    let signOut: () -> Void

    var body: some View {
        NavigationSplitView {
            ConversationListView(workspace: workspace, list: workspace.list)
                .toolbar { Button("Sign out", action: signOut) }
        } detail: {
            switch workspace.screen {
            case .empty: Text("Choose a conversation.")
            case .conversation(let model): ConversationView(model: model).id(model.id)
            case .assistant: AssistantView(model: workspace.assistant)
            }
        }
        .overlay(alignment: .top) { banner }
        .safeAreaInset(edge: .bottom) { connection }
        .task { await workspace.followTaps() }
    }

    @ViewBuilder private var banner: some View {
        if let banners = workspace.banners, case .shown(let banner, _) = banners.state {
            VStack(alignment: .leading) {
                Text("\(banner.sender) · \(banner.title)").font(.caption.bold())
                Text(banner.text).lineLimit(2)
            }
            .padding()
            .background(.regularMaterial, in: .rect(cornerRadius: 12))
            .onTapGesture { banners.tap() }
            .accessibilityAddTraits(.isButton)
            .padding()
        }
    }

    @ViewBuilder private var connection: some View {
        if let sentence = workspace.connection.sentence {
            Text(sentence.localized).font(.caption).padding(6).background(.thinMaterial, in: .capsule)
        }
    }
}

struct ConversationListView: View {
    let workspace: Workspace
    @Bindable var list: ConversationListModel

    var body: some View {
        List {
            Button("Ask the assistant") { Task { await workspace.openAssistant() } }
            switch list.state {
            case .loading: ProgressView()
            case .signedOut: EmptyView()
            case .loaded:
                ForEach(list.rows) { row in
                    Button {
                        Task { await workspace.open(row.id) }
                    } label: {
                        ConversationRow(row: row)
                    }
                }
            }
        }
        .searchable(text: $list.filter)
    }
}

struct ConversationRow: View {
    let row: ConversationListModel.Row

    var body: some View {
        HStack {
            VStack(alignment: .leading) {
                Text(row.name).font(.headline)
                if let excerpt = row.excerpt { Text(excerpt).font(.subheadline).lineLimit(1) }
            }
            Spacer()
            if row.mentionCount > 0 { Text("@").bold() }
            if row.unreadCount > 0 {
                Text(row.unreadCount > 99 ? "99+" : "\(row.unreadCount)")
                    .padding(.horizontal, 6)
                    .background(row.isMuted ? .gray : .accentColor, in: .capsule)
            }
        }
    }
}
#endif
