package logtest

import (
	"testing"
)

func ReportJobs(b *testing.B, jobs int) {
	b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mjobs/s")
}
