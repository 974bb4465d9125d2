package import ChatCore

/// Somebody of a Slack workspace, as `users.json` of an export and the Web API describe people.
package struct SlackPerson: Equatable, Sendable {
    package let id: String
    package let handle: String?
    let displayName: String?
    package let realName: String?
    private(set) var email: String?
    /// Whether the workspace says that the person has confirmed the address; nil if it says nothing.
    private(set) var isEmailConfirmed: Bool?
    package let isBot: Bool
    /// Whether the workspace lets this person see only some channels.
    let isRestricted: Bool
    /// Whether the account was deactivated.
    package let isDeactivated: Bool
    /// The workspace of the account; nil if it is not said, or the account belongs to several workspaces of one company.
    let teamID: String?

    /// The name that the workspace shows.
    package var shownName: String { displayName ?? realName ?? handle ?? id }

    /// Reads an element of a list of people; nil without an id.
    package init?(_ fields: JSONFields) {
        guard let id = fields.text("id") else { return nil }
        self.init(fields, id: id)
    }

    /// Makes a bot that texts mention by a name.
    package init(bot name: String, id: String) {
        (self.id, handle, displayName, realName, email, teamID) = (id, name, name, nil, nil, nil)
        (isBot, isRestricted, isDeactivated) = (true, false, false)
    }

    /// Makes somebody of whom only the id is known: that is not a member of the workspace.
    package init(stranger id: String) {
        (self.id, handle, displayName, realName, email, teamID) = (id, nil, nil, nil, nil, nil)
        (isBot, isRestricted, isDeactivated) = (false, true, false)
    }

    init(_ fields: JSONFields, id: String) {
        let profile = fields.object("profile")
        (self.id, handle, displayName) = (id, fields.text("name"), profile?.text("display_name"))
        realName = fields.text("real_name") ?? profile?.text("real_name")
        email = profile?.text("email")
        isEmailConfirmed = fields["is_email_confirmed"] == nil ? nil : fields.isTrue("is_email_confirmed")
        isBot = fields.isTrue("is_bot") || id == "USLACKBOT"
        isRestricted = ["is_restricted", "is_ultra_restricted", "is_stranger"].contains { fields.isTrue($0) }
        isDeactivated = fields.isTrue("deleted")
        teamID = fields.object("enterprise_user") == nil ? fields.text("team_id") : nil
    }

    /// The kind of a user: guests are users whom the workspace restricts, and accounts of other workspaces.
    ///
    /// - Parameter homeTeam: The id of the workspace.
    /// - Returns: The kind.
    package func kind(homeTeam: String?) -> UserKind {
        if isBot { return .bot }
        let isForeign = teamID.map { $0 != homeTeam } ?? false
        return isRestricted || isForeign ? .guest : .member
    }

    /// The address that the workspace has verified, of an active member.
    ///
    /// - Parameter homeTeam: The id of the workspace.
    /// - Returns: The address; nil without the scope `users:read.email`.
    package func verifiedEmail(homeTeam: String?) -> String? {
        isEmailConfirmed == true && !isDeactivated && kind(homeTeam: homeTeam) == .member ? email : nil
    }

    /// Returns the person as an event describes it: what it does not say about the address stays as it was known, until
    /// the next list.
    package func continuing(_ known: SlackPerson) -> SlackPerson {
        guard isEmailConfirmed == nil, email == nil || email == known.email else { return self }
        var person = self
        (person.email, person.isEmailConfirmed) = (known.email, known.isEmailConfirmed)
        return person
    }
}
