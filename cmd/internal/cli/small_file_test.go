package cli

import (
	"context"
	"strings"
	"testing"
)

// blanks is a file of blanks without an end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// What is held whole is not read without end.
func TestEndlessModel(t *testing.T) {
	var out, err strings.Builder
	code := run(context.Background(), []string{"generate", "--model", "-", "--jobs", "5"}, Streams{blanks{}, &out, &err})
	if want := "loadstone: standard input: saw more than 64 MiB, want a smaller file\n"; code != exitFailed || err.String() != want {
		t.Errorf("exit code %d: %q, want %q", code, err.String(), want)
	}
}
