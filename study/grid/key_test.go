package grid

import (
	"strings"
	"testing"
)

// TestForeignKeysAreQuoted: a key of a foreign file is one line of a message.
func TestForeignKeysAreQuoted(t *testing.T) {
	_, err := Decode([]byte(`{"x\nerror: fake": 1}`))
	if err == nil || !strings.HasPrefix(err.Error(), `grid: "x\nerror: fake": saw an unknown key`) {
		t.Errorf("%v", err)
	}
}
