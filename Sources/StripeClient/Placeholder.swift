// StripeClient
