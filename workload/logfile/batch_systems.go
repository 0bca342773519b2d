package logfile

import (
	"bytes"
	"regexp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// batchSystems are outputs and accounting files of batch systems that are not read, by how
// their first line that is not blank or a comment begins, and what can be done with each.
var batchSystems = []struct {
	begins *regexp.Regexp
	saw    string
	want   string
}{
	{regexp.MustCompile(`^\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;[A-Za-z];[^;]*;`), "an accounting log of PBS Pro, OpenPBS or Torque", wantTable},
	{regexp.MustCompile(`^[^:\s]*(:[^:\n]*){7,9}:\d{1,13}:\d{1,13}:\d{1,13}:-?\d+:-?\d+:`), "an accounting file of Grid Engine", wantFields},
	{regexp.MustCompile(`^={10,}\s*\n\s*qname\s`), "the output of Grid Engine's qacct -j", "its accounting file, $SGE_ROOT/default/common/accounting: " + wantFields},
	{regexp.MustCompile(`^(job-ID|job_number)\s+prior`), "the output of Grid Engine's qstat", wantTable},
	{regexp.MustCompile(`^qname\s+\S`), "the output of Grid Engine's qacct -j", "its accounting file, $SGE_ROOT/default/common/accounting: " + wantFields},
	{regexp.MustCompile(`^"(JOB_[A-Z_]+|EVENT_ADRSV_FINISH)" "[0-9.]+" \d+ `), "LSF's lsb.acct or lsb.events", wantBjobs},
	{regexp.MustCompile(`^Job <[^>\s]+>,`), "the output of LSF's bhist -l, bacct -l or bjobs -l", wantBjobs},
	{regexp.MustCompile(`^JOBID\s+USER\s+(STAT|JOB_NAME)\s`), "the output of LSF's bjobs or bhist", wantBjobs},
	{regexp.MustCompile(`^Summary of time in seconds spent in various states`), "the output of LSF's bhist", wantBjobs},
	{regexp.MustCompile(`^Accounting information about jobs that are`), "the output of LSF's bacct", wantBjobs},
	{regexp.MustCompile(`^Job Id: \S+\s*\n\s+\S+ = `), "the output of qstat -f of PBS or Torque", wantTable},
	{regexp.MustCompile(`^(Job [Ii][Dd]\s+Name\s+User|[\w.-]+:\s*\n(\s*\n)?.*Req'd)`), "the output of qstat of PBS or Torque", wantTable},
	{regexp.MustCompile(`^Job: \S+\s*\n`), "the output of tracejob of PBS or Torque", wantTable},
	{regexp.MustCompile(`(?i)^(ID|\s*ID)\s+OWNER\s+SUBMITTED\s+RUN_TIME`), "the output of HTCondor's condor_history or condor_q", wantAutoformat},
	{regexp.MustCompile(`^(-- Schedd: |\*\*\* (Offset|ProcId) = )`), "jobs of HTCondor", wantAutoformat},
	{regexp.MustCompile(`^([A-Za-z_]\w* = [^\n]*\n){2}`), "ClassAds of HTCondor, as condor_history -l prints them", wantAutoformat},
	{regexp.MustCompile(`^\d{3} \(\d+\.\d+\.\d+\) `), "an event log of HTCondor", wantAutoformat},
}

const (
	wantTable      = "a table of its jobs: CSV with the names of the columns in the first line ('loadstone help formats')"
	wantFields     = `a mapping with the separator ":" and the names of its fields, by --map FILE.json ("Tables of other programs" in docs/reference/formats.md)`
	wantBjobs      = `CSV: bjobs -a -o "... delimiter=','" with the names of the columns in the first line`
	wantAutoformat = "JSON or CSV: condor_history -json with --map FILE.json, or -af:jh as CSV"
)

// otherBatchSystem returns the error for the files of batch systems that are not read, which
// would pass for other tables, with the line.
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
			return &workload.InputError{File: name, Line: line, Saw: b.saw + ", which is not read yet: " + parse.ShortenLine(text), Want: b.want}
		}
	}
	return nil
}
