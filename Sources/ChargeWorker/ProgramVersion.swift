/// The version told to Stripe and to the broker.
enum ProgramVersion {
    static let text = "0.1.0"
}
