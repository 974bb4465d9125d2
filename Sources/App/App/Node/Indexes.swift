import ChatCore
import Foundation
import MessageStore
import Retrieval

/// The indexes that searches use, and the follower that keeps them up to date.
struct Indexes: Sendable {
    let vectors: LiveIndex
    let words: LiveLexicon
    let follower: ChangeFollower

    init(_ workspace: Workspace) {
        let (store, logger) = (workspace.store, workspace.logger)
        let folder = workspace.settings.dataFolder.appending(path: "index").path
        let files = SnapshotFiles(
            folder: folder,
            register: store.isInFolder ? store : LocalSnapshotRegister(folder: folder, generations: store),
            makeName: { UUID().uuidString.lowercased() })
        vectors = LiveIndex(
            store: store, files: files,
            searchThreadCount: max(1, ProcessInfo.processInfo.activeProcessorCount), logger: logger)
        words = LiveLexicon(store: store, files: files, fallback: workspace.settings.language, logger: logger)
        follower = ChangeFollower(store: store, subscribers: [words, vectors])
    }

    /// Writes the files of the indexes if the next start would have to read much.
    func finish() async {
        await vectors.finish()
        await words.finish()
    }
}

extension HybridSearcher {
    /// A search over both indexes, with the embedders of its choice.
    init(
        _ workspace: Workspace, _ indexes: Indexes, embedders: any EmbedderSource, health: ServiceHealth? = nil,
        reranker: (any Reranker)? = nil
    ) {
        self.init(
            store: workspace.store, index: indexes.vectors, lexicon: indexes.words, follower: indexes.follower,
            embedders: embedders, health: health, reranker: reranker, settings: workspace.settings.search,
            now: workspace.now, logger: workspace.logger)
    }
}
