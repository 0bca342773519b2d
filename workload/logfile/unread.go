package logfile

import (
	"bytes"
	"regexp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// unread lists contents that are not job logs or are output of batch systems for people, with
// what to read in place of each. They are recognised by their first bytes, or by their first line
// that is neither blank nor a comment.
var unread = []struct {
	magic  string
	begins *regexp.Regexp
	saw    string
	want   string
}{
	{"PK\x03\x04", nil, "an Excel workbook or a ZIP archive (save the sheet as CSV, or unpack the archive)", wantLog},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", nil, "an old Excel workbook (save the sheet as CSV)", wantLog},
	{"\x89PNG\r\n\x1a\n", nil, "a PNG image", wantLog},
	{"\xff\xd8\xff", nil, "a JPEG image", wantLog},
	{"%PDF-", nil, "a PDF document", wantLog},
	{"#!", nil, "a script", wantLog},
	{"", regexp.MustCompile(`(?i)^<(!doctype )?html`), "an HTML page", wantLog},
	{"", regexp.MustCompile(`^<\?xml`), "an XML document", wantLog},
	{"", regexp.MustCompile(`^(={10,}\s*\n\s*)?qname\s+\S`), "the output of Grid Engine's qacct -j", "its accounting file, $SGE_ROOT/default/common/accounting"},
	{"", regexp.MustCompile(`^(job-ID|job_number)\s+prior`), "the output of Grid Engine's qstat", wantTable},
	{"", regexp.MustCompile(`^"JOB_[A-EG-QS-Z][A-Z_0-9]+" "[0-9.]+" \d+ `), "LSF's lsb.events", wantAcct},
	{"", regexp.MustCompile(`^(Job <[^>\s]+>,|JOBID\s+USER\s+(STAT|JOB_NAME)\s|Summary of time in seconds spent in various states|Accounting information about jobs that are)`), "the output of LSF's bhist, bacct or bjobs", wantAcct},
	{"", regexp.MustCompile(`^(Job Id: \S+\s*\n\s+\S+ = |Job: \S+\s*\n|Job [Ii][Dd]\s+Name\s+User|[\w.-]+:\s*\n(\s*\n)?.*Req'd)`), "the output of qstat or tracejob of PBS or Torque", "the server's accounting logs, server_priv/accounting/YYYYMMDD"},
	{"", regexp.MustCompile(`^((?i)\s*ID\s+OWNER\s+SUBMITTED\s+RUN_TIME|-- Schedd: |\d{3} \(\d+\.\d+\.\d+\) )`), "the output of HTCondor's condor_history or condor_q, or an event log", "its history: condor_history -long or -json"},
}

const (
	wantLog   = "a job log" + formatsHelp
	wantTable = "a table of its jobs: CSV with the names of the columns in the first line" + formatsHelp
	wantAcct  = "its accounting file, lsb.acct"
)

// notRead returns the error for content that is listed in unread, which could pass for a table; nil
// for other content.
func notRead(name string, head []byte) error {
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	line := int64(1)
	for _, u := range unread {
		if u.magic != "" && bytes.HasPrefix(text, []byte(u.magic)) {
			return &workload.InputError{File: name, Saw: u.saw, Want: u.want}
		}
	}
	for len(text) > 0 {
		first, rest, _ := bytes.Cut(text, []byte{'\n'})
		if first = bytes.TrimSpace(first); len(first) > 0 && first[0] != '#' {
			break
		}
		text = rest
		line++
	}
	for _, u := range unread {
		if u.begins != nil && u.begins.Match(bytes.TrimLeft(text, " \t")) {
			saw := u.saw
			if u.want != wantLog {
				saw += ": " + parse.ShortenLine(text)
			}
			return &workload.InputError{File: name, Line: line, Saw: saw, Want: u.want}
		}
	}
	return nil
}
