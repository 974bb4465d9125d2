#if canImport(SwiftUI)
import ChatAppCore
import NexusClient
import NexusModel
import SwiftUI

struct ConversationView: View {
    @Bindable var model: ConversationModel
    @Environment(\.calendar) private var calendar

    var body: some View {
        content
            .navigationTitle(model.name)
            .safeAreaInset(edge: .bottom) { ComposerView(model: model) }
    }

    @ViewBuilder private var content: some View {
        switch model.state {
        case .loading: ProgressView()
        case .gone(let unsent):
            List {
                Text("You are not a member of this conversation.")
                ForEach(unsent) { OutgoingView(model: model, message: $0) }
            }
        case .signedOut: EmptyView()
        case .loaded(let entries):
            ScrollViewReader { scroll in
                List {
                    ForEach(DaySection.sections(of: entries, in: calendar)) { section in
                        Section(section.day?.formatted(date: .complete, time: .omitted) ?? "") {
                            ForEach(section.entries) { EntryView(model: model, entry: $0) }
                        }
                    }
                }
                .listStyle(.plain)
                .defaultScrollAnchor(.bottom)
                .onChange(of: model.target) { _, target in
                    if let target { scroll.scrollTo(ConversationEntry.ID.message(target), anchor: .center) }
                }
                .task(id: entries.last?.id) { await model.markRead() }
            }
        }
    }
}

struct EntryView: View {
    let model: ConversationModel
    let entry: ConversationEntry

    var body: some View {
        switch entry {
        case .gap(let gap):
            Button("Load more") { Task { await model.fill(gap) } }.frame(maxWidth: .infinity)
        case .message(let message): MessageView(model: model, message: message)
        case .outgoing(let message): OutgoingView(model: model, message: message)
        }
    }
}

struct MessageView: View {
    let model: ConversationModel
    let message: ChatMessage

    var body: some View {
        VStack(alignment: .leading) {
            HStack {
                Text(message.senderName).font(.caption.bold())
                Text(message.timestamp, style: .time).font(.caption)
                if message.editedAt != nil { Text("edited").font(.caption) }
            }
            Text(message.text)
            HStack {
                ForEach(message.reactions, id: \.emoji) { reaction in
                    Button("\(reaction.emoji) \(reaction.count ?? reaction.userIds.count)") {
                        Task { await model.toggle(reaction.emoji, on: message) }
                    }
                    .buttonStyle(.bordered)
                }
            }
            let readers = model.readers(of: message)
            if !readers.isEmpty {
                Text("Read by \(readers.map(\.name).formatted(.list(type: .and)))").font(.caption2)
            }
        }
        .listRowBackground(model.target == message.id ? Color.yellow.opacity(0.3) : nil)
        .contextMenu {
            Button("Reply") { model.beginReply(to: message) }
            Button("👍") { Task { await model.toggle("👍", on: message) } }
            Button("Edit") { model.beginEditing(message) }
            Button("Delete", role: .destructive) { Task { await model.delete(message) } }
        }
    }
}

struct OutgoingView: View {
    let model: ConversationModel
    let message: OutgoingMessage

    var body: some View {
        VStack(alignment: .leading) {
            Text(message.text).opacity(0.6)
            if case .failed(let error) = message.state {
                Text(error.sentence.localized).font(.caption).foregroundStyle(.red)
                HStack {
                    Button("Send again") { Task { await model.retry(message) } }
                    Button("Delete", role: .destructive) { Task { await model.discard(message) } }
                }
                .buttonStyle(.bordered)
            }
        }
    }
}

struct ComposerView: View {
    @Bindable var model: ConversationModel

    var body: some View {
        VStack(alignment: .leading) {
            if !model.typists.isEmpty {
                Text("\(model.typists.formatted(.list(type: .and))) …").font(.caption)
            }
            if let failure = model.failure {
                Button(failure.localized) { model.dismissFailure() }.foregroundStyle(.red).font(.caption)
            }
            if model.composer.mode != .new { Button("Cancel") { model.cancelMode() }.font(.caption) }
            HStack {
                TextField("Message", text: $model.composer.draft, axis: .vertical)
                    .onChange(of: model.composer.draft) { Task { await model.noteTyping() } }
                Button("Send") { Task { await model.send() } }.keyboardShortcut(.defaultAction)
            }
        }
        .padding()
        .background(.bar)
    }
}
#endif
