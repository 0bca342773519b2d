package batsim

// NewWriter is what the tests outside the package see of it.
var NewWriter = newWriter
