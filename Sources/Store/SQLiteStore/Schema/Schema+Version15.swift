import MessageStore

extension Schema {
    /// The makers of links, in step 15.
    static let version15 = """
        -- made_at: NULL for links of earlier versions. maker: the account that made it, or maker_key: the key; both NULL for
        -- the operator.
        ALTER TABLE account_links ADD COLUMN made_at INTEGER;
        ALTER TABLE account_links ADD COLUMN maker TEXT;
        ALTER TABLE account_links ADD COLUMN maker_key TEXT;
        CREATE INDEX account_links_by_maker ON account_links (maker) WHERE maker IS NOT NULL;

        """
}
