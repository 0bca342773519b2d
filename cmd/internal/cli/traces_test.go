package cli

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// trace returns the path of a real log, or skips the test.
func trace(t *testing.T, name string) string {
	t.Helper()
	return reallogs.Path(t, "swf/"+name)
}
