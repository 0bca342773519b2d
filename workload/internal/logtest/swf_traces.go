package logtest

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// Traces is the folder of real logs; the test is skipped where there is none.
func Traces(t *testing.T) string {
	t.Helper()
	return reallogs.Path(t, "")
}
