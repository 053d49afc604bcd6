/// A refusal as Stripe reports it (Stripe docs: testing, decline codes).
struct Decline: Sendable, Equatable {
    var code = "card_declined"
    /// The bank's reason.
    var declineCode: String
    var advice: String?
    /// The network's own code.
    var networkCode: String?
    /// The card field at fault.
    var param: String?
    var message = "Your card was declined."
    /// A payment that Stripe itself stopped: nothing was sent to the network.
    var isBlocked = false
    /// `outcome.reason`, where it is not the decline code.
    var reason: String?

    static let again = "try_again_later"
    static let never = "do_not_try_again"
    static let confirmData = "confirm_card_data"

    static let generic = Decline(declineCode: "generic_decline", advice: again, networkCode: "01")
    static let insufficientFunds = Decline(
        declineCode: "insufficient_funds", advice: again, networkCode: "51",
        message: "Your card has insufficient funds.")
    static let lost = Decline(declineCode: "lost_card", advice: never, networkCode: "41")
    static let stolen = Decline(declineCode: "stolen_card", advice: never, networkCode: "43")
    static let expired = Decline(
        code: "expired_card", declineCode: "expired_card", advice: confirmData, networkCode: "54", param: "exp_month",
        message: "Your card has expired.")
    static let incorrectCVC = Decline(
        code: "incorrect_cvc", declineCode: "incorrect_cvc", advice: confirmData, networkCode: "N7", param: "cvc",
        message: "Your card's security code is incorrect.")
    static let processing = Decline(
        code: "processing_error", declineCode: "processing_error", advice: again, networkCode: "96",
        message: "An error occurred while processing your card. Try again in a little bit.")
    static let velocity = Decline(
        declineCode: "card_velocity_exceeded", networkCode: "65",
        message: "Your card was declined for making repeated attempts too frequently or exceeding its amount limit.")
    static let fraudulent = Decline(declineCode: "fraudulent", isBlocked: true, reason: "merchant_blacklist")
    static let highestRisk = Decline(declineCode: "fraudulent", isBlocked: true, reason: "highest_risk_level")
    static let notATestCard = Decline(
        declineCode: "test_mode_live_card",
        message: "Your card was declined. Your request was in test mode, but used a non test (live) card. "
            + "For a list of valid test cards, visit: https://stripe.com/docs/testing.")
    static let testCardInLiveMode = Decline(
        declineCode: "testmode_decline",
        message: "Your card was declined. Your request was in live mode, but used a known test card.")
    static let authenticationRequired = Decline(
        code: "authentication_required", declineCode: "authentication_required",
        message: "Your card was declined. This transaction requires authentication.")
}
