package slurm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// SacctJSON is what sacct --json prints, and slurmrestd under /slurmdb; it is read
// only.
var SacctJSON = workload.Format{
	Name:  "sacct",
	JSON:  true,
	Sniff: sniffJSON(jsonSacct),
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		return openSacctJSON(name, r, o, parse.ChunkSize)
	},
}

// OtherJSON is JSON of Slurm's that has no jobs, which is refused.
var OtherJSON = workload.Format{
	Name:  "slurm",
	JSON:  true,
	Sniff: sniffJSON(jsonOther),
	Open: func(name string, r *bufio.Reader, _ workload.Options) (*workload.Log, error) {
		_, members := peekJSON(r)
		return nil, &workload.InputError{File: name, Saw: "Slurm's JSON with " + parse.ListShort(members), Want: "jobs: the output of sacct --json, squeue --json or scontrol show job --json"}
	},
}

// openSacctJSON reads what sacct --json prints: the records that openSacct reads, with
// the same meaning. Data parsers 0.0.37 to 0.0.46 are known. Several outputs may stand
// behind one another. Times are seconds since 1970: second 0 is midnight UTC of the day
// on which the first job was submitted, unless a time zone is given.
func openSacctJSON(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	s, err := newSacctReader(name, "sacct", o)
	if err != nil {
		return nil, err
	}
	j := &sacctJSON{name: name, zone: s.zone, array: jsontext.NewArray(r, "jobs", size, 2*s.workers+2)}
	j.array.Member = func(key string, value []byte) { jsonErrors(key, value, &s.from.Warnings) }
	return s.open(j, sacctJSONLayout)
}

// jsonErrors counts what Slurm says that went wrong, as where the database does not
// answer.
func jsonErrors(key string, value []byte, w *workload.Warnings) {
	if key != "errors" {
		return
	}
	var s jsontext.Scanner
	s.Reset(value, 0, true)
	if s.Kind() != '[' || !s.Enter('[') {
		return
	}
	for s.Next() {
		w.Add("slurm-errors", "errors that Slurm put beside the jobs: some may be missing", 0, string(bytes.Join(bytes.Fields(s.Raw()), []byte(" "))))
	}
}

// sacctJSONNames are the members of a job that stand for sacct's columns.
var sacctJSONNames = map[sacctField]string{
	sacctJobID: "job_id", sacctJobIDRaw: "job_id", sacctCluster: "cluster", sacctUser: "user", sacctAccount: "account", sacctGroup: "group",
	sacctPartition: "partition", sacctQOS: "qos", sacctJobName: "name", sacctState: "state.current",
	sacctSubmit: "time.submission", sacctStart: "time.start", sacctEnd: "time.end", sacctElapsedRaw: "time.elapsed", sacctSuspended: "time.suspended",
	sacctTimelimitRaw: "time.limit", sacctNNodes: "allocation_nodes", sacctReqCPUS: "required.CPUs", sacctReqTRES: "tres.requested",
	sacctAllocTRES: "tres.allocated", sacctTotalCPU: "time.total", sacctMaxRSS: "steps.tres.requested.max", sacctNTasks: "steps.tasks.count", sacctNodeList: "nodes",
	sacctEligible: "time.eligible", sacctPriority: "priority", sacctExitCode: "exit_code", sacctEnergy: "steps.statistics.energy.consumed", sacctRestarts: "restart_cnt",
}

// sacctJSONLayout has a column for each of them.
var sacctJSONLayout = func() *sacctLayout {
	l := &sacctLayout{}
	for f := range l.at {
		l.at[f] = -1
		if name, ok := sacctJSONNames[sacctField(f)]; ok {
			l.at[f] = len(l.columns)
			l.columns = append(l.columns, sacctColumn{name: name, field: sacctField(f)})
		}
	}
	return l
}()

// sacctJSON is the source of such a document's records.
type sacctJSON struct {
	name  string
	zone  *time.Location
	array *jsontext.Array
}

func (j *sacctJSON) next() (jsontext.Chunk, error) {
	c, err := j.array.Next()
	return c, jsonFault(j.name, err)
}

// jsonFault makes an *InputError of what a document is not.
func jsonFault(name string, err error) error {
	var f *jsontext.TextFault
	switch {
	case err == nil || err == io.EOF:
		return err
	case errors.As(err, &f):
		return &workload.InputError{File: name, Line: f.Line, Field: jsonPlace(f.Line, f.Offset, ""), Saw: f.Saw, Want: f.Want}
	}
	return parse.InputFault(name, err)
}

// jsonPlace names a place: the member, and in a document of one line the byte.
func jsonPlace(line, offset int64, member string) string {
	if line > 1 {
		return member
	}
	return strings.TrimSpace(fmt.Sprintf("%s at byte %d", member, offset))
}

func (j *sacctJSON) decode(c jsontext.Chunk, b *sacctBatch) error {
	defer j.array.Recycle(c)
	d := sacctJSONJob{p: newSacctParser(j.name, sacctJSONLayout, j.zone, c.Text, b)}
	d.r.Reset(c.Text, '[', c.First)
	line, passed, element := c.Line+1, 0, c.Element
	for ; !d.r.Blank() && d.r.Next(); element++ {
		d.r.Kind()
		at := d.r.Offset()
		line += int64(bytes.Count(c.Text[passed:at], []byte{'\n'}))
		passed = at
		bad, want := d.read(line)
		if f := d.r.Fault(); f == nil && want != "" {
			member := fmt.Sprintf("jobs[%d].%s", element, sacctJSONNames[bad])
			return &workload.InputError{File: j.name, Line: line, Field: jsonPlace(line, c.Offset+int64(at), member), Saw: workload.Shorten(d.p.values[bad]), Want: want}
		}
	}
	if f := d.r.Fault(); f != nil {
		line := c.Line + 1 + int64(bytes.Count(c.Text[:f.At], []byte{'\n'}))
		member := fmt.Sprintf("jobs[%d]%s", max(element-1, c.Element), d.r.where())
		return &workload.InputError{File: j.name, Line: line, Field: jsonPlace(line, c.Offset+int64(f.At), member), Saw: f.Saw, Want: f.Want}
	}
	b.rows = b.rows[:d.p.rows]
	return nil
}

// unixStart says whether the log's zone is not known: its times are instants, but not
// which hour of the day they are.
func (s *sacctReader) unixStart() bool {
	_, json := s.source.(*sacctJSON)
	return json && !s.sure && !math.IsNaN(s.table.start)
}
