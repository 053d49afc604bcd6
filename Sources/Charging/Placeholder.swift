// Charging
