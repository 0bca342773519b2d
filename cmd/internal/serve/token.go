package serve

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"io/fs"
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

// token is what requests must have. It is read again when its file has changed. While the
// file cannot be used, no request is let through.
type token struct {
	path string
	log  *slog.Logger

	mu      sync.Mutex
	hash    [sha256.Size]byte
	usable  bool
	file    fs.FileInfo
	checked time.Time
}

// newToken reads a token. An error is a *workload.OptionError.
func newToken(path string, log *slog.Logger) (*token, error) {
	t := &token{path: path, log: log}
	if err := t.read(); err != nil {
		return nil, err
	}
	return t, nil
}

// read reads the file. Its errors never have what it holds.
func (t *token) read() error {
	t.usable, t.file = false, nil
	fault := func(saw, want string) error {
		return &workload.OptionError{Option: "token-file", Saw: saw, Want: want}
	}
	file, err := os.Open(t.path)
	if err != nil {
		return fault(err.Error(), "a file with the token")
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return fault(err.Error(), "a file with the token")
	case !info.Mode().IsRegular():
		return fault(t.path+" is not a regular file", "a file with the token")
	case !private(info):
		return fault(fmt.Sprintf("%s has mode %04o, which gives every user access", t.path, info.Mode().Perm()), "no permissions for others: chmod o= "+t.path)
	}
	text, err := io.ReadAll(io.LimitReader(file, mostToken+1))
	if err != nil {
		return fault(err.Error(), "a file with the token")
	}
	text = bytes.TrimSpace(text)
	switch {
	case len(text) < leastToken || len(text) > mostToken:
		return fault(fmt.Sprintf("%s has a token of %d bytes", t.path, len(text)), fmt.Sprintf("%d to %d bytes, such as from: openssl rand -hex 32", leastToken, mostToken))
	case bytes.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fault(t.path+" has several words, or characters that are not ASCII", "one token in one line")
	}
	t.hash, t.usable, t.file = sha256.Sum256(text), true, info
	return nil
}

// allows says whether a request has the token.
func (t *token) allows(r *http.Request) bool {
	scheme, given, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	ok = ok && strings.EqualFold(scheme, "Bearer")
	hash, usable := t.current()
	got := sha256.Sum256([]byte(given)) // the comparison tells nothing of the length
	return subtle.ConstantTimeCompare(got[:], hash[:]) == 1 && ok && usable
}

// current returns the token of the file as it was at most a second ago.
func (t *token) current() (hash [sha256.Size]byte, usable bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := time.Now(); now.Sub(t.checked) >= tokenAge {
		t.checked = now
		t.refresh()
	}
	return t.hash, t.usable
}

func (t *token) refresh() {
	info, err := os.Stat(t.path)
	if err == nil && t.file != nil && os.SameFile(info, t.file) && info.ModTime().Equal(t.file.ModTime()) && info.Size() == t.file.Size() && info.Mode() == t.file.Mode() {
		return
	}
	was := t.usable
	if err := t.read(); err != nil && was {
		t.log.Error("no request is let through", "error", err)
	} else if err == nil {
		t.log.Info("the token was read again", "file", t.path)
	}
}
