// ChargeAPI
