import ChatCore

// MARK: - Deciding the next steps

extension IngestRun {
    /// Begins everything that can begin now.
    mutating func advance(_ group: inout DiscardingTaskGroup) {
        leaveCappedBacklog()
        probe(&group)
        send(&group)
        claim(&group)
        store(&group)
        measureScale(&group)
        switchGeneration(&group)
        setAlarm(&group)
    }

    /// Reads the rows of a generation that may be complete, and switches to it; what is being measured does not serve yet.
    private mutating func switchGeneration(_ group: inout DiscardingTaskGroup) {
        guard !isSwitching, !isMeasuring, let generation = switchable else { return }
        switchable = nil
        isSwitching = true
        group.addTask { [context, post] in
            do {
                post(.switched(.success(try await context.lifecycle.switchIfComplete(generation))))
            } catch {
                post(.switched(.failure(error)))
            }
        }
    }

    /// Measures the scale of a generation that has none, while its service works.
    private mutating func measureScale(_ group: inout DiscardingTaskGroup) {
        let next = buffers.map(\.generation).first {
            context.lifecycle.needsScale($0) && measurements[$0.number]?.isDue(at: .now) ?? true
                && !context.health.isOpen($0.service)
        }
        guard !isMeasuring, let next else { return }
        isMeasuring = true
        measurements[next.number, default: ScaleAttempt()].begin()
        group.addTask { [context, post] in
            do {
                let usage = try await context.lifecycle.measureScale(
                    of: next, batchCount: context.settings.batchItemCount)
                post(.measured(next.number, .success(usage)))
            } catch {
                post(.measured(next.number, .failure(error)))
            }
        }
    }

    /// Wakes the run when the next work is due by time, unless it wakes earlier anyway.
    private mutating func setAlarm(_ group: inout DiscardingTaskGroup) {
        let deadline = nextDeadline(after: .now)
        if let alarm, alarm <= deadline { return }
        alarm = deadline
        group.addTask { [post] in
            try? await Task.sleep(until: deadline, clock: .continuous)
            post(.due(deadline))
        }
    }

    private func nextDeadline(after instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let moment = context.now()
        var deadlines = [instant + context.settings.pollInterval]
        if let resumption { deadlines.append(resumption) }
        if let nextDue { deadlines.append(instant + (nextDue - moment)) }
        if !context.ledger.isEmpty { deadlines.append(instant + context.settings.lease / 3) }
        if !isMeasuring {
            let working = buffers.filter { !context.health.isOpen($0.service) }
            deadlines += working.compactMap { measurements[$0.generation.number]?.due }
        }
        if context.budget.isSpent(at: moment) { deadlines.append(instant + (moment.nextDay - moment)) }
        let unprobed = buffers.map(\.service).filter { traffic[$0]?.isProbing != true }
        // Without a generation the claim is the probe.
        let services = buffers.isEmpty && !isClaiming ? [context.lifecycle.configuredService] : unprobed
        if let probe = context.health.nextProbe(of: services) { deadlines.append(probe) }
        return deadlines.min() ?? instant
    }

    /// Whether the backlog of a generation waits for the next day.
    private func isCapped(_ generation: EmbeddingGeneration) -> Bool {
        generation.service.baseURL != nil && context.budget.isSpent(at: context.now())
    }

    private mutating func leaveCappedBacklog() {
        for place in buffers.indices where buffers[place].backlogCount > 0 && isCapped(buffers[place].generation) {
            results.release(buffers[place].removeAll(backlogOnly: true))
        }
    }

    /// Checks with one request whether a service is back.
    private mutating func probe(_ group: inout DiscardingTaskGroup) {
        for generation in buffers.map(\.generation) where context.health.isProbeDue(of: generation.service) {
            guard traffic(of: generation.service).isProbing == false else { continue }
            traffic[generation.service]?.isProbing = true
            group.addTask { [context, post] in
                post(.probed(generation, await Self.probed(generation, with: context.embedders)))
            }
        }
    }

    private static func probed(
        _ generation: EmbeddingGeneration, with embedders: any EmbedderSource
    ) async -> Result<EmbeddingUsage, ModelServiceError> {
        do {
            let embedder = try await embedders.embedder(for: generation)
            return .success(try await BatchEmbedding.probe(generation.space, with: embedder))
        } catch let error as ModelServiceError {
            return .failure(error)
        } catch {
            return .failure(.unreachable(reason: "cancelled"))
        }
    }

    private mutating func send(_ group: inout DiscardingTaskGroup) {
        for isBacklog in [false, true] {
            for place in buffers.indices {
                while let order = nextOrder(at: place, isBacklog: isBacklog) {
                    group.addTask { [context, post] in
                        do {
                            let answer = try await context.meter.measuring(.embed) {
                                try await BatchAnswer.to(order, in: context)
                            }
                            post(.answered(answer))
                        } catch {
                            post(.broken(error))
                        }
                    }
                }
            }
        }
    }

    private mutating func nextOrder(at place: Int, isBacklog: Bool) -> BatchAnswer.Order? {
        let generation = buffers[place].generation
        let (service, settings) = (generation.service, context.settings)
        // When the store is slower than the service, at most a few transactions' worth of results pile up.
        guard !context.health.isOpen(service), results.embedded.count < 4 * settings.commitCount,
            traffic(of: service).admits(isBacklog: isBacklog, at: .now)
        else { return nil }
        let moment = context.now()
        let remainingCount = service.baseURL == nil || !isBacklog ? .max : context.budget.remainingCount(at: moment)
        guard remainingCount > 0 else { return nil }
        let (messages, tokenCount) = buffers[place].next(
            isBacklog: isBacklog, settings: settings,
            tokenLimit: min(settings.batchTokenCount, remainingCount),
            waitsForMore: isBacklog && !isPaced && (isClaiming || buffers[place].mayHaveMore))
        guard !messages.isEmpty else { return nil }
        traffic[service]?.countSent()
        let reservation = service.baseURL.map { _ in context.budget.reserve(tokenCount, at: moment) }
        let fitting = messages.map { message in
            var message = message
            message.divideTurn { context.limits.tokenCount(for: $0, of: service) }
            return message
        }
        return BatchAnswer.Order(
            generation: generation, isBacklog: isBacklog, messages: fitting, reservation: reservation,
            epoch: traffic(of: service).epoch)
    }

    private mutating func traffic(of service: ModelServiceName) -> ServiceTraffic {
        if let known = traffic[service] { return known }
        let new = ServiceTraffic(maximum: context.settings.concurrency)
        traffic[service] = new
        return new
    }

    private mutating func claim(_ group: inout DiscardingTaskGroup) {
        let pageCount = context.settings.pageCount
        let wantsMore = buffers.contains { buffer in
            buffer.mayHaveMore && buffer.backlogCount < pageCount / 2 && !context.health.isOpen(buffer.service)
                && context.pace.delay(of: buffer.generation) == nil
        }
        guard !isClaiming, isStale || wantsMore else { return }
        isClaiming = true
        isStale = false
        let waiting = Dictionary(uniqueKeysWithValues: buffers.map { ($0.generation.number, $0.backlogCount) })
        group.addTask { [context, post] in
            let drain = context.drains.latest
            do {
                let intake = try await context.meter.measuring(.claim) {
                    try await IngestIntake.claiming(besides: waiting, in: context)
                }
                post(.claimed(.success(intake), drain: drain))
            } catch {
                post(.claimed(.failure(error), drain: drain))
            }
        }
    }

    private mutating func store(_ group: inout DiscardingTaskGroup) {
        guard !isStoring, !results.isEmpty else { return }
        isStoring = true
        let part = results.next(context.settings.commitCount)
        group.addTask { [context, post] in
            do {
                post(.stored(.success(try await context.meter.measuring(.store) { try await part.store(in: context) })))
            } catch {
                post(.stored(.failure(error)))
            }
        }
    }
}
