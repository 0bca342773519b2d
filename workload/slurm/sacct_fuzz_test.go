package slurm_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// FuzzSacct reads a text in several chunks and as one: the same jobs, header
// and warnings, or the same fault; and every fault is an *InputError.
func FuzzSacct(f *testing.F) {
	const long = "JobID|User|Account|Partition|QOS|JobName|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS|ReqMem|TotalCPU|MaxRSS\n"
	for _, text := range []string{
		"", "JobID|Submit", "JobID|Submit\n1|2021-06-01T10:00:00",
		long + "1|a|b|c|d|e|COMPLETED|2021-06-01T10:00:00|2021-06-01T10:05:00|2021-06-01T11:05:00|3600|60|4|4000Mc|01:00.5|\n1.batch||b|||batch|COMPLETED|||||||||4K\n",
		long + "1|a|b|c|d|e|f\n\n|g|PD|2021-10-31T02:30:00|Unknown|None|0|UNLIMITED|0|0n||\r\n12_[3-5]|a|b|c|d|e|RUNNING|2021-10-31T02:10:00||||||||\n",
		"JobID|JobName|JobIDRaw|\n7_1|a|b||8|\n7_2|c\nd|9|\n9+1|x|\n" + "JobID|JobName|JobIDRaw|\n",
		"JobID|Elapsed|State\n1|1-00:00:00|RQ\n1|00:10|CD\n1|x|CD\n",
		"Comment|JobID|SubmitLine|Start|Comment2\na|1|b\n|c|1622541600|x\n\n||\ny\n|2||2021-03-28T02:30:00|\n",
	} {
		f.Add(text, uint16(0))
		f.Add(text, uint16(70))
	}
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		o := workload.Options{Workers: 2, TimeZone: "Europe/Zurich"}
		parts, err := readSacct(text, o, int(size)+1)
		whole, wholeErr := readSacct(text, o, parse.ChunkSize)
		if (err == nil) != (wholeErr == nil) || err != nil && err.Error() != wholeErr.Error() {
			t.Fatalf("error %v in chunks of %d, %v in one", err, size, wholeErr)
		}
		if err != nil {
			var e *workload.InputError
			if !errors.As(err, &e) {
				t.Fatalf("%T %v is no InputError", err, err)
			}
			return
		}
		if d := cmp.Diff(parts.jobs, whole.jobs) + cmp.Diff(parts.header, whole.header) + cmp.Diff(parts.warnings, whole.warnings) + cmp.Diff(parts.lines, whole.lines); d != "" {
			t.Fatal(d)
		}
	})
}

// TestSacctChunks reads a long log with bars and line ends in its texts, in
// chunks of many sizes and by several workers: always the same, and every job.
func TestSacctChunks(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	text := "JobIDRaw|SubmitLine|State|Submit|Comment|Start|ElapsedRaw|JobName|NCPUS\n"
	const jobs = 700
	for i := range jobs {
		odd := func() string {
			return []string{"", "plain", "a | b", "a\nb", "|", "x\n\n|y|\n", "12|COMPLETED"}[rng.IntN(7)]
		}
		text += strings.Join([]string{parse.FormatNumber(float64(i + 1)), odd(), "COMPLETED", parse.FormatNumber(float64(1600000000 + i)), odd(),
			parse.FormatNumber(float64(1600000100 + i)), "60", strings.ReplaceAll(odd(), "\n", " "), "4"}, "|") + "\n"
	}
	want, err := readSacct(text, workload.Options{Workers: 1}, parse.ChunkSize)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.jobs) != jobs {
		t.Errorf("%d jobs of %d; warnings %v", len(want.jobs), jobs, want.warnings)
	}
	for i, job := range want.jobs {
		words := strings.Fields(job)
		if words[0] != parse.FormatNumber(float64(i+1)) || words[2] != "100" || words[3] != "60" || words[4] != "4" {
			t.Fatalf("job %d is %s", i+1, job)
		}
	}
	for _, size := range []int{1, 50, 333, 4096} {
		for _, workers := range []int{1, 3} {
			got, err := readSacct(text, workload.Options{Workers: workers}, size)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.jobs, got.jobs) + cmp.Diff(want.header, got.header) + cmp.Diff(want.warnings, got.warnings) + cmp.Diff(want.lines, got.lines); d != "" {
				t.Errorf("chunks of %d, %d workers: %s", size, workers, d)
			}
		}
	}
}
