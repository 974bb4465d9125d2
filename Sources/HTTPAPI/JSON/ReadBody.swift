import ChatCore

/// Reads bodies as routes do, without a server: a test feeds it millions of them.
package enum ReadBody {
    /// Whether a callable's body holds something that can be read: a question, a time, or a typed value of Firestore.
    package static func reads(_ body: [UInt8]) -> Bool {
        guard let value = try? JSONParser.parse(body), let plain = try? value.unwrappingIntegers() else { return false }
        let data = JSONField(plain)["data"]
        let times = ["timestamp", "from", "to"].map { try? data.at($0).readingFirestoreTime().optionalTimestamp() }
        for time in times.compactMap(\.self) {
            for form in [CallableTimestamps.iso, .millis, .firestore] {
                _ = try? WireEncoding.data(WireTime(time), timestamps: form)
            }
        }
        let moment = Timestamp(microseconds: 0)
        let typed = try? FirestoreFields.plain(data)
        let question = try? AskFields(data).question(asker: "u", askedAt: moment, streams: false)
        let search = try? AskFields(data).search(asker: "u", askedAt: moment)
        return times.contains { $0 != nil } || typed != nil || question != nil || search != nil
    }
}
