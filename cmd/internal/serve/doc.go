// Package serve serves a live.Service over HTTP.
//
//	listener --> limited number of connections
//	  request --> log, metrics, panics --> headers --> host --> token --> route
//	    route --> parameters --> Service --> JSON, or problem details
//
// The table in routes.go lists the routes. Tags of a question of package live declare the
// parameters of each; package opt reads and checks them, as it does for flags. The members of a
// body are parameters, too. The OpenAPI document derives from the table, those tags and the types
// of the answers, and the metrics of the machine from tags of the answers.
//
// Design decisions:
//   - A parameter that is unknown, repeated or malformed is an error, never ignored.
//   - Errors are problem details (RFC 9457). Status 400 means that a request cannot be read,
//     422 that it cannot be answered on this machine, 503 that it can be repeated later.
//   - Everything is bounded: connections, headers, bodies, answers, labels and times.
//   - An address that others can reach requires a token. Without one, the Host header must
//     name this machine, so that a page of another site cannot read the answers.
//   - Neither the log nor an error contains a token or a user's name.
//
// Its neighbours: package live computes the answers, and cmd/internal/cli has the flags.
package serve
