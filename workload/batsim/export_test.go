package batsim

// What the tests outside the package see of it.

const (
	IdPage  = idPage
	IdPages = idPages
)

var (
	NewWriter = newWriter
)

type (
	IdSet = idSet
)
