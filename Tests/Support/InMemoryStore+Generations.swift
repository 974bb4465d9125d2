package import ChatCore

extension InMemoryStore {
    /// Returns all generations, oldest first.
    package func generations() async throws -> [EmbeddingGeneration] {
        try read { state in state.generations }
    }

    /// Begins a generation and queues every message that it covers.
    package func beginGeneration(_ plan: GenerationPlan, at moment: Timestamp) async throws -> EmbeddingGeneration {
        try write { state throws(RepositoryError) in
            if let existing = try plan.existing(among: state.generations) {
                guard existing.state == .filling else { return existing }
                let renewed = EmbeddingGeneration(
                    number: existing.number, space: existing.space, baseURL: existing.baseURL, state: .filling,
                    requestsDimensions: plan.requestsDimensions, since: existing.since, switchShare: plan.switchShare,
                    fillRate: plan.fillRate, scale: existing.scale)
                state.generations[Int(existing.number.rawValue) - 1] = renewed
                return renewed
            }
            for index in state.generations.indices where state.generations[index].state == .filling {
                state.retire(index)
            }
            guard plan.space.isUsable else { throw GenerationPlan.unusable }
            let isFirst = state.generations.allSatisfy { $0.state == .retired }
            let generation = EmbeddingGeneration(
                number: GenerationNumber(rawValue: Int64(state.generations.count) + 1), plan: plan,
                state: isFirst ? .serving : .filling, servedAt: isFirst ? moment : nil)
            state.generations.append(generation)
            let covered = state.messages.filter {
                $0.value.isEmbeddable && !state.isExcluded($0.key)
                    && generation.covers($0.value.message.timestamp)
            }
            state.queue[generation.number] = covered.mapValues { _ in
                InMemoryState.QueueEntry(isBacklog: true, queuedAt: moment)
            }
            state.append(.generation(generation.number), in: nil)
            return generation
        }
    }

    /// Lets a generation serve; the one that did stands by.
    package func switchTo(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try write { state throws(RepositoryError) in
            guard let index = state.generations.firstIndex(where: { $0.number == generation }),
                state.generations[index].state != .retired
            else { throw .invalid(field: "generation", reason: "is unknown or retired") }
            guard state.generations[index].state != .serving else { return }
            for old in state.generations.indices where state.generations[old].state == .serving {
                state.generations[old].state = .standby
                state.snapshots[state.generations[old].number] = nil
                state.append(.generation(state.generations[old].number), in: nil)
            }
            state.generations[index].state = .serving
            state.generations[index].servedAt = moment
            state.append(.generation(generation), in: nil)
        }
    }

    /// Forgets the bound of a generation's speed.
    package func endFill(of generation: GenerationNumber) async throws {
        try write { state in
            guard let index = state.generations.firstIndex(where: { $0.number == generation }) else { return }
            state.generations[index].fillRate = nil
        }
    }

    /// Stores what cosines say in a generation's space.
    package func setScale(_ scale: CosineScale, of generation: GenerationNumber) async throws {
        try write { state throws(RepositoryError) in
            guard let index = state.generations.firstIndex(where: { $0.number == generation && $0.state != .retired })
            else { throw .invalid(field: "generation", reason: "is unknown or retired") }
            state.generations[index].scale = scale
            state.append(.generation(generation), in: nil)
        }
    }

    /// Retires a generation that does not serve.
    package func drop(_ generation: GenerationNumber, at moment: Timestamp) async throws {
        try write { state throws(RepositoryError) in
            guard let index = state.generations.firstIndex(where: { $0.number == generation }) else {
                throw .invalid(field: "generation", reason: "is unknown")
            }
            guard state.generations[index].state != .serving || !state.generations[index].space.isUsable else {
                throw .conflict("generation \(generation.rawValue) serves; switch to another one first")
            }
            if state.generations[index].state != .retired { state.retire(index) }
        }
    }
}

extension InMemoryState {
    fileprivate mutating func retire(_ index: Int) {
        let number = generations[index].number
        generations[index].state = .retired
        queue[number] = nil
        passages = passages.filter { $0.value.generation != number }
        snapshots[number] = nil
        append(.generation(number), in: nil)
    }
}
