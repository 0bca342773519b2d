package slurm

import (
	"bufio"
	"bytes"
	"io"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Jobcomp is the format of the file that Slurm's plugin jobcomp/filetxt writes. It is
// read-only.
var Jobcomp = workload.Format{
	Name: "jobcomp",
	Sniff: func(_ string, r *bufio.Reader, _ workload.Options) bool {
		head, _ := r.Peek(parse.Sniffed)
		return isJobcomp(head)
	},
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		return openJobcomp(name, r, o, parse.ChunkSize)
	},
}

// isJobcomp reports whether a text begins with a line of such a file.
func isJobcomp(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	at, _ := findKey(line, "UserId")
	return bytes.HasPrefix(line, []byte("JobId=")) && at > 0 && bytes.IndexByte(line[:at-1], ' ') < 0
}

// openJobcomp reads the lines that Slurm's plugin jobcomp/filetxt writes, one for each
// job that ends or is requeued, with the meaning that openSacct gives to sacct's
// columns. A job that was requeued is in state PENDING there, its run is REQUEUED here.
func openJobcomp(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	s, err := newSacctReader(name, "jobcomp", o)
	if err != nil {
		return nil, err
	}
	j := &jobcompText{name: name, zone: s.zone, lines: parse.NewLines(name, r, size, 2*s.workers+2)}
	return s.open(j, jobcompLayout)
}

// jobcompKeys are the keys of a line, in their order (JOB_FORMAT of Slurm's
// jobcomp_filetxt.c), with what they are of sacct's.
var jobcompKeys = [...]struct {
	key   string
	field sacctField
}{
	{"JobId", sacctJobIDRaw}, {"UserId", sacctUser}, {"GroupId", sacctGroup}, {"Name", sacctJobName}, {"JobState", sacctState},
	{"Partition", sacctPartition}, {"TimeLimit", sacctTimelimitRaw}, {"StartTime", sacctStart}, {"EndTime", sacctEnd},
	{"NodeList", sacctNodeList}, {"NodeCnt", sacctNNodes}, {"ProcCnt", sacctNCPUS}, {"WorkDir", sacctUnused}, {"ReservationName", sacctUnused},
	{"Tres", sacctReqTRES}, {"Account", sacctAccount}, {"QOS", sacctQOS}, {"WcKey", sacctUnused}, {"Cluster", sacctCluster},
	{"SubmitTime", sacctSubmit}, {"EligibleTime", sacctEligible}, {"ArrayJobId", sacctArrayID}, {"ArrayTaskId", sacctArrayTask},
	{"HetJobId", sacctHetID}, {"HetJobOffset", sacctHetOffset}, {"DerivedExitCode", sacctUnused}, {"ExitCode", sacctExitCode},
}

var jobcompWords = func() (words []string) {
	for _, k := range jobcompKeys {
		words = append(words, k.key)
	}
	return words
}()

// jobcompLayout has a column for each.
var jobcompLayout = func() *sacctLayout {
	l := &sacctLayout{}
	for f := range l.at {
		l.at[f] = -1
	}
	for i, k := range jobcompKeys {
		l.columns = append(l.columns, sacctColumn{name: k.key, field: k.field})
		if k.field != sacctUnused {
			l.at[k.field] = i
		}
	}
	l.at[sacctJobID] = 0
	return l
}()

// jobcompText is the source of such a file's records.
type jobcompText struct {
	name  string
	zone  *time.Location
	lines *parse.Lines
}

func (j *jobcompText) next() (jsontext.Chunk, error) {
	chunk, err := j.lines.Next()
	return jsontext.Chunk{Text: chunk}, err
}

func (j *jobcompText) decode(c jsontext.Chunk, b *sacctBatch) error {
	defer j.lines.Recycle(c.Text)
	p := newSacctParser(j.name, jobcompLayout, j.zone, c.Text, b)
	var r jsonReader
	var values [len(jobcompKeys)][]byte
	for line := range bytes.Lines(c.Text) {
		b.lines++
		switch {
		case len(line) > parse.MaxLine:
			return parse.LineTooLong(j.name, b.lines, line)
		case bytes.IndexByte(line, 0) >= 0:
			return parse.NotText(j.name, b.lines, line)
		case len(bytes.TrimSpace(line)) == 0:
			continue
		}
		keyValues(line, jobcompWords, values[:])
		if values[0] == nil || !bytes.HasPrefix(line, []byte("JobId=")) {
			return &workload.InputError{File: j.name, Line: b.lines, Saw: parse.ShortenLine(bytes.TrimSpace(line)), Want: "a line that begins with JobId="}
		}
		r.scratch = r.scratch[:0]
		p.jobcomp(&r, values[:])
		if bad, want := p.row(); want != "" {
			return &workload.InputError{File: j.name, Line: b.lines, Field: jobcompLayout.fieldName(bad), Saw: workload.Shorten(p.values[bad]), Want: want}
		}
		p.emit(b.lines)
	}
	b.rows = b.rows[:p.rows]
	return nil
}

// jobcomp fills in the values of a line.
func (p *sacctParser) jobcomp(r *jsonReader, values [][]byte) {
	v := &p.values
	*v = sacctValues{}
	for i, k := range jobcompKeys {
		v[k.field] = values[i]
	}
	v[sacctUnused] = nil
	v[sacctUser], v[sacctGroup] = withoutNumber(v[sacctUser]), withoutNumber(v[sacctGroup])
	for _, f := range []sacctField{sacctStart, sacctEnd, sacctSubmit, sacctEligible} {
		if string(v[f]) == "unknown" {
			v[f] = nil
		}
	}
	if string(v[sacctCluster]) == "unknown" {
		v[sacctCluster] = nil
	}
	if string(v[sacctState]) == "PENDING" {
		v[sacctState] = []byte("REQUEUED")
	}
	v[sacctJobID] = r.taskID(v[sacctJobIDRaw], v[sacctArrayID], v[sacctArrayTask], nil, v[sacctHetID], v[sacctHetOffset])
}
