//go:build long

package cli

import "testing"

func TestSweepKilledOften(t *testing.T) { sweepKilled(t, 100) }
