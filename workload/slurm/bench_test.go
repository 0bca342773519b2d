package slurm_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// madeUpSacct writes records as sacct -P does with the columns that the
// reader's documentation asks for: a third of the lines are jobs, the others
// their batch and extern steps, unless steps is false.
func madeUpSacct(seed uint64, size int, steps bool) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([]byte, 0, size+1024)
	out = append(out, "JobID|JobIDRaw|Cluster|User|Account|Partition|QOS|JobName|State|Submit|Start|End|ElapsedRaw|Suspended|TimelimitRaw|NNodes|NCPUS|ReqCPUS|ReqMem|TotalCPU|MaxRSS|NTasks|NodeList\n"...)
	at := time.Date(2021, 3, 1, 0, 0, 0, 0, time.UTC)
	clock := func(s int) string { return at.Add(time.Duration(s) * time.Second).Format("2006-01-02T15:04:05") }
	states := []string{"COMPLETED", "COMPLETED", "COMPLETED", "FAILED", "TIMEOUT", "CANCELLED by 1000"}
	submit := 0
	for id := 4000000; len(out) < size; id++ {
		submit += rng.IntN(60)
		wait, run := rng.IntN(50000), 1+rng.IntN(90000)
		procs := 1 << rng.IntN(9)
		state := states[rng.IntN(len(states))]
		tail := fmt.Sprintf("%s|%s|%s|%s|%d|00:00:00", state, clock(submit), clock(submit+wait), clock(submit+wait+run), run)
		cpu := fmt.Sprintf("%d-%02d:%02d:%02d", run*procs/86400, rng.IntN(24), rng.IntN(60), rng.IntN(60))
		user := rng.IntN(300)
		out = fmt.Appendf(out, "%d|%d|cluster|user%03d|account%02d|%s|normal|job_%d_%d|%s|%d|%d|%d|%d|%dM|%s|||cpn-[%02d-%02d]\n",
			id, id, user, user%40, []string{"general", "debug", "gpu"}[rng.IntN(3)], user, rng.IntN(10), tail,
			60*(1+rng.IntN(72)), (procs+31)/32, procs, procs, 4000*procs, cpu, 1+rng.IntN(9), 20+rng.IntN(9))
		if !steps {
			continue
		}
		begin := strings.Replace(tail, clock(submit), clock(submit+wait), 1)
		for _, step := range []string{"batch", "extern"} {
			out = fmt.Appendf(out, "%d.%s|%d.%s|cluster||account%02d|||%s|%s||%d|%d|%d||%s|%dK|1|cpn-%02d\n",
				id, step, id, step, user%40, step, begin, (procs+31)/32, procs, procs, cpu, rng.IntN(1<<22), rng.IntN(29))
		}
	}
	return out
}

// BenchmarkReadSacct reads 50 MB from memory. input=loadstone is this package;
// the other is the obvious program in Go, which does not know of bars and line
// ends in texts, merges nothing and makes no table: it splits, and converts
// four of the columns.
func BenchmarkReadSacct(b *testing.B) {
	text := madeUpSacct(1, 50<<20, true)
	jobsOnly := madeUpSacct(2, 50<<20, false)
	for _, c := range []struct {
		records string
		text    []byte
		zone    string
	}{{"steps", text, "Europe/Zurich"}, {"jobs", jobsOnly, "Europe/Zurich"}} {
		logtest.BenchRead(b, "input=loadstone/records="+c.records, len(c.text), func(workers int) (*workload.Log, error) {
			return slurm.OpenSacct("made-up.log", bytes.NewReader(c.text), workload.Options{Workers: workers, TimeZone: c.zone})
		})
		logtest.BenchOther(b, "input=scanner-and-split/records="+c.records, len(c.text), func() error {
			return scanSacct(bytes.NewReader(c.text))
		})
	}
}

func scanSacct(r io.Reader) error {
	s := bufio.NewScanner(r)
	var at map[string]int
	var sum float64
	for s.Scan() {
		words := strings.Split(s.Text(), "|")
		if at == nil {
			at = map[string]int{}
			for i, w := range words {
				at[w] = i
			}
			continue
		}
		if strings.Contains(words[at["JobID"]], ".") {
			continue
		}
		submit, err := time.Parse("2006-01-02T15:04:05", words[at["Submit"]])
		if err != nil {
			return err
		}
		start, err := time.Parse("2006-01-02T15:04:05", words[at["Start"]])
		if err != nil {
			return err
		}
		for _, name := range []string{"ElapsedRaw", "NCPUS"} {
			x, err := strconv.ParseFloat(words[at[name]], 64)
			if err != nil {
				return err
			}
			sum += x
		}
		sum += start.Sub(submit).Seconds()
	}
	return s.Err()
}
