/// What came of reading the settings, faults or not.
public struct SettingsReport: Sendable {
    /// The settings, if there is no fault.
    public let settings: ChargelineSettings?
    /// Every fault.
    public let faults: [SettingFault]
    /// Lines to warn with: names that nothing reads.
    public let warnings: [String]
    /// Each setting as it may be shown, wrong ones too.
    public let effective: [EffectiveSetting]
}
