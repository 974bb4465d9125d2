import ChatCore
import LiveChat
import Synchronization
import TestSupport
import Testing

/// Several nodes, joined by a channel that loses, delays and doubles texts.
@Suite(.hangGuard) struct NodesTests {
    @Test func aNodeSeesWhoIsOnlineOnAnother() async throws {
        let world = NodeWorld(2)
        let ada = world[0].connect("ada", device: "phone")
        let bob = world[1].connect("bob", device: nil)
        try await bob.watch(["ada", "eve"]) { ["ada"] }
        world.pass(2)

        #expect(world[1].presence(of: "ada").status == .online)
        #expect(world[0].presence(of: "bob").status == .online)
        ada.beat(.away)
        world.pass(2)
        #expect(world[1].presence(of: "ada").status == .away)
        ada.close(isClean: true)
        let closed = world.now
        world.pass(2)

        #expect(world[1].presence(of: "ada") == Presence(user: "ada", status: .offline, lastSeen: closed))
        var told: [String] = []
        for case .presence(let frame) in try bob.take() { told += frame.presences.map { "\($0.user) \($0.status)" } }
        #expect(told.last == "ada offline")
        #expect(told.contains("ada online"))
        #expect(told.allSatisfy { $0.hasPrefix("ada ") })
        bob.close(isClean: true)
    }

    @Test func aNodeThatJoinsLearnsEverything() async throws {
        let world = NodeWorld(1)
        let devices = (0..<300).map { world[0].connect(UserID(rawValue: "user\($0)"), device: "phone") }
        devices[7].close(isClean: true)
        world[0].setHidesLastSeen(true, of: "user8")
        devices[8].close(isClean: true)
        let closed = world.now
        world.pass(1)

        world.join()
        world.pass(2)

        for number in 9..<300 {
            #expect(world[1].presence(of: UserID(rawValue: "user\(number)")).status == .online)
        }
        #expect(world[1].presence(of: "user7").lastSeen == closed)
        #expect(world[1].presence(of: "user8") == Presence(user: "user8", status: .offline))
        for device in devices.dropFirst(9) { device.close(isClean: true) }
    }

    @Test func thePeopleOfADeadNodeGoOffline() async throws {
        let world = NodeWorld(3)
        let ada = world[0].connect("ada", device: "phone")
        let also = world[1].connect("ada", device: "laptop")
        let bob = world[0].connect("bob", device: "phone")
        world.pass(2)
        #expect(world[2].presence(of: "bob").status == .online)

        world.kill(0)
        world.pass(20)

        #expect(world[2].presence(of: "bob").status == .offline)
        #expect(world[2].presence(of: "bob").lastSeen != nil)
        #expect(world[2].presence(of: "ada").status == .online)
        for connection in [ada, also, bob] { connection.close(isClean: true) }
    }

    @Test func aNodeWithoutAChannelForgetsTheOthers() async throws {
        let world = NodeWorld(2)
        let ada = world[0].connect("ada", device: "phone")
        world.pass(2)
        #expect(world[1].presence(of: "ada").status == .online)

        world.cut(1)
        world.pass(40)

        #expect(world[1].presence(of: "ada").status == .offline)
        ada.close(isClean: true)
    }

    @Test func aDeviceThatComesBackOnAnotherNodeLeavesNoLease() async throws {
        let world = NodeWorld(2)
        let first = world[0].connect("ada", device: "phone")
        world.pass(2)
        first.close(isClean: false)
        let second = world[1].connect("ada", device: "phone")
        world.pass(2)

        second.close(isClean: true)
        world.pass(2)

        #expect(world[0].presence(of: "ada").status == .offline)
        #expect(world[1].presence(of: "ada").status == .offline)
    }

    @Test func hidingTheLastContactReachesOtherNodes() async throws {
        let world = NodeWorld(2)
        let ada = world[0].connect("ada", device: "phone")
        ada.close(isClean: true)
        world.pass(2)
        #expect(world[1].presence(of: "ada").lastSeen != nil)

        world.loses = true
        world[0].setHidesLastSeen(true, of: "ada")
        world.pass(2)
        world.loses = false
        world.pass(40)

        #expect(world[1].presence(of: "ada").lastSeen == nil)
        world[1].setHidesLastSeen(false, of: "ada")
        world.pass(2)
        #expect(world[0].presence(of: "ada").lastSeen != nil)
    }

    @Test(arguments: [true, false]) func anErasedPersonIsForgottenEverywhere(isLost: Bool) async throws {
        let world = NodeWorld(3)
        let connections = (0..<3).map { world[$0].connect("ada", device: DeviceID(rawValue: "phone\($0)")) }
        let seen = world[0].connect("ada", device: "old")
        seen.close(isClean: true)
        world.pass(2)

        world.loses = isLost
        world[0].forget("ada")
        if isLost { world.pass(2) }
        world.loses = false
        world.pass(40)

        for connection in connections { #expect(throws: LivePeople.ForgottenError.self) { try connection.take() } }
        for connection in connections { connection.close(isClean: true) }
        world.join()
        world.pass(5)
        for number in 0..<4 {
            #expect(world[number].presence(of: "ada") == Presence(user: "ada", status: .offline))
        }
        let again = world[1].connect("ada", device: "phone")
        world.pass(40)
        #expect(try again.take() == [])
        #expect(world[0].presence(of: "ada").status == .online)
        again.close(isClean: true)
    }

    @Test func typingReachesViewersOnOtherNodes() async throws {
        let world = NodeWorld(2)
        let ada = world[0].connect("ada", device: nil)
        let bob = world[1].connect("bob", device: nil)
        let eve = world[1].connect("eve", device: nil)
        bob.show("c")
        eve.show("d")

        ada.type(true, in: "c", memberCount: 2)
        world.deliver()
        world.deliver()
        ada.type(false, in: "c", memberCount: 2)
        world.deliver()

        let typing = try bob.take().compactMap { event in
            if case .typing(let event) = event { event } else { nil }
        }
        #expect(typing.map(\.user) == ["ada", "ada"])
        #expect(typing.map { $0.remaining > .zero } == [true, false])
        #expect(
            try !eve.take().contains { if case .typing = $0 { true } else { false } })
        for connection in [ada, bob, eve] { connection.close(isClean: true) }
    }

    @Test func anAnswerReachesTheDevicesOfItsAskerOnOtherNodes() async throws {
        let world = NodeWorld(2)
        let phone = world[1].connect("ada", device: "phone")
        let bob = world[1].connect("bob", device: "phone")
        world.pass(2)
        _ = try bob.take()
        let text = String(repeating: "\u{1}", count: 3_000)

        let running = Task { await world[0].run(mayRead: { _, _ in true }, companions: { _ in [] }) }
        let answer = world[0].beginAnswer("a", in: .conversation("c"), for: "ada")
        answer.take(text)
        answer.end(.done("t"))
        var pieces: [AnswerPiece] = []
        while pieces.last?.ending == nil {
            world.deliver()
            for case .answer(let piece) in try phone.take() { pieces.append(piece) }
            try await Task.sleep(for: .milliseconds(5))
        }
        running.cancel()
        await running.value

        #expect(pieces.map(\.text).joined() == text)
        #expect(pieces.last?.ending == .done("t"))
        #expect(try bob.take() == [])
        for connection in [phone, bob] { connection.close(isClean: true) }
    }

    /// People come and go on all nodes; once the channel is good again, all nodes agree.
    @Test(arguments: Array(1...12) as [UInt64]) func allNodesAgreeInTheEnd(seed: UInt64) async throws {
        var random = SeededNumbers(state: seed)
        let world = NodeWorld(3)
        world.faults = seed
        let users = (0..<40).map { UserID(rawValue: "user\($0)") }
        var open: [(node: Int, user: UserID, connection: LiveConnection)] = []
        for _ in 0..<400 {
            let node = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                let user = users[Int.random(in: 0..<users.count, using: &random)]
                let device = DeviceID(rawValue: "device\(Int.random(in: 0..<2, using: &random))")
                open.append((node, user, world[node].connect(user, device: device)))
            case 4...5: open.randomElement(using: &random)?.connection.beat(random.oneIn(2) ? .away : .active)
            case 6...7:
                guard !open.isEmpty else { continue }
                let place = Int.random(in: 0..<open.count, using: &random)
                open.remove(at: place).connection.close(isClean: random.oneIn(2))
            default: world.pass(Int.random(in: 1...3, using: &random))
            }
        }
        world.faults = nil
        // Longer than two repairs and a lease; the devices that are open stay connected.
        for _ in 0..<6 {
            world.pass(20)
            for entry in open { entry.connection.beat() }
        }
        world.pass(2)

        for user in users {
            let statuses = (0..<3).map { world[$0].presence(of: user).status }
            #expect(Set(statuses).count == 1, "\(user) \(statuses)")
            #expect((statuses[0] != .offline) == open.contains { $0.user == user })
            let seen = (0..<3).map { world[$0].presence(of: user).lastSeen }
            #expect(seen.allSatisfy { $0 == nil } || statuses[0] == .offline)
        }
        for entry in open { entry.connection.close(isClean: true) }
    }
}

/// Nodes of one process, each with the people who are connected to it.
private final class NodeWorld: Sendable {
    private struct Member {
        let channel: JoinedChannel
        let people: LivePeople
        var isDead = false
        var isCut = false
    }

    private struct State {
        var members: [Member] = []
        var second = 0
        /// Texts under way, with the number of the receiver.
        var texts: [(receiver: Int, text: NodeText)] = []
        var loses = false
        var random: SeededNumbers?
    }

    private let state = Mutex(State())

    init(_ count: Int) {
        for _ in 0..<count { join() }
        pass(2)
    }

    subscript(number: Int) -> LivePeople { state.withLock { $0.members[number].people } }

    var now: Timestamp { at(Double(state.withLock { $0.second })) }

    /// Whether texts are lost.
    var loses: Bool {
        get { state.withLock { $0.loses } }
        set { state.withLock { $0.loses = newValue } }
    }

    /// The seed of random faults; nil for none.
    var faults: UInt64? {
        get { state.withLock { $0.random?.state } }
        set { state.withLock { $0.random = newValue.map { SeededNumbers(state: $0) } } }
    }

    func join() {
        let number = state.withLock { $0.members.count }
        let channel = JoinedChannel(number: number) { [weak self] in self?.send($0, from: number) }
        let people = LivePeople(now: { [weak self] in self?.now ?? at(0) }, nodes: channel)
        state.withLock { $0.members.append(Member(channel: channel, people: people)) }
    }

    /// Ends a node without a word.
    func kill(_ number: Int) { state.withLock { $0.members[number].isDead = true } }

    /// Lets a node hear nothing more.
    func cut(_ number: Int) { state.withLock { $0.members[number].isCut = true } }

    private func send(_ text: NodeText, from number: Int) {
        state.withLock { state in
            guard !state.loses, !(number < state.members.count && state.members[number].isDead) else { return }
            for receiver in state.members.indices where receiver != number { state.texts.append((receiver, text)) }
        }
    }

    /// Delivers what is under way, with faults.
    func deliver() {
        let due = state.withLock { state in
            var due: [(NodeText, JoinedChannel)] = []
            var kept: [(receiver: Int, text: NodeText)] = []
            for (receiver, text) in state.texts {
                let member = state.members[receiver]
                guard !member.isDead, !member.isCut else { continue }
                if state.random?.oneIn(5) == true { continue }
                if state.random?.oneIn(5) == true {
                    kept.append((receiver, text))
                    continue
                }
                if state.random?.oneIn(5) == true { kept.append((receiver, text)) }
                due.append((text, member.channel))
            }
            state.texts = kept
            return due
        }
        for (text, channel) in due { channel.tell(.text(text)) }
    }

    /// Lets seconds pass: nodes do what is due, texts arrive, and every third second all hear who lives.
    func pass(_ count: Int) {
        for _ in 0..<count {
            let (members, second) = state.withLock { state in
                state.second += 1
                return (state.members, state.second)
            }
            let living = members.filter { !$0.isDead }
            for member in living where second.isMultiple(of: 3) && !member.isCut {
                member.channel.tell(.living(Set(living.map(\.channel.node)).subtracting([member.channel.node])))
            }
            for _ in 0..<4 {
                for member in living { member.people.advance() }
                deliver()
            }
        }
    }
}

/// The end of a node.
private final class JoinedChannel: NodeChannel {
    let node: NodeID
    let reachesOthers = true
    private let sent: @Sendable (NodeText) -> Void
    private let listeners = Mutex<[@Sendable (NodeNews) -> Void]>([])

    init(number: Int, sent: @escaping @Sendable (NodeText) -> Void) {
        node = NodeID(rawValue: "node\(number)")
        self.sent = sent
    }

    func send(_ text: String, about topic: NodeTopic) {
        guard text.utf8.count <= NodeText.byteLimit else {
            Issue.record("a text of \(text.utf8.count) bytes")
            return
        }
        sent(NodeText(sender: node, topic: topic, text: text))
    }

    func listen(_ listener: @escaping @Sendable (NodeNews) -> Void) { listeners.withLock { $0.append(listener) } }

    func tell(_ news: NodeNews) {
        for listener in listeners.withLock({ $0 }) { listener(news) }
    }
}
