package slurm

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// form is one of the forms in which Slurm prints jobs.
type form uint8

const (
	noForm form = iota
	sacctLines
	sacctJSON
	squeueLines // this form and the next ones show the queue
	queueJSON   // squeue --json, scontrol show job --json
	scontrolText
)

// newFormat returns the workload.Format for a form.
func newFormat(name string, wanted form, open func(name, format string, r *bufio.Reader, o workload.Options) (*workload.Log, error)) workload.Format {
	return workload.Format{
		Name: name, JSON: wanted == sacctJSON || wanted == queueJSON,
		Sniff: func(_ string, r *bufio.Reader, o workload.Options) bool {
			f, _ := formOf(r, o)
			return f == wanted
		},
		Open: func(file string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
			if _, want := formOf(r, o); want != "" {
				return nil, notJobs(file, r, want)
			}
			return open(file, name, r, o)
		},
	}
}

// notJobs returns the error for a text that is not in the form that want describes.
func notJobs(name string, r *bufio.Reader, want string) error {
	head, err := r.Peek(parse.Sniffed)
	if err != nil && err != io.EOF {
		return parse.InputFault(name, err)
	}
	if len(head) == 0 {
		return &workload.InputError{File: name, Err: workload.ErrNoJobs}
	}
	return &workload.InputError{File: name, Line: 1, Saw: parse.ShortenLine(head), Want: want}
}

const noJobs = "No jobs in the system"

var scontrolBegins = regexp.MustCompile(`^[ \r\n]*(?:JobId=.* JobName=|` + noJobs + `|(NodeName|PartitionName|ReservationName|StepId)=)`)

// formOf recognises the form of a text. If the text is output of Slurm that cannot be read, want
// describes what is needed instead. A text with mapped columns (Options.Map) may be any other
// table.
func formOf(r *bufio.Reader, o workload.Options) (f form, want string) {
	head, _ := r.Peek(64 << 10)
	begins := scontrolBegins.FindSubmatch(head)
	switch {
	case isJSON(head):
		f, _ = jsonForm(head)
	case begins != nil && begins[1] != nil:
		return scontrolText, "jobs: scontrol show job"
	case begins != nil:
		return scontrolText, ""
	case len(o.Map) == 0 && isSqueue(head):
		return squeueLines, ""
	default:
		if is, plain := isSacct(head); is && (plain || len(o.Map) == 0) {
			return sacctLines, ""
		}
		if want = unreadableSacct(head); want != "" {
			f = sacctLines
		}
	}
	return f, want
}

// isJSON reports whether a text may be a JSON object or array.
func isJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// jobMembers matches members that only one of the two forms of a job has. The first group
// matches those of the queue.
var jobMembers = regexp.MustCompile(`"(?:(accrue_time|job_state|array_job_id|state_reason|tres_req_str)"\s*:|allocation_nodes"\s*:|(?:association|required|array|het|mcs|time|state)"\s*:\s*\{)`)

// Patterns that identify a document: its list of jobs, words that Slurm puts outside the list,
// and those of the queue.
var (
	jsonList   = regexp.MustCompile(`"jobs"\s*:\s*(?:\[|null)`)
	slurmWords = regexp.MustCompile(`"[sS]lurm"|data_parser`)
	queueWords = regexp.MustCompile(`openapi\\?/(?:v0|slurmctld)|"last_(?:backfill|update)"`)
)

// jsonForm recognises a document by the members of a job or, if there is no job, by those next
// to the list. Jobs without an object around them, which are bare, must also have a number.
func jsonForm(head []byte) (f form, isBare bool) {
	isBare = !jsonList.Match(head)
	job := jobMembers.FindSubmatch(head)
	switch {
	case isBare && (job == nil || !bytes.Contains(head, []byte(`"job_id"`))), job == nil && !slurmWords.Match(head):
		return noForm, isBare
	case job != nil && job[1] != nil, job == nil && queueWords.Match(head):
		return queueJSON, isBare
	}
	return sacctJSON, isBare
}

// mostlySacct reports whether at least half of the names, and at least two, are columns of
// sacct: new versions may have new columns.
func mostlySacct(names []string) bool {
	n := 0
	for _, name := range names {
		if _, ok := sacctColumns[name]; ok {
			n++
		}
	}
	return n > 1 && 2*n >= len(names)
}

// isSacct reports whether a text begins, possibly after blank lines, with a header line of
// sacct: the names of its columns, separated by bars (plain is true) or by another separator
// (plain is false). Other tables may have some of these names, so without bars one of the first
// records, if there are any, must be readable.
func isSacct(head []byte) (is, plain bool) {
	h := headerOf(bytes.TrimLeft(head, "\ufeff\r\n"))
	switch between := h.between; {
	case !mostlySacct(h.names):
		return false, false
	case between == "|":
		return true, true
	case between == " ", between >= "\x80", len(between) == 1 && strings.Contains(":-.+=/[]%", between):
		return false, false
	}
	l, err := readLayout("", 1, h.line, false)
	if err != nil {
		return false, false
	}
	p := newParser(&reader{layout: l, zone: time.UTC}, &batch{})
	records := 0
	for line := range bytes.Lines(h.rest) {
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			continue
		}
		records++
		if p.readLine(line) {
			return true, false
		}
	}
	return records == 0, false
}

// unreadableSacct returns what is needed in place of a text that looks like sacct's but cannot
// be read, or "".
func unreadableSacct(head []byte) string {
	h := headerOf(head)
	if mostlySacct(strings.Fields(h.line)) && bytes.HasPrefix(bytes.TrimLeft(h.rest, " "), []byte("---")) {
		return "sacct's columns separated by bars: run sacct with -P"
	}
	for _, between := range []string{"|", ",", ";", "\t"} {
		hasField := func(fits func([]byte) bool) bool {
			return slices.ContainsFunc(strings.Split(h.line, between), func(v string) bool { return fits([]byte(v)) })
		}
		isLocal := func(v []byte) bool { t, _ := parseTime(v); return t.kind == timeLocal }
		// Few other tables have bars between their columns.
		if hasField(isLocal) && hasField(shapes["id"].fits) && (between == "|" || hasField(shapes["state"].fits)) {
			return "a header line with the names of the columns: run sacct without -n (--noheader)"
		}
	}
	return ""
}

// isSqueue reports whether a text begins with a header line of squeue. Its names are in
// capitals, unlike sacct's. A table with commas must have all columns that are required, because
// other tables may have such names too.
func isSqueue(head []byte) bool {
	at := bytes.Index(head, []byte("JOBID"))
	first := bytes.LastIndexByte(head[:max(at, 0)], '\n') + 1
	if at < 0 || first > 40 { // it may follow a date, as in squeue -l
		return false
	}
	h := headerOf(head[first:])
	has := func(name string) bool { return slices.Contains(h.names, name) }
	if strings.Contains(h.between, ",") && !(has("SUBMIT_TIME") && has("START_TIME") && has("CPUS")) {
		return false
	}
	return has("JOBID") && (has("ST") || has("STATE")) && strings.TrimLeft(h.names[0], ";#") == h.names[0]
}
