internal import CRabbitMQ

/// The C library that speaks AMQP.
public enum BrokerLibrary {
    /// librabbitmq's version, as it is loaded.
    public static var version: String { String(cString: amqp_version()) }
}
