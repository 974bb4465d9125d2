import ChatCore

/// Reads a person's own settings.
enum PersonalSettingsFields {
    /// Reads settings, which replace those before: a field that is missing has its standard value.
    static func settings(_ body: JSONField) throws -> PersonalSettings {
        try body.refuseOthers(than: ["timeZone", "quietHours", "hideReadReceipts", "hideLastSeen", "userId"])
        var settings = PersonalSettings(
            timeZone: try AskFields.timeZone(body),
            hidesReadReceipts: try body["hideReadReceipts"].optionalFlag() ?? false,
            hidesLastSeen: try body["hideLastSeen"].optionalFlag() ?? false)
        if body["quietHours"].isPresent {
            let field = try body["quietHours"].object()
            try field.refuseOthers(than: ["start", "end"])
            let hours = PersonalSettings.QuietHours(
                start: try field["start"].string(), end: try field["end"].string())
            guard let hours else { throw field.error("must have two different times such as 22:00 and 07:00") }
            settings.quietHours = hours
        }
        return settings
    }
}
