package serve

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	leastToken = 16      // bytes
	mostToken  = 4 << 10 // bytes
	tokenAge   = time.Second
)

// token is what requests must have. Its file is read again as time goes by. While that
// cannot be used, no request is let through.
type token struct {
	path string
	log  *slog.Logger

	mu   sync.Mutex
	hash [sha256.Size]byte // zero while the file cannot be used
	read time.Time
}

// newToken reads a token. An error is a *workload.OptionError.
func newToken(path string, log *slog.Logger) (t *token, err error) {
	t = &token{path: path, log: log, read: time.Now()}
	t.hash, err = hashOf(path)
	return t, err
}

// hashOf reads the file of a token. Its errors never have what that holds.
func hashOf(path string) (hash [sha256.Size]byte, err error) {
	fault := func(saw any, want string, args ...any) ([sha256.Size]byte, error) {
		return hash, workload.OptionFault("token-file", saw, want, args...)
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
	return sha256.Sum256(text), nil
}

// allows says whether a request has the token.
func (t *token) allows(r *http.Request) bool {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	hash := t.current()
	got := sha256.Sum256([]byte(given)) // the comparison tells nothing of the length
	return subtle.ConstantTimeCompare(got[:], hash[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// current returns the hash of the file as it was at most a second ago.
func (t *token) current() [sha256.Size]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := time.Now(); now.Sub(t.read) >= tokenAge {
		hash, err := hashOf(t.path)
		if hash != t.hash && err != nil {
			t.log.Error("no request is let through", "error", err)
		} else if hash != t.hash {
			t.log.Info("the token was read again", "file", t.path)
		}
		t.hash, t.read = hash, now
	}
	return t.hash
}
