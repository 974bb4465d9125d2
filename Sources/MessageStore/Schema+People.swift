extension Schema {
    /// Kinds of users and memberships that ended, in step 8.
    static let people8 = ""
}
