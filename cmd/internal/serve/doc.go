// Package serve puts a live.Service on HTTP.
//
//	listener --> at most so many connections
//	  request --> log, metrics, panics --> headers --> host --> token --> route
//	    route --> parameters --> Service --> JSON, or problem details
//
// The routes are the table in routes.go. The parameters of each are the tags of a question of
// package live, by which package opt reads and checks them, as it does flags; the members of a
// body are parameters, too. OpenAPI derives from the table, those tags and the types of the
// answers, and the metrics of the machine from tags of the answers.
//
// Design decisions:
//   - A parameter that is unknown, repeated or no number is an error, never ignored.
//   - Errors are problem details (RFC 9457). Status 400 is a request that cannot be read,
//     422 one that cannot be answered on this machine, 503 one to repeat later.
//   - Everything is bounded: connections, headers, bodies, answers, labels and times.
//   - An address that others can reach needs a token. Without one, the Host header must
//     name this machine, so that a page of another site cannot read the answers.
//   - Neither the log nor an error has a token or a user's name.
//
// Its neighbours: package live computes what is served here, and cmd/internal/cli has the
// flags.
package serve
