/// Answers in the shapes of Stripe's API 2026-10-28, shortened where nothing is read.
enum Answers {
    static let charge = """
        {"id":"ch_3Rq1","object":"charge","amount":1999,"amount_captured":1999,"amount_refunded":0,
        "balance_transaction":"txn_3Rq1","billing_details":{"address":{"city":null},"email":null},"captured":true,
        "created":1790000000,"currency":"usd","customer":"cus_9","description":"Two puppies","failure_code":null,
        "failure_message":null,"livemode":false,"metadata":{"order":"1001","chargeline_id":"order-1001",
        "chargeline_print":"0123456789abcdef"},"outcome":{"advice_code":null,"network_status":"approved_by_network",
        "reason":null,"risk_level":"normal","risk_score":12,"seller_message":"Payment complete.","type":"authorized"},
        "paid":true,"payment_intent":"pi_3Rq1","payment_method":"pm_1Rq1","payment_method_details":{"card":{
        "brand":"visa","checks":{"cvc_check":"pass"},"exp_month":12,"exp_year":2034,"last4":"4242"},"type":"card"},
        "receipt_email":null,"receipt_url":"https://pay.stripe.com/receipts/payment/CAca","refunded":false,
        "source":null,"status":"succeeded"}
        """

    static func intent(
        status: String = "succeeded", latestCharge: String = Answers.charge, error: String = "null",
        id: String = "pi_3Rq1", charge: String = "order-1001", created: Int = 1_790_000_000
    ) -> String {
        """
        {"id":"\(id)","object":"payment_intent","amount":1999,"amount_received":1999,"automatic_payment_methods":null,
        "canceled_at":null,"capture_method":"automatic","client_secret":"\(id)_secret_V1","created":\(created),
        "currency":"usd","customer":null,"description":"Two puppies","last_payment_error":\(error),
        "latest_charge":\(latestCharge),"livemode":true,"metadata":{"chargeline_print":"0123456789abcdef",
        "chargeline_id":"\(charge)"},"next_action":null,"payment_method":"pm_1Rq1","payment_method_types":["card"],
        "status":"\(status)"}
        """
    }

    static let declined = """
        {"error":{"advice_code":"try_again_later","charge":"ch_3Rq2","code":"card_declined","decline_code":
        "insufficient_funds","doc_url":"https://stripe.com/docs/error-codes/card-declined","message":
        "Your card has insufficient funds.","payment_intent":{"id":"pi_3Rq2","object":"payment_intent","amount":1999,
        "client_secret":"pi_3Rq2_secret_X","last_payment_error":{"code":"card_declined","type":"card_error"},
        "status":"requires_payment_method"},"payment_method":{"id":"pm_1Rq2","object":"payment_method"},
        "request_log_url":"https://dashboard.stripe.com/test/logs/req_1","type":"card_error"}}
        """

    static let failedCharge = """
        {"id":"ch_3Rq3","object":"charge","amount":1999,"captured":false,"created":1790000000,"currency":"usd",
        "customer":{"id":"cus_8","object":"customer","metadata":{"chargeline_id":"nobody"}},
        "failure_code":"card_declined","failure_message":"Your card was declined.","livemode":false,"metadata":{},
        "outcome":{"advice_code":"do_not_try_again","network_status":"declined_by_network","reason":"stolen_card"},
        "paid":false,"payment_intent":null,"receipt_url":null,"status":"failed"}
        """

    static func error(_ fields: String) -> String { #"{"error":{\#(fields)}}"# }

    static func page(_ object: String, _ data: [String], more: Bool = false, next: String? = nil) -> String {
        let next = next.map { "\"\($0)\"" } ?? "null"
        return """
            {"object":"\(object)","url":"/v1/x","has_more":\(more),"next_page":\(next),
            "data":[\(data.joined(separator: ","))]}
            """
    }
}
