/// What an index keeps in memory of each row to find candidates with; the rows themselves decide.
public enum IndexForm: Sendable {
    /// Two planes of four bits a component, with a bound that proves every result: the true `k` best rows.
    case exact
    /// One bit a component, some seventh of the memory and of the time. Approximate: a row that belongs to the best is
    /// missed when the estimate of its score is three standard deviations too low, for the last of the best about once in
    /// 700, for better ones less often. Scores are exact, and there are `k` hits if there are `k` rows.
    case compact
}
