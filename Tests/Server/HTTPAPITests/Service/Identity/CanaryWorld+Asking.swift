import Assistant
import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import Ingest
import MessageStore
import Prompting
import Retrieval
import ServerTestSupport
import Telemetry
import TestSupport
import Testing

/// What people ask and read, and what each reply, prompt and tool may hold.
extension CanaryWorld {
    /// Lets somebody ask and read in every way that there is.
    mutating func ask(_ server: RunningServer, step: Int) async throws {
        let user = Self.users.randomElement(using: &generator) ?? "ada"
        let headers = tokens[user] ?? []
        let foreign = Self.ids.filter { !permitted(user).contains($0) }
        let topic = (foreign + Self.ids).prefix(max(1, foreign.count)).randomElement(using: &generator) ?? "c0"
        let question = "topic\(topic) \(Self.words.randomElement(using: &generator) ?? "cat")"
        let chosen = Self.ids.shuffled(using: &generator).prefix(2).map { "\"\($0)\"" }.joined(separator: ",")
        let filter = Bool.random(using: &generator) ? #","conversationIds":[\#(chosen)]"# : ""
        let promptCount = model.prompts.count
        let stream = headers + [(name: "Accept", value: "text/event-stream")]
        let requests: [(String, String, String?, Headers)] = [
            ("POST", "/v1/search", #"{"query":"\#(question)","topK":50,"explain":true\#(filter)}"#, headers),
            ("POST", "/v1/timeline", #"{"subject":"\#(question)"\#(filter)}"#, headers),
            ("POST", "/v1/ask", #"{"question":"\#(question)","topK":20\#(filter)}"#, headers),
            ("POST", "/v1/ask", #"{"question":"\#(question)"\#(filter)}"#, stream),
            ("POST", "/ragQuery", #"{"data":{"question":"\#(question)"\#(filter)}}"#, stream),
            ("POST", "/ragSearch", #"{"data":{"query":"\#(question)"\#(filter)}}"#, headers),
            ("POST", "/v1/conversations/\(topic)/smart-replies", "{}", headers),
            ("POST", "/v1/conversations/\(topic)/summary", "{}", headers),
            ("GET", "/v1/conversations?q=c", nil, headers),
        ]
        let current = Set(messages.values.map(\.canary)).filter { permitted(user).contains($0.conversation) }
        for (method, path, body, headers) in requests {
            let reply = try await server.send(method, path, body, headers: headers)
            let heard = Canary.all(in: reply.text)
            #expect(heard.isSubset(of: current), "step \(step): \(user) \(method) \(path)")
            // In so little room a conversation that cites much may not fit.
            let isTooLong = path.hasSuffix("/summary") && reply.field("code") == "model_too_long"
            #expect(
                [200, 403].contains(reply.status) || isTooLong,
                "step \(step): \(method) \(path) \(reply.status) \(reply.field("code") ?? "")")
            if reply.status != 200 { #expect(heard.isEmpty) }
            heardCount += heard.count
        }
        for prompt in model.prompts.dropFirst(promptCount) {
            #expect(Canary.all(in: prompt).isSubset(of: current), "step \(step): the prompt of \(user)")
        }
        if step.isMultiple(of: 10) { try await askInThread(server, step: step, user, question) }
        try await look(server, step: step, at: user)
        try await read(server, step: step, topic, as: user)
    }

    /// Lets somebody read a conversation, where the assistant may have said what is of elsewhere.
    private mutating func read(
        _ server: RunningServer, step: Int, _ id: ConversationID, as user: UserID
    ) async throws {
        let reply = try await server.send(
            "GET", "/v1/conversations/\(id)/messages?limit=200" + (step.isMultiple(of: 2) ? "" : "&around=unread"),
            headers: tokens[user] ?? [])
        let heard = Canary.all(in: reply.text)
        #expect(reply.status == (permitted(user).contains(id) ? 200 : 403), "step \(step)")
        if reply.status != 200 { #expect(heard.isEmpty) }
        let current = messages.filter { $0.key.conversationID == id }.map(\.value.canary)
        let allowed = (told[id] ?? []).union(current).subtracting(deleted)
        #expect(heard.isSubset(of: allowed), "step \(step): \(user) reads \(id)")
        heardCount += heard.count
    }

    /// Lets somebody ask the assistant by a message: what it answers there all who read it may see, now.
    mutating func mention(_ server: RunningServer, step: Int) async throws {
        let place = Self.ids.randomElement(using: &generator) ?? "c0"
        let topic = Self.ids.randomElement(using: &generator) ?? "c0"
        guard let sender = members[place]?.sorted().randomElement(using: &generator) else { return }
        let (text, canary) = newText(in: place)
        let key = MessageKey(conversationID: place, messageID: MessageID(rawValue: "q\(count)"))
        let body = #"{"id":"\#(key.messageID)","text":"@ai \#(text) topic\#(topic) when?"}"#
        try await expect(201, server, "POST", "/v1/conversations/\(place)/messages", body, tokens[sender] ?? [])
        messages[key] = Written(sender: sender, canary: canary, isQuestion: true)
        asked[sender, default: []].insert(canary)
        clock.advance(by: .seconds(1))
        try await worker.drain { _ in }
        let promptCount = model.prompts.count
        _ = try await mentions.look(from: nil)
        while try await mentions.answerNext() {}

        let page = try await server.send(
            "GET", "/v1/conversations/\(place)/messages?limit=1", headers: tokens[sender] ?? [])
        #expect(page.text.contains(#""replyTo":"q\#(count)""#), "step \(step)")
        let readers = place == Self.open ? [] : members[place] ?? []
        let current = Set(messages.values.map(\.canary))
        for canary in [page.text].flatMap({ Canary.all(in: $0) })
            + model.prompts.dropFirst(promptCount).flatMap(
                { Canary.all(in: $0) })
        {
            let isShared =
                canary.conversation == place || canary.conversation == Self.open
                || (!readers.isEmpty && readers.allSatisfy { permitted($0).contains(canary.conversation) })
            #expect(isShared && current.contains(canary), "step \(step): the answer in \(place)")
        }
        told[place, default: []].formUnion(Canary.all(in: page.text))
    }

    /// Lets somebody ask within his or her thread: what was said there before keeps the text of its day, too.
    private func askInThread(_ server: RunningServer, step: Int, _ user: UserID, _ question: String) async throws {
        let promptCount = model.prompts.count
        let reply = try await server.send(
            "POST", "/v1/ask", #"{"question":"\#(question)","threadId":"\#(threads[user] ?? "")"}"#,
            headers: tokens[user] ?? [])
        #expect(reply.status == 200, "step \(step)")
        for text in [reply.text] + model.prompts.dropFirst(promptCount) {
            expectOwn(Canary.all(in: text), of: user, "step \(step): the thread of \(user)")
        }
    }

    /// Expects canaries of any day to be of where somebody is, or words of somebody's own question, and of no message that
    /// was deleted.
    private func expectOwn(_ canaries: Set<Canary>, of user: UserID, _ place: String) {
        for canary in canaries {
            let isOwn = permitted(user).contains(canary.conversation) || asked[user]?.contains(canary) == true
            #expect(isOwn && !deleted.contains(canary), "\(place)")
        }
    }

    /// Lets somebody read what was asked before.
    ///
    /// An answer keeps the text of its day, but not that of what was deleted, nor of where its asker is no more.
    private func look(_ server: RunningServer, step: Int, at user: UserID) async throws {
        let thread = threads[user] ?? ""
        let turns = try await store.turns(of: user, in: ThreadID(rawValue: thread), before: nil, limit: 1)
        let past = turns.map { "/v1/turns/\($0.id)/trace" }
        for path in ["/v1/turns?limit=200", "/v1/threads", "/v1/threads/changes", "/v1/threads/\(thread)/export"] + past
        {
            let reply = try await server.send("GET", path, headers: tokens[user] ?? [])
            #expect([200, 404].contains(reply.status) && (reply.status == 200 || path.hasSuffix("trace")))
            expectOwn(Canary.all(in: reply.text), of: user, "step \(step): \(user) \(path)")
        }
    }

    /// Lets somebody ask the assistant in a conversation, whose earlier answers keep the text of their day, but not that of
    /// what was deleted.
    mutating func assist(_ server: RunningServer, step: Int) async throws {
        let user = Self.users.randomElement(using: &generator) ?? "ada"
        let id = Self.ids.randomElement(using: &generator) ?? "c0"
        let headers = tokens[user] ?? []
        let stream = headers + [(name: "Accept", value: "text/event-stream")]
        let path = "/v1/conversations/\(id)/assistant"
        let body = #"{"text":"What does it say of topic\#(id)?"}"#
        let promptCount = model.prompts.count
        var requests: [(String, String, String?, Headers)] = [
            ("POST", path, body, headers), ("POST", path, body, stream), ("GET", path + "?limit=200", nil, headers),
        ]
        if Int.random(in: 0..<8, using: &generator) == 0 { requests.append(("DELETE", path, nil, headers)) }
        for (method, path, body, headers) in requests {
            let reply = try await server.send(method, path, body, headers: headers)
            let heard = Canary.all(in: reply.text)
            #expect(heard.allSatisfy { $0.conversation == id && !deleted.contains($0) }, "step \(step): \(method)")
            #expect(permitted(user).contains(id) ? reply.status < 300 : reply.status == 403, "step \(step): \(method)")
            if reply.status == 403 { #expect(heard.isEmpty) }
            heardCount += heard.count
        }
        for canary in model.prompts.dropFirst(promptCount).flatMap({ Canary.all(in: $0) }) {
            #expect(canary.conversation == id && !deleted.contains(canary), "step \(step): the prompt of \(user)")
        }
    }

    /// Lets somebody extract action items and have unread messages judged, and somebody else look at them.
    mutating func extract(_ server: RunningServer, step: Int) async throws {
        let reader = Self.users.randomElement(using: &generator) ?? "ada"
        let user = Self.users.randomElement(using: &generator) ?? "ada"
        let id = Self.ids.randomElement(using: &generator) ?? "c0"
        let promptCount = lister.prompts.count
        let current = Set(messages.values.map(\.canary))
        let path = "/v1/conversations/\(id)"
        let requests: [(UserID, String, String, String?)] = [
            (user, "POST", path + "/action-items/extract", "{}"),
            (user, "POST", path + "/priorities", #"{"since":"2020-01-01T00:00:00Z"}"#),
            (reader, "GET", path + "/action-items", nil),
            (reader, "GET", path + "/action-items/changes", nil), (reader, "GET", "/v1/action-items?limit=200", nil),
            (reader, "GET", "/v1/action-items?assignee=me", nil), (reader, "GET", "/v1/decisions?q=look", nil),
        ]
        for (asker, method, path, body) in requests {
            let reply = try await server.send(method, path, body, headers: tokens[asker] ?? [])
            let heard = Canary.all(in: reply.text)
            let allowed = current.filter { permitted(asker).contains($0.conversation) }
            #expect(heard.isSubset(of: allowed), "step \(step): \(asker) \(method) \(path)")
            // In so little room a conversation that cites much may not fit.
            let isTooLong = path.hasSuffix("/summary") && reply.field("code") == "model_too_long"
            #expect(
                [200, 403].contains(reply.status) || isTooLong,
                "step \(step): \(method) \(path) \(reply.status) \(reply.field("code") ?? "")")
            if reply.status != 200 { #expect(heard.isEmpty) }
            heardCount += heard.count
        }
        let allowed = current.filter { permitted(user).contains($0.conversation) }
        for prompt in lister.prompts.dropFirst(promptCount) {
            #expect(Canary.all(in: prompt).isSubset(of: allowed), "step \(step): the list of \(user)")
        }
    }

    /// Lets somebody call every tool of `/mcp`, and read a message as a resource.
    mutating func call(_ server: RunningServer, step: Int) async throws {
        let user = Self.users.randomElement(using: &generator) ?? "ada"
        let topic = Self.ids.randomElement(using: &generator) ?? "c0"
        let isForeign = !permitted(user).contains(topic)
        let place = #""conversationId":"\#(topic)""#
        let calls = [
            "search_messages": #"{"query":"topic\#(topic) when?","topK":50}"#,
            "ask": #"{"question":"topic\#(topic) when?","topK":20}"#,
            "read_timeline": #"{"subject":"topic\#(topic) when?"}"#,
            "list_conversations": #"{"limit":200}"#,
            "get_conversation": #"{\#(place),"limit":100}"#,
            "summarize_conversation": "{\(place)}",
            "list_action_items": isForeign ? "{\(place)}" : "{}",
            "list_decisions": isForeign ? "{\(place)}" : "{}",
            "list_deadlines": isForeign ? "{\(place)}" : "{}",
            // Nothing is posted: what others read would change.
            "post_message": #"{"conversationId":"\#(isForeign ? topic : "nowhere")","text":"hello"}"#,
        ]
        let list = try await mcp(server, "tools/list", "{}", as: user)
        let names = list.text.matches(of: /"name":"(\w+)","outputSchema"/).map { String($0.output.1) }
        #expect(Set(names) == Set(calls.keys), "every tool is called")
        let promptCount = model.prompts.count
        let allowed = Set(messages.values.map(\.canary)).filter { permitted(user).contains($0.conversation) }
        for (name, arguments) in calls.sorted(by: { $0.key < $1.key }) {
            let reply = try await mcp(
                server, "tools/call", #"{"name":"\#(name)","arguments":\#(arguments)}"#, as: user)
            let heard = Canary.all(in: reply.text)
            #expect(reply.status == 200 && heard.isSubset(of: allowed), "step \(step): \(user) calls \(name)")
            let isRefused = name == "post_message" || (isForeign && arguments.contains(place))
            if isRefused { #expect(heard.isEmpty && reply.text.contains(#""isError":true"#), "step \(step): \(name)") }
            heardByTools += heard.count
        }
        for prompt in model.prompts.dropFirst(promptCount) {
            #expect(Canary.all(in: prompt).isSubset(of: allowed), "step \(step): the prompt of a tool for \(user)")
        }
        let keys = messages.keys.sorted { ($0.conversationID, $0.messageID) < ($1.conversationID, $1.messageID) }
        guard let key = keys.randomElement(using: &generator), let written = messages[key] else { return }
        let uri = "nexus://conversations/\(key.conversationID)/messages/\(key.messageID)"
        let read = Canary.all(in: try await mcp(server, "resources/read", #"{"uri":"\#(uri)"}"#, as: user).text)
        #expect(read == (permitted(user).contains(key.conversationID) ? [written.canary] : []), "step \(step): \(uri)")
    }

    private func mcp(
        _ server: RunningServer, _ method: String, _ params: String, as user: UserID
    ) async throws -> Reply {
        try await server.send(
            "POST", "/mcp", #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#,
            headers: tokens[user] ?? [])
    }

    /// Lets somebody try what is not allowed, and an administrator look at everything.
    mutating func trespass(_ server: RunningServer, step: Int) async throws {
        let user = Self.users.randomElement(using: &generator) ?? "ada"
        let foreign = messages.keys.filter { !permitted(user).contains($0.conversationID) }.sorted {
            ($0.conversationID, $0.messageID) < ($1.conversationID, $1.messageID)
        }
        if let key = foreign.randomElement(using: &generator) {
            for (method, body) in [("GET", nil), ("PATCH", #"{"text":"x"}"#), ("DELETE", nil)] as [(String, String?)] {
                let reply = try await server.send(method, Self.path(key), body, headers: tokens[user] ?? [])
                #expect(reply.status == 403, "step \(step)")
                #expect(Canary.all(in: reply.text).isEmpty, "step \(step)")
            }
        }
        let routes = try HTTPAPIServer(
            settings: parts.settings, services: parts.services(store: parts.store) { _ in }
        ).routes
        for route in routes where route.access == .admin || route.access == .everyone {
            guard route.method.rawValue == "GET" else { continue }
            let reply = try await server.send("GET", "/" + route.path, headers: admin)
            #expect(Canary.all(in: reply.text).isEmpty, "step \(step): \(route.path)")
        }
    }
}
