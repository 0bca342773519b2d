package slurm

import (
	"bufio"
	"bytes"

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

// jsonDocument is what is known of a document by its beginning.
type jsonDocument struct {
	kind    jsonKind
	bare    bool     // the jobs without the object around them
	members []string // of the object, as far as they are known
}

// sniffJSON returns the Format.Sniff of documents of a kind.
func sniffJSON(of jsonKind) func(string, *bufio.Reader, workload.Options) bool {
	return func(_ string, r *bufio.Reader, _ workload.Options) bool { return peekJSON(r).kind == of }
}

// peekJSON identifies the JSON document that r begins with.
func peekJSON(r *bufio.Reader) jsonDocument {
	head, _ := r.Peek(parse.Sniffed)
	if !isJSON(head) {
		return jsonDocument{}
	}
	head, _ = r.Peek(r.Size())
	return jsonDocumentOf(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
}

// isJSON reports whether a text may be a JSON object or array.
func isJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// jsonDocumentOf identifies the document that head begins, by the members of the first job
// or, if there is no job, by those next to the jobs. Jobs without an object around them
// must also have a number.
func jsonDocumentOf(head []byte) (d jsonDocument) {
	var s jsontext.Scanner
	s.Reset(head, 0, true)
	array := s.Kind() == '['
	if array && !(s.Enter('[') && s.Next()) {
		return d
	}
	if kind, numbered := jobKind(&s); array || numbered && kind != jsonForeign {
		if !numbered {
			kind = jsonForeign
		}
		return jsonDocument{kind: kind, bare: true}
	}
	s.Reset(head, 0, true)
	if !s.Enter('{') {
		return d
	}
	jobs, slurm, queue := false, false, false
	for s.Next() {
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
		case key == "jobs": // null
			jobs = true
			s.Skip()
		case key == "meta" && s.Kind() == '{':
			meta := bytes.ReplaceAll(s.Raw(), []byte(`\/`), []byte("/"))
			slurm = slurm || bytes.Contains(meta, []byte(`"slurm"`)) || bytes.Contains(meta, []byte(`"Slurm"`)) || bytes.Contains(meta, []byte("data_parser"))
			queue = queue || bytes.Contains(meta, []byte("openapi/v0")) || bytes.Contains(meta, []byte("openapi/slurmctld"))
		default:
			queue = queue || key == "last_backfill" || key == "last_update"
			d.members = append(d.members, key)
			s.Skip()
		}
	}
	switch {
	case !slurm:
		d.kind = jsonForeign
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
	s.Enter('{')
	for s.Next() {
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
		if kind == jsonForeign {
			kind = is
		}
		s.Skip()
	}
	return kind, numbered
}
