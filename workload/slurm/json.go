package slurm

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// jsonKind is what a JSON document holds.
type jsonKind uint8

const (
	jsonForeign jsonKind = iota // not Slurm's
	jsonSacct                   // jobs of the accounting database: sacct --json
	jsonSqueue                  // jobs of the controller: squeue --json, scontrol show job --json
	jsonOther                   // Slurm's, without jobs
)

// jsonFormat is the format of documents of a kind.
func jsonFormat(name string, of jsonKind, open func(string, *bufio.Reader, workload.Options) (*workload.Log, error)) workload.Format {
	return workload.Format{
		Name: name, JSON: true, Open: open,
		Sniff: func(_ string, r *bufio.Reader, _ workload.Options) bool { return peekJSON(r).kind == of },
	}
}

// OtherJSON recognises JSON of Slurm that contains no jobs, in order to refuse it with a
// helpful message.
var OtherJSON = jsonFormat("slurm", jsonOther, func(name string, r *bufio.Reader, _ workload.Options) (*workload.Log, error) {
	return nil, &workload.InputError{File: name, Saw: "Slurm's JSON with " + parse.ListShort(peekJSON(r).members), Want: "jobs: the output of sacct --json, squeue --json or scontrol show job --json"}
})

// isJSON reports whether a text may be a JSON object or array.
func isJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// jsonDocument is what is known of a document by its beginning.
type jsonDocument struct {
	kind    jsonKind
	bare    bool     // the jobs without the object around them
	members []string // of the object, as far as they are known
}

// peekJSON identifies the document that r begins with, by the members of the first job
// or, if there is no job, by those next to the jobs. Jobs without an object around them
// must also have a number.
func peekJSON(r *bufio.Reader) (d jsonDocument) {
	head, _ := r.Peek(parse.Sniffed)
	if !isJSON(head) {
		return d
	}
	head, _ = r.Peek(r.Size())
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	var s jsontext.Scanner
	s.Reset(head, 0, true)
	array := s.Kind() == '['
	if array && !(s.Enter('[') && s.Next()) {
		return d
	}
	kind, numbered := jobKind(&s)
	if array && !numbered {
		kind = jsonForeign
	}
	if array || numbered && kind != jsonForeign {
		return jsonDocument{kind: kind, bare: true}
	}
	s.Reset(head, 0, true)
	jobs, slurm, queue := false, false, false
	for s.Enter('{'); s.Next(); {
		key := string(s.Key())
		switch {
		case key == "jobs" && s.Kind() == '[':
			jobs = true
			s.Enter('[')
			for first := true; s.Next(); first = false {
				if !first {
					s.Skip()
				} else if kind, _ := jobKind(&s); kind != jsonForeign {
					return jsonDocument{kind: kind}
				}
			}
			continue
		case key == "meta":
			meta := strings.ReplaceAll(string(s.Raw()), `\/`, "/")
			slurm = slurm || strings.Contains(meta, `"slurm"`) || strings.Contains(meta, `"Slurm"`) || strings.Contains(meta, "data_parser")
			queue = queue || strings.Contains(meta, "openapi/v0") || strings.Contains(meta, "openapi/slurmctld")
			continue
		case key == "jobs": // null
			jobs = true
		default:
			queue = queue || key == "last_backfill" || key == "last_update"
			d.members = append(d.members, key)
		}
		s.Skip()
	}
	switch {
	case !slurm:
	case !jobs:
		d.kind = jsonOther
	case queue:
		d.kind = jsonSqueue
	default:
		d.kind = jsonSacct
	}
	return d
}

// jobKind identifies the value that comes next by the members that only one of the two
// forms of a job has. numbered reports that it has a job_id.
func jobKind(s *jsontext.Scanner) (kind jsonKind, numbered bool) {
	if s.Kind() != '{' {
		s.Skip()
		return jsonForeign, false
	}
	for s.Enter('{'); s.Next(); s.Skip() {
		is := jsonForeign
		switch string(s.Key()) {
		case "job_id":
			numbered = true
		case "accrue_time", "job_state", "array_job_id", "state_reason", "tres_req_str":
			is = jsonSqueue
		case "allocation_nodes":
			is = jsonSacct
		case "association", "required", "array", "het", "mcs", "time", "state":
			if s.Kind() == '{' {
				is = jsonSacct
			}
		}
		kind = cmp.Or(kind, is)
	}
	return kind, numbered
}

// jsonJobs is the source of the jobs of a document: {"jobs": [...]}, or the array or the
// single jobs that jq extracts from it.
type jsonJobs struct {
	*reader
	members members
	array   *jsontext.Array
	beside  [][2]string // members beside the jobs, with their values
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
	if peekJSON(text).bare {
		key = ""
	}
	j.array = jsontext.NewArray(text, key, size, r.buffers())
	j.array.Member = func(key string, value []byte) {
		if key == "errors" || key == "last_update" {
			j.beside = append(j.beside, [2]string{key, string(value)})
		}
	}
}

func (j *jsonJobs) next() (jsontext.Chunk, error) {
	c, err := j.array.Next()
	var f *jsontext.TextFault
	switch {
	case err == nil || err == io.EOF:
	case errors.As(err, &f):
		err = &workload.InputError{File: j.name, Line: f.Line, Field: jsonPlace(f.Line, f.Offset, ""), Saw: f.Saw, Want: f.Want}
	default:
		err = parse.InputFault(j.name, err)
	}
	return c, err
}

// decode reads the jobs of a chunk.
func (j *jsonJobs) decode(c jsontext.Chunk, b *batch) error {
	defer j.array.Recycle(c)
	p := newParser(j.reader, c.Text, b)
	r := &jsonReader{step: newFields()}
	r.Reset(c.Text, c.Inside, c.First)
	line, offset, element, passed := c.Line+1, int64(0), c.Element, 0
	p.place = func(path string) string { return jsonPlace(line, offset, fmt.Sprintf("jobs[%d].%s", element, path)) }
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
	b.rows = b.rows[:p.rows]
	f := r.Fault()
	if f == nil {
		return nil
	}
	line = c.Line + 1 + int64(bytes.Count(c.Text[:f.At], []byte{'\n'}))
	place := jsonPlace(line, c.Offset+int64(f.At), fmt.Sprintf("jobs[%d]%s", element, r.where()))
	return &workload.InputError{File: j.name, Line: line, Field: place, Saw: f.Saw, Want: f.Want}
}

// sacctJob reads a job of accounting, which begins in a line, and its steps.
func (p *parser) sacctJob(steps []record, line int64) bool {
	if len(p.Submit) == 0 && len(p.State) == 0 { // of squeue or scontrol, say, in one file with sacct's
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
		p.JobID, p.JobIDRaw = fmt.Appendf(nil, "%s.%s", job.JobID, step.JobID), fmt.Appendf(nil, "%s.%s", job.JobIDRaw, step.JobID)
		p.Cluster = job.Cluster
		if !p.row() {
			return false
		}
		p.emit(line)
	}
	return true
}

// jsonPlace names a place: the member, and in a document of one line the byte.
func jsonPlace(line, offset int64, member string) string {
	if line > 1 {
		return member
	}
	return strings.TrimSpace(fmt.Sprintf("%s at byte %d", member, offset))
}

// end counts what Slurm says that went wrong, as where the database does not answer, and
// returns the moment of the listing, 0 where it has none.
func (r *reader) end() (taken float64) {
	j, ok := r.source.(*jsonJobs)
	if !ok {
		return 0
	}
	for _, m := range j.beside {
		value := []byte(m[1])
		var list []json.RawMessage
		if m[0] == "errors" && json.Unmarshal(value, &list) == nil {
			for _, e := range list {
				r.from.Warnings.Add("slurm-errors", "Slurm reported errors with the jobs: some jobs may be missing", 0, errorText(e))
			}
		} else if m[0] == "last_update" {
			var s jsonReader
			s.Reset(value, 0, true)
			if n, want := parseCount(s.value("time")); want == "" {
				taken = max(taken, float64(n))
			}
		}
	}
	return taken
}

// errorText returns the words of an error in Slurm's JSON: "Failed while looking for jobs:
// Unspecified error (slurm_load_jobs, error -1)".
func errorText(value []byte) string {
	var e struct {
		Description, Error, Source string
		Number                     json.Number `json:"error_number"`
	}
	if json.Unmarshal(value, &e) != nil || e.Description+e.Error == "" {
		return strings.Join(strings.Fields(string(value)), " ")
	}
	text := e.Description
	if e.Error != "" && e.Error != text {
		text = strings.TrimPrefix(text+": "+e.Error, ": ")
	}
	if e.Number == "" {
		return text
	}
	return text + " (" + strings.TrimPrefix(e.Source+", error ", ", ") + string(e.Number) + ")"
}
