package import ChatCore

extension SQLStore {
    /// Returns all generations, oldest first.
    package func generations() async throws -> [EmbeddingGeneration] {
        try await read { db in try GenerationRows.all(in: db) }
    }

    /// Begins a generation and queues every message that it covers, or continues with an existing one.
    package func beginGeneration(_ plan: GenerationPlan, at moment: Timestamp) async throws -> EmbeddingGeneration {
        let (generation, replaced) = try await write { db in try GenerationRows.begin(plan, at: moment, in: db) }
        for number in replaced { try await clear(number) }
        // A process may have ended while it cleared a retired generation.
        for old in try await generations() where old.state == .retired && !replaced.contains(old.number.rawValue) {
            let hasRows = try await read { db in
                try db.number(PassageRows.any, [old.number.rawValue]) != nil
            }
            if hasRows { try await clear(old.number.rawValue) }
        }
        return generation
    }

    /// Makes a generation serve; the previous one becomes standby.
    package func switchTo(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await write { db in
            let all = try GenerationRows.all(in: db)
            guard let next = all.first(where: { $0.number == generation }), next.state != .retired else {
                throw GenerationRows.unknown
            }
            guard next.state != .serving else { return }
            for old in all where old.state == .serving { try GenerationRows.standBy(old.number.rawValue, in: db) }
            try db.run(
                "UPDATE generations SET served_at = ? WHERE number = ?", [moment.microseconds, generation.rawValue])
            try GenerationRows.set(.serving, of: generation.rawValue, in: db)
        }
    }

    /// Removes the limit of a generation's filling speed.
    package func endFill(of generation: GenerationNumber) async throws {
        try await write { db in
            try db.run("UPDATE generations SET fill_rate = NULL WHERE number = ?", [generation.rawValue])
        }
    }

    /// Stores what cosines say in a generation's space.
    package func setScale(_ scale: CosineScale, of generation: GenerationNumber) async throws {
        try await write { db in
            try db.run(
                "UPDATE generations SET cosine_mean = ?, cosine_contrast = ? WHERE number = ? AND state <> 'retired'",
                [scale.mean, scale.contrast, generation.rawValue])
            guard db.changedRowCount > 0 else { throw GenerationRows.unknown }
            try ChangeLog.append(.generation, generation: generation.rawValue, to: db)
        }
    }

    /// Retires a generation that does not serve, or that no search can use, and frees its space.
    package func drop(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try await write { db in
            guard let found = try GenerationRows.all(in: db).first(where: { $0.number == generation }) else {
                throw RepositoryError.invalid(field: "generation", reason: "is unknown")
            }
            guard found.state != .serving || !found.space.isUsable else {
                throw RepositoryError.conflict("generation \(generation.rawValue) serves; switch to another one first")
            }
            if found.state != .retired { try GenerationRows.retire(generation.rawValue, in: db) }
        }
        try await clear(generation.rawValue)
    }

    /// Deletes the vectors of a retired generation and frees their space, in small steps, so that other writes do not
    /// wait.
    private func clear(_ generation: Int64) async throws {
        while try await write({ db in try GenerationRows.deletePassages(of: generation, in: db) }) {}
        while try await engine.giveBackSpace() {}
        // If a reader uses the log, it is emptied later.
        try? await checkpoint()
    }
}
