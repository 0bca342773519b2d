package gwf_test

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// simpleGrid is a log of the grid workload format as the simple parser reads
// it: numbers as fields, names as texts, "" where unknown.
type simpleGrid struct {
	header []string
	jobs   []simpleGridJob
	late   int            // comments after the first job
	left   map[string]int // values left out, by field
	thirty int            // jobs with 30 fields
	extra  int            // jobs with more
	texts  int            // jobs with a text for an id
}

type simpleGridJob struct {
	numbers [11]logtest.SimpleField
	names   [5]string
}

// simpleGWF reads the grid workload format in the plainest way, to compare
// with. It shares no code with the reader. The error's text is the line and
// the name of the field at fault, which is empty for a fault of the line.
func simpleGWF(text string) (log simpleGrid, err error) {
	log.left = map[string]int{}
	for n, line := range strings.Split(strings.TrimPrefix(text, "\xef\xbb\xbf"), "\n") {
		line = strings.TrimLeft(strings.TrimSuffix(line, "\r"), " \t")
		switch {
		case line == "":
		case line[0] == '#' && strings.Contains(line, "\x00"):
			return log, fmt.Errorf("%d ", n+1)
		case line[0] == '#' && len(log.jobs) > 0:
			log.late++
		case line[0] == '#':
			log.header = append(log.header, line[1:])
		default:
			job, fault := log.job(line)
			if fault != nil {
				return log, fmt.Errorf("%d %s", n+1, *fault)
			}
			log.jobs = append(log.jobs, job)
		}
	}
	if len(log.jobs) == 0 && len(log.header) == 0 {
		return log, workload.ErrNoJobs
	}
	return log, nil
}

var simpleGridFields = strings.Fields(`JobID SubmitTime WaitTime RunTime NProcs AverageCPUTimeUsed UsedMemory ReqNProcs ReqTime ReqMemory Status
	UserID GroupID ExecutableID QueueID PartitionID OrigSiteID LastRunSiteID JobStructure JobStructureParams UsedNetwork UsedLocalDiskSpace
	UsedResources ReqPlatform ReqNetwork ReqLocalDiskSpace ReqResources VOID ProjectID`)

// simpleGridNumbers are the columns of the first eleven fields.
var simpleGridNumbers = strings.Fields(`job_id submit_time_s wait_time_s run_time_s allocated_processors cpu_time_s used_memory_kb
	requested_processors requested_time_s requested_memory_kb status`)

func (log *simpleGrid) job(line string) (job simpleGridJob, fault *string) {
	none := ""
	var words []string
	if tabs := strings.Count(line, "\t"); tabs == 28 || tabs == 29 {
		for _, w := range strings.Split(line, "\t") {
			if words = append(words, strings.Trim(w, " ")); words[len(words)-1] == "" {
				words[len(words)-1] = "-1"
			}
		}
		if strings.HasSuffix(line, "\t") && len(words) == 30 {
			words = words[:29]
		}
	} else {
		words = strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		if len(words) > 29 && words[29][0] == '#' {
			words = words[:29]
		}
	}
	// Faults are those of the first field that has one.
	for i, w := range words {
		if strings.ContainsFunc(w, func(r rune) bool { return r < ' ' }) {
			return job, &none
		}
		if i >= 11 && i <= 14 && !utf8.ValidString(w) {
			column := strings.Fields("user_id group_id application_id queue_id")[i-11]
			return job, &column
		}
		if i >= len(job.numbers) || w == "-1" {
			continue
		}
		float := strings.HasSuffix(simpleGridNumbers[i], "_s") || strings.HasSuffix(simpleGridNumbers[i], "_kb")
		x, _ := strconv.ParseFloat(w, 64) // a text that is no number at all can name a job
		if _, ok := logtest.SimpleNumber(w, float); !ok && (i > 0 || math.IsInf(x, 0)) {
			return job, &simpleGridNumbers[i]
		}
	}
	if len(words) < 29 {
		return job, &none
	}
	site := ""
	for _, f := range []int{17, 16, 15} {
		if site == "" && words[f] != "-1" {
			site = words[f]
		}
	}
	if !utf8.ValidString(site) {
		column := "partition_id"
		return job, &column
	}
	for i := range job.numbers {
		float := strings.HasSuffix(simpleGridNumbers[i], "_s") || strings.HasSuffix(simpleGridNumbers[i], "_kb")
		f, ok := logtest.SimpleNumber(words[i], float)
		if job.numbers[i] = f; !ok {
			job.numbers[i] = logtest.SimpleField{Whole: int64(len(log.jobs) + 1)}
			log.texts++
		}
	}
	switch {
	case len(words) == 30:
		log.thirty++
		words = append(words[:18:18], words[19:]...)
	case len(words) > 30:
		log.extra++
	}
	copy(job.names[:4], words[11:15])
	job.names[4] = site
	for i, w := range words[:29] {
		if i >= 18 && w != "-1" || (i == 15 || i == 16) && w != "-1" && w != job.names[4] {
			log.left[simpleGridFields[i]]++
		}
	}
	for i, name := range job.names {
		if name == "-1" {
			job.names[i] = ""
		}
	}
	return job, nil
}

// readGrid reads a log to its end and puts the names back in the numbers'
// place.
func readGrid(l *workload.Log) (jobs []simpleGridJob, err error) {
	keys := []string{"User", "Group", "Application", "Queue", "Partition"}
	lines := len(l.Header.Lines)
	type numbered struct {
		simpleGridJob
		numbers [5]int64
	}
	var all []numbered
	for rec, err := range l.Batches() {
		if err != nil {
			return nil, err
		}
		v := workload.NewView(rec)
		for i, fields := range logtest.RecordFields(rec) {
			if v.Int(workload.ColPrecedingJob, i) != workload.Unknown || v.Float(workload.ColThinkTime, i) == v.Float(workload.ColThinkTime, i) {
				return nil, errors.New("a preceding job")
			}
			var j numbered
			copy(j.simpleGridJob.numbers[:], fields[:11])
			for k := range j.numbers {
				j.numbers[k] = v.Int(workload.ColUser+k, i)
			}
			all = append(all, j)
		}
	}
	names := map[string]string{} // "User 3" to "alice"
	for _, line := range l.Header.Lines[lines:] {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		number, name, _ := strings.Cut(rest, " ")
		names[key+" "+number] = name
	}
	seen := [5]int64{}
	for _, j := range all {
		for k, n := range j.numbers {
			if n == workload.Unknown {
				continue
			}
			name, ok := names[keys[k]+" "+strconv.FormatInt(n, 10)]
			if !ok || n > seen[k]+1 {
				return nil, fmt.Errorf("%s %d (%q) after %d others", keys[k], n, name, seen[k])
			}
			seen[k] = max(seen[k], n)
			j.names[k] = name
		}
		jobs = append(jobs, j.simpleGridJob)
	}
	return jobs, nil
}

// differGrid describes the first difference of two logs, or is empty.
func differGrid(got, want []simpleGridJob) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d jobs, want %d", len(got), len(want))
	}
	for i := range got {
		for f := range got[i].numbers {
			if !logtest.SameField(got[i].numbers[f], want[i].numbers[f]) {
				return fmt.Sprintf("row %d %s: got %v, want %v", i, simpleGridNumbers[f], got[i].numbers[f], want[i].numbers[f])
			}
		}
		if got[i].names != want[i].names {
			return fmt.Sprintf("row %d: names %q, want %q", i, got[i].names, want[i].names)
		}
	}
	return ""
}
