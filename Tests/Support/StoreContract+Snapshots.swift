import ChatCore

extension StoreContract {
    /// Of `SnapshotRegister`.
    package static let snapshots: [StoreContract] = [
        StoreContract("a snapshot's name is remembered until its generation is retired") { store in
            let old = try await store.furnish()
            try demand(try await store.snapshots(), [:])
            try demand(try await store.setSnapshot(.named("a"), of: old), true)
            try demand(try await store.setSnapshot(.named("b"), of: old), true)
            try demand(try await store.setSnapshot(.named("x"), of: GenerationNumber(rawValue: 9)), false)
            try demand(try await store.snapshots().mapValues(\.name), [old: "b"])
            let latest = try await store.latestChange()
            let new = try await store.beginGeneration(.tiny("b"), baseURL: nil, refilling: false, at: .second(2)).number
            try demand(try await store.setSnapshot(.named("c"), of: new), true)
            try demand(try await store.snapshots().mapValues(\.name), [old: "b", new: "c"])

            try await store.switchTo(new, at: .second(3))

            // Nobody keeps the file of one that stands by up to date.
            try demand(try await store.snapshots().mapValues(\.name), [new: "c"])
            try demand(try await store.setSnapshot(.named("d"), of: old), false)
            try await store.drop(old, at: .second(4))
            try demand(try await store.setSnapshot(.named("d"), of: old), false)
            try demand(try await store.setSnapshot(nil, of: new), true)
            try demand(try await store.snapshots(), [:])
            // A name is no news for those who follow.
            try demand(
                try await store.subjects(after: latest),
                [.generation(new), .generation(old), .generation(new), .generation(old)])
        },
        StoreContract("a snapshot's position is remembered with its name") { store in
            let generation = try await store.furnish()
            let record = SnapshotRecord(name: "a", cursor: try await store.latestChange())
            try demand(try await store.setSnapshot(record, of: generation), true)
            try await store.setWordSnapshot(record)
            try demand(try await store.snapshots(), [generation: record])
            try demand(try await store.wordSnapshot(), record)
        },
        StoreContract("the name of the file of words is remembered beside the others") { store in
            let generation = try await store.furnish()
            let latest = try await store.latestChange()
            try demand(try await store.wordSnapshot()?.name, nil)
            try await store.setWordSnapshot(.named("a"))
            try demand(try await store.setSnapshot(.named("vectors"), of: generation), true)
            try demand(try await store.wordSnapshot()?.name, "a")
            try await store.setWordSnapshot(.named("b"))
            try demand(try await store.wordSnapshot()?.name, "b")
            try demand(try await store.snapshots().mapValues(\.name), [generation: "vectors"])
            try await store.setWordSnapshot(nil)
            try demand(try await store.wordSnapshot()?.name, nil)
            try await store.setWordSnapshot(nil)
            try demand(try await store.snapshots().mapValues(\.name), [generation: "vectors"])
            try demand(try await store.latestChange(), latest)
        },
    ]
}
