import ChatCore
import Foundation
import HTTPAPI
import Testing

/// Bodies of requests: the forms in which clients send times and numbers.
@Suite("Fuzz: requests") struct WireFuzzTests {
    private static let bodies = [
        #"{"data":{"conversationId":"c","messageId":"m","senderId":"ben","text":"x","timestamp":{"_seconds":1761210000,"_nanoseconds":123000000}}}"#,
        #"{"data":{"conversationId":"c","senderId":"ben","text":"x","timestamp":{"seconds":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"1761210000"},"nanoseconds":5}}}"#,
        #"{"data":{"senderId":"ben","text":"x","timestamp":1761210000123}}"#,
        #"{"data":{"senderId":"ben","text":"x","timestamp":"2025-10-23T10:30:00.5+02:00"}}"#,
        #"{"data":{"question":"q","topK":5,"from":"2025-01-01T00:00:00Z","to":1761210000123,"senderIds":["a"],"conversationIds":["c"],"timeZone":"UTC","conversationHistory":[{"question":"a","answer":"b"}]}}"#,
        #"{"data":{"mapValue":{"fields":{"n":{"integerValue":"5"},"d":{"doubleValue":0.5},"t":{"timestampValue":"2025-01-01T00:00:00Z"},"a":{"arrayValue":{"values":[{"integerValue":7},{"referenceValue":"a/b"}]}}}}}}"#,
    ]

    @Test func noBodyEndsTheReading() throws {
        var chance = FuzzRun.chance(3)
        let mutations = try Self.bodies.map { try JSONMutation($0) }
        let count = FuzzRun.count(4_000)
        var read = 0
        for _ in 0..<count {
            let body = chance.one(of: mutations).text(&chance)
            FuzzRun.note(body)
            if ReadBody.reads(Array(body.utf8)) { read += 1 }
        }
        FuzzRun.finished("requests", count)
        #expect(read > count / 20)
    }

    /// Bodies of OpenAI clients: messages, responses, and prompts that programs send by themselves.
    private static let talks = [
        #"{"model":"nexus","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"q"}]}],"n":1,"stream":true,"stream_options":{"include_usage":true},"search":true}"#,
        #"{"model":"nexus","search":false,"messages":[{"role":"user","content":"hello"}],"response_format":{"type":"json_schema","json_schema":{"name":"t","schema":{"properties":{"title":{"type":"string"}},"required":["title"]}}}}"#,
        #"{"model":"nexus","messages":[{"role":"user","content":" ### Task:\nGenerate tags.\n### Output:\n{ \"tags\": [\"a\"] }\n<chat_history>\nUSER: où est la clé ?\nASSISTANT: là\n</chat_history>"}]}"#,
        #"{"model":"nexus","input":"q","instructions":"i","store":false,"metadata":{"a":"b"},"include":[],"tools":[],"top_logprobs":0,"text":{"format":{"type":"text"}},"previous_response_id":"resp_1"}"#,
        #"{"model":"nexus","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]},{"type":"reasoning","summary":[]},{"id":"m","role":"assistant","content":[{"type":"output_text","text":"a [1]\n\n- [1] x","annotations":[]}]},{"role":"user","content":"and?"}],"conversation":{"id":"c"},"stream":true,"topK":5}"#,
        #"{"model":"nexus","input":"what is due at 9:00 UTC+2?","previous_response_id":"resp_","timeZone":"Asia/Tokyo","from":"2025-01-01T09:00:00+05:30","to":1761210000123}"#,
    ]

    @Test func noTalkEndsTheReading() throws {
        var chance = FuzzRun.chance(11)
        let mutations = try Self.talks.map { try JSONMutation($0) }
        let count = FuzzRun.count(4_000)
        var read = 0
        for _ in 0..<count {
            let body = chance.one(of: mutations).text(&chance)
            FuzzRun.note(body)
            if ReadBody.readsTalk(Array(body.utf8)) { read += 1 }
        }
        FuzzRun.finished("talks", count)
        #expect(read > count / 20)
    }
}
