//go:build long

package cli

import (
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

func TestServeKilledOften(t *testing.T) { killed(t, 200) }

func TestServeScoresAsPredictKTH(t *testing.T) {
	scoresAsPredict(t, reallogs.Path(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz"), 10*time.Minute)
}
