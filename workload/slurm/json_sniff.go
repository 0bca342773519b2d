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
	jsonSacct                   // jobs of the accounting database: sacct --json, slurmrestd's /slurmdb
	jsonSqueue                  // jobs of the controller: squeue --json, scontrol show job --json, slurmrestd's /slurm
	jsonOther                   // Slurm's, without jobs
)

// sniffJSON returns the Format.Sniff of documents of a kind.
func sniffJSON(of jsonKind) func(string, *bufio.Reader, workload.Options) bool {
	return func(_ string, r *bufio.Reader, _ workload.Options) bool {
		kind, _ := peekJSON(r)
		return kind == of
	}
}

// peekJSON tells what the JSON document is that r begins with.
func peekJSON(r *bufio.Reader) (kind jsonKind, members []string) {
	head, _ := r.Peek(parse.Sniffed)
	if !isJSON(head) {
		return jsonForeign, nil
	}
	head, _ = r.Peek(r.Size())
	return jsonKindOf(head)
}

// isJSON says whether a text may be a JSON object.
func isJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && head[0] == '{'
}

// jsonKindOf tells what the document is that head begins, by the members of the first
// job, or, where there is no job, by those beside the jobs. It returns the names of the
// document's members too, as far as head has them.
func jsonKindOf(head []byte) (kind jsonKind, members []string) {
	var s jsontext.Scanner
	s.Reset(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), 0, true)
	if !s.Enter('{') {
		return jsonForeign, nil
	}
	jobs, slurm, queue := false, false, false
	for s.Next() {
		key := string(s.Key())
		switch {
		case key == "jobs" && s.Kind() == '[':
			jobs = true
			if kind := firstJobKind(&s); kind != jsonForeign {
				return kind, nil
			}
		case key == "meta" && s.Kind() == '{':
			meta := bytes.ReplaceAll(s.Raw(), []byte(`\/`), []byte("/"))
			slurm = slurm || bytes.Contains(meta, []byte(`"slurm"`)) || bytes.Contains(meta, []byte(`"Slurm"`)) || bytes.Contains(meta, []byte("data_parser"))
			queue = queue || bytes.Contains(meta, []byte("openapi/v0")) || bytes.Contains(meta, []byte("openapi/slurmctld"))
		default:
			queue = queue || key == "last_backfill" || key == "last_update"
			members = append(members, key)
			s.Skip()
		}
	}
	switch {
	case !slurm:
		return jsonForeign, nil
	case !jobs:
		return jsonOther, members
	case queue:
		return jsonSqueue, nil
	}
	return jsonSacct, nil
}

// firstJobKind tells jobs apart by the members of the first that only one of the two
// forms has.
func firstJobKind(s *jsontext.Scanner) jsonKind {
	if !s.Enter('[') {
		return jsonForeign
	}
	for first := true; s.Next(); first = false {
		if !first || s.Kind() != '{' || !s.Enter('{') {
			s.Skip()
			continue
		}
		for s.Next() {
			object := s.Kind() == '{'
			switch string(s.Key()) {
			case "accrue_time", "job_state", "array_job_id", "state_reason", "tres_req_str":
				return jsonSqueue
			case "allocation_nodes":
				return jsonSacct
			case "association", "required", "array", "het", "mcs", "time", "state":
				if object {
					return jsonSacct
				}
			}
			s.Skip()
		}
	}
	return jsonForeign
}
