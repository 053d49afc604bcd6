// StripeSandbox
