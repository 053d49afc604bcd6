/// The version told to Stripe and to the broker.
public enum ProgramVersion {
    /// As `MAJOR.MINOR.PATCH`.
    public static let text = "0.1.0"
}
