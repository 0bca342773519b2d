package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// fetch reads one answer. Its errors do not have the token in them.
func (q *rest) fetch(ctx context.Context, timeout time.Duration, path string, values url.Values, read func(io.Reader) error) error {
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	fault := func(err error) error {
		if outer.Err() != nil {
			return outer.Err()
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %v", timeout)
		}
		return fmt.Errorf("slurmrestd at %s: %s: %w", q.base, path, err)
	}
	token, err := q.token()
	if err != nil {
		return fault(err)
	}
	at := q.base.JoinPath(path)
	at.RawQuery = values.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return fault(err)
	}
	request.Header.Set("Accept", "application/json")
	if token != "" {
		request.Header.Set("X-SLURM-USER-TOKEN", token)
	}
	if q.r.User != "" {
		request.Header.Set("X-SLURM-USER-NAME", q.r.User)
	}
	answer, err := q.client.Do(request)
	if err != nil {
		var of *url.Error
		if errors.As(err, &of) {
			err = of.Err // the URL is in the message already
		}
		return fault(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text := answer.Status
		if said := saidInBody(answer.Body); said != "" {
			text += ": " + said
		}
		if token != "" {
			text = strings.ReplaceAll(text, token, "(token)")
		}
		return fault(&statusError{answer.StatusCode, cutName(oneLine([]byte(text)))})
	}
	if err := read(limit(answer.Body, q.o.MaxBytes)); err != nil {
		return fault(err)
	}
	return nil
}

// maxToken bounds a file with a token, bytes.
const maxToken = 64 << 10

// token reads the file with the token.
func (q *rest) token() (string, error) {
	if q.r.TokenFile == "" {
		return "", nil
	}
	f, err := os.Open(q.r.TokenFile)
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	text = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("SLURM_JWT=")))
	for _, c := range text {
		if c <= ' ' || c > '~' {
			return "", fmt.Errorf("token file %s: saw more than one line of text, want a token", q.r.TokenFile)
		}
	}
	if len(text) == 0 || len(text) > maxToken {
		return "", fmt.Errorf("token file %s: saw %d bytes, want a token", q.r.TokenFile, len(text))
	}
	return string(text), nil
}

// saidInBody is what an answer says of an error.
func saidInBody(r io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(r, 64<<10))
	var d struct {
		Errors []struct {
			Description string `json:"description"`
			Error       string `json:"error"`
			Source      string `json:"source"`
		} `json:"errors"`
	}
	if json.Unmarshal(text, &d) != nil || len(d.Errors) == 0 {
		return string(text)
	}
	var all []string
	for _, e := range d.Errors {
		all = append(all, strings.TrimSpace(e.Description+" "+e.Error+" "+e.Source))
	}
	return strings.Join(all, "; ")
}
