package slurm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// jsonJobs is the source of the jobs of a document: {"jobs": [...]}, or the array or the
// single jobs that jq extracts from it.
type jsonJobs struct {
	*reader
	members      members
	array        *jsontext.Array
	otherMembers [][2]string // key and value of each member outside the list of jobs
}

var (
	sacctMembers, stepMembers, queueMembers = membersOf("job"), membersOf("step"), membersOf("queue")

	sacctJSONLayout, queueJSONLayout = newLayout(false, "job", "step"), newLayout(true, "queue")
)

// openJSON sets the source to the jobs of a document.
func (r *reader) openJSON(text *bufio.Reader, size int, queue bool) {
	j := &jsonJobs{reader: r, members: sacctMembers}
	r.source, r.layout = j, sacctJSONLayout
	if queue {
		r.layout, j.members = queueJSONLayout, queueMembers
	}
	key := "jobs"
	head, _ := text.Peek(64 << 10)
	if _, isBare := jsonForm(head); isBare {
		key = ""
	}
	j.array = jsontext.NewArray(text, key, size)
	j.array.Member = func(key string, value []byte) {
		if key == "errors" || key == "last_update" {
			j.otherMembers = append(j.otherMembers, [2]string{key, string(value)})
		}
	}
}

func (j *jsonJobs) next() (jsontext.Chunk, error) {
	c, err := j.array.Next()
	if f, ok := err.(*jsontext.Fault); ok {
		err = f.Input(j.name, "")
	} else if err != nil && err != io.EOF {
		err = parse.InputFault(j.name, err)
	}
	return c, err
}

// decode reads the jobs of a chunk.
func (j *jsonJobs) decode(c jsontext.Chunk, b *batch) error {
	p := newParser(j.reader, b)
	r := &jsonReader{step: newFields()}
	r.Reset(c.Text, c.Inside, c.First)
	line, offset, element, passed := c.Line+1, int64(0), c.Element, 0
	p.place = func(path string) string {
		return jsontext.Place(line, offset, fmt.Sprintf("jobs[%d].%s", element, path))
	}
	p.saw = func(v []byte) string {
		if len(v) == 0 {
			return "no value (missing, null, NaN, not set or 0)"
		}
		return workload.Shorten(v)
	}
	for ; !r.Blank() && r.Next(); element++ {
		r.Kind()
		line += int64(bytes.Count(c.Text[passed:r.Offset()], []byte{'\n'}))
		passed = r.Offset()
		offset = c.Offset + int64(passed)
		p.record, r.steps = record{}, r.steps[:0]
		if r.values(j.members, 0, p.at); r.Fault() != nil {
			break
		}
		p.JobID = p.taskID()
		if j.layout.queue {
			p.queueRecord(line)
		} else if !p.sacctJob(r.steps, line) {
			return p.fault(line)
		}
	}
	if r.Fault() != nil {
		return c.Fault(r.Fault()).Input(j.name, fmt.Sprintf("jobs[%d]%s", element, r.path))
	}
	return nil
}

// sacctJob reads a job of accounting, which begins in a line, and its steps.
func (p *parser) sacctJob(steps []record, line int64) bool {
	if len(p.Submit) == 0 && len(p.State) == 0 { // perhaps from squeue or scontrol, in one file with sacct's
		p.bad, p.want = &p.Submit, "a time, as of every job that sacct --json prints"
		return false
	}
	if !p.row() {
		return false
	}
	p.emit(line)
	job := p.record
	for _, step := range steps {
		p.record = step
		name := step.JobID[bytes.LastIndexByte(step.JobID, '.')+1:] // some data parsers put the job's number before it
		if len(name) == 0 {
			name = []byte{'0'}
		}
		p.JobID, p.JobIDRaw = fmt.Appendf(nil, "%s.%s", job.JobID, name), fmt.Appendf(nil, "%s.%s", job.JobIDRaw, name)
		p.Cluster = job.Cluster
		if !p.row() {
			return false
		}
		p.emit(line)
	}
	return true
}

// end counts the errors that Slurm reports in a document, for example if the database does not
// answer. It returns the time of the listing, 0 if it has none.
func (r *reader) end() (taken float64) {
	j, ok := r.source.(*jsonJobs)
	if !ok {
		return 0
	}
	for _, m := range j.otherMembers {
		value := []byte(m[1])
		var list []json.RawMessage
		if m[0] == "errors" && json.Unmarshal(value, &list) == nil {
			for _, e := range list {
				r.from.Warnings.Add("slurm-errors", "Slurm reported errors with the jobs: some jobs may be missing", 0, errorText(e))
			}
		} else if m[0] == "last_update" {
			var s jsonReader
			s.Reset(value, 0, true)
			taken = max(taken, float64(Count(string(s.value("time")))))
		}
	}
	return taken
}

// errorText returns the text of an error in Slurm's JSON: "Failed while looking for jobs:
// Unspecified error (slurm_load_jobs, error -1)".
func errorText(value []byte) string {
	var e struct {
		Description, Error, Source string
		Number                     json.Number `json:"error_number"`
	}
	if json.Unmarshal(value, &e) != nil || e.Description+e.Error == "" {
		return workload.OneLine(string(value))
	}
	text := strings.Trim(e.Description+": "+e.Error, ": ")
	if e.Number != "" {
		text += fmt.Sprintf(" (%s, error %s)", e.Source, e.Number)
	}
	return text
}
