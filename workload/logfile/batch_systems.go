package logfile

import (
	"bytes"
	"regexp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// batchSystems are outputs of batch systems for people, by how their first line that is not blank
// or a comment begins, and the file to read in place of each.
var batchSystems = []struct {
	begins *regexp.Regexp
	saw    string
	want   string
}{
	{regexp.MustCompile(`^(={10,}\s*\n\s*)?qname\s+\S`), "the output of Grid Engine's qacct -j", "its accounting file, $SGE_ROOT/default/common/accounting"},
	{regexp.MustCompile(`^(job-ID|job_number)\s+prior`), "the output of Grid Engine's qstat", wantTable},
	{regexp.MustCompile(`^"JOB_[A-EG-QS-Z][A-Z_0-9]+" "[0-9.]+" \d+ `), "LSF's lsb.events", wantAcct},
	{regexp.MustCompile(`^(Job <[^>\s]+>,|JOBID\s+USER\s+(STAT|JOB_NAME)\s|Summary of time in seconds spent in various states|Accounting information about jobs that are)`), "the output of LSF's bhist, bacct or bjobs", wantAcct},
	{regexp.MustCompile(`^(Job Id: \S+\s*\n\s+\S+ = |Job: \S+\s*\n|Job [Ii][Dd]\s+Name\s+User|[\w.-]+:\s*\n(\s*\n)?.*Req'd)`), "the output of qstat or tracejob of PBS or Torque", "the server's accounting logs, server_priv/accounting/YYYYMMDD"},
	{regexp.MustCompile(`^((?i)\s*ID\s+OWNER\s+SUBMITTED\s+RUN_TIME|-- Schedd: |\d{3} \(\d+\.\d+\.\d+\) )`), "the output of HTCondor's condor_history or condor_q, or an event log", "its history: condor_history -long or -json"},
}

const (
	wantTable = "a table of its jobs: CSV with the names of the columns in the first line ('loadstone help formats')"
	wantAcct  = "its accounting file, lsb.acct"
)

// otherBatchSystem returns the error for those outputs, which would pass for other tables, with
// the line.
func otherBatchSystem(name string, head []byte) error {
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	line := int64(1)
	for len(text) > 0 {
		first, rest, _ := bytes.Cut(text, []byte{'\n'})
		if first = bytes.TrimSpace(first); len(first) > 0 && first[0] != '#' {
			break
		}
		text = rest
		line++
	}
	for _, b := range batchSystems {
		if b.begins.Match(text) {
			return &workload.InputError{File: name, Line: line, Saw: b.saw + ": " + parse.ShortenLine(text), Want: b.want}
		}
	}
	return nil
}
