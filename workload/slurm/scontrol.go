package slurm

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// openScontrol sets the source to the output of scontrol show job.
func (r *reader) openScontrol(text io.Reader, size int) {
	lines := parse.NewLines(r.name, text, size, r.buffers())
	lines.Cut = func(text []byte) int { return bytes.LastIndex(text, []byte("\nJobId=")) + 1 }
	r.source, r.layout = &textLines{r, lines, (*parser).scontrolJob}, newLayout(true, "scontrol")
}

// scontrolJob reads one job, up to the next one.
func (p *parser) scontrolJob(line, text []byte) (length int, err error) {
	at := p.batch.lines + 1
	switch line = bytes.TrimSpace(line); {
	case len(line) == 0, bytes.HasPrefix(line, []byte(noJobs)):
		return 0, nil
	case !bytes.HasPrefix(line, []byte("JobId=")):
		return 0, &workload.InputError{File: p.name, Line: at, Saw: parse.ShortenLine(line), Want: "a job, which begins with JobId="}
	}
	p.record = record{}
	for next := range bytes.Lines(text) {
		pairs := bytes.TrimSpace(next)
		if length > 0 && bytes.HasPrefix(pairs, []byte("JobId=")) {
			break
		}
		p.scontrolPairs(pairs)
		length += len(next)
	}
	if !parse.IsDigits(p.ArrayTask) { // it stands for all tasks that wait
		p.ArrayTask, p.ArrayTasks = nil, p.ArrayTask
	}
	p.JobID = p.taskID()
	p.User, p.Group = withoutNumber(p.User), withoutNumber(p.Group)
	// scontrol prints Slurm's sentences with underscores instead of blanks.
	p.Reason = bytes.ReplaceAll(p.Reason, []byte{'_'}, []byte{' '})
	if len(p.ReqTRES) == 0 && len(p.AllocTRES) == 0 {
		if p.AllocTRES = p.TRES; parseState(p.State).waits() {
			p.ReqTRES = p.TRES
		}
	}
	p.saw = func(value []byte) string { return fmt.Sprintf("%s in job %s", workload.Shorten(value), p.JobID) }
	p.queueRecord(at)
	return length, nil
}

// scontrolPairs sets fields from the "key=value" pairs of a line. Of the values that are used,
// only a job's name can contain blanks: it ends at the end of the line or, with -o, before
// UserId. If a key occurs twice, the first one counts: comments and commands, which may look
// like pairs, come later.
func (p *parser) scontrolPairs(line []byte) {
	before, name, named := bytes.Cut(line, []byte("JobName="))
	var after []byte
	for _, next := range []string{" HetJobIdSet=", " UserId="} {
		if at := bytes.Index(name, []byte(next)); at >= 0 && after == nil {
			name, after = name[:at], name[at:]
		}
	}
	if named && p.JobName == nil {
		p.JobName = name
	}
	for _, pair := range slices.Concat(bytes.Fields(before), bytes.Fields(after)) {
		key, value, _ := bytes.Cut(pair, []byte{'='})
		if i, ok := scontrolFields[string(key)]; ok && *p.at[i] == nil {
			*p.at[i] = value
		}
	}
}

// withoutNumber returns a name without the number that Slurm appends in parentheses:
// "alice(1001)".
func withoutNumber(name []byte) []byte {
	if i := bytes.LastIndexByte(name, '('); i > 0 && bytes.HasSuffix(name, []byte{')'}) {
		return name[:i]
	}
	return name
}
