package serve

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	leastToken = 16      // bytes
	mostToken  = 4 << 10 // bytes
)

// token is the SHA-256 hash of the token that requests must carry.
type token [sha256.Size]byte

// readToken reads a token from a file. An error is a *workload.OptionError, which never contains
// the token.
func readToken(path string) (*token, error) {
	fault := func(saw any, want string, args ...any) (*token, error) {
		return nil, workload.OptionFault("token-file", saw, want, args...)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fault(err, "a file with the token")
	case !info.Mode().IsRegular():
		return fault(path+" is not a regular file", "a file with the token")
	case !private(info):
		return fault(fmt.Sprintf("%s has mode %04o, which gives every user access", path, info.Mode().Perm()), "no permissions for others: chmod o= %s", path)
	case info.Size() > mostToken:
		return fault(fmt.Sprintf("%s has %d bytes", path, info.Size()), "at most %d", mostToken)
	}
	text, err := os.ReadFile(path)
	text = bytes.TrimSpace(text)
	switch {
	case err != nil:
		return fault(err, "a file with the token")
	case len(text) < leastToken:
		return fault(fmt.Sprintf("%s has a token of %d bytes", path, len(text)), "%d to %d bytes, such as from: openssl rand -hex 32", leastToken, mostToken)
	case bytes.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fault(path+" has several words, or characters that are not ASCII", "one token in one line")
	}
	hash := token(sha256.Sum256(text))
	return &hash, nil
}

// allows reports whether a request carries the token.
func (t *token) allows(r *http.Request) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got := sha256.Sum256([]byte(given)) // hashed, so that the comparison does not reveal the length
	return subtle.ConstantTimeCompare(got[:], t[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}
