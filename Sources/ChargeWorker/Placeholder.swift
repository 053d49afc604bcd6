// ChargeWorker
