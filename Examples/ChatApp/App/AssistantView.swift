#if canImport(SwiftUI)
import ChatAppCore
import NexusClient
import NexusModel
import SwiftUI

struct AssistantView: View {
    @Bindable var model: AssistantModel
    /// The answer that is being made.
    @State private var asking: Task<Void, Never>?

    var body: some View {
        List(model.exchanges) { exchange in
            VStack(alignment: .leading, spacing: 8) {
                Text(exchange.question).font(.headline)
                AnswerView(model: model, exchange: exchange)
            }
        }
        .navigationTitle("Assistant")
        .safeAreaInset(edge: .bottom) {
            HStack {
                TextField("Question", text: $model.draft, axis: .vertical)
                if model.isAnswering {
                    Button("Stop") { asking?.cancel() }
                } else {
                    Button("Ask") { asking = Task { await model.ask() } }.keyboardShortcut(.defaultAction)
                }
            }
            .padding()
            .background(.bar)
        }
    }
}

struct AnswerView: View {
    let model: AssistantModel
    let exchange: AssistantModel.Exchange

    var body: some View {
        switch exchange.phase {
        case .searching: ProgressView("Searching…")
        case .reading(let part, let parts): ProgressView(value: Double(part), total: Double(parts))
        case .answering(let draft), .stopped(let draft): text(draft.segments, draft.sources)
        case .answered(let answer, let rating):
            text(answer.segments, answer.sources)
            HStack {
                Button("👍") { Task { await model.rate(exchange.id, .up) } }.disabled(rating == .up)
                Button("👎") { Task { await model.rate(exchange.id, .down) } }.disabled(rating == .down)
            }
            .buttonStyle(.bordered)
        case .failed(let sentence, let draft):
            text(draft.segments, draft.sources)
            Text(sentence.localized).foregroundStyle(.red)
            Button("Try again") { Task { await model.retry(exchange.id) } }
        }
    }

    @ViewBuilder private func text(_ segments: [AnswerSegment], _ sources: [ChatAnswer.Source]) -> some View {
        Text(Self.attributed(segments))
            .environment(
                \.openURL,
                OpenURLAction { url in
                    guard let index = Int(url.lastPathComponent), segments.indices.contains(index),
                        case .citations(_, let citations) = segments[index], let first = citations.first
                    else { return .discarded }
                    model.open(first.place)
                    return .handled
                })
        ScrollView(.horizontal) {
            HStack {
                ForEach(SourceCard.cards(of: sources)) { card in
                    SourceCardView(card: card).onTapGesture { model.open(card.place) }
                }
            }
        }
    }

    /// The answer, with each citation as a link to its segment.
    private static func attributed(_ segments: [AnswerSegment]) -> AttributedString {
        var whole = AttributedString()
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .text(let text): whole += AttributedString(text)
            case .citations(let text, _):
                var link = AttributedString(text)
                link.link = URL(string: "citation:/\(index)")
                whole += link
            }
        }
        return whole
    }
}

struct SourceCardView: View {
    let card: SourceCard

    var body: some View {
        VStack(alignment: .leading) {
            Text((card.number.map { "[\($0)] " } ?? "") + card.title).font(.caption.bold())
            Text(card.excerpt).font(.caption).lineLimit(4)
            if let date = card.date { Text(date, style: .date).font(.caption2) }
        }
        .frame(width: 220, alignment: .topLeading)
        .padding(8)
        .background(.quaternary, in: .rect(cornerRadius: 8))
        .accessibilityAddTraits(.isButton)
    }
}
#endif
