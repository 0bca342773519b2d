package slurm

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// cause is an index in reasons: what a waiting job waits for, in terms that users understand.
type cause uint8

const (
	causeNone  cause = iota
	causeQueue       // in accounting, which does not distinguish the next two
	causePriority
	causeResources // the last one for which isQueue is true
	causeLimits
	causeDependency
	causeHeld
	causeOther
	causeUnknown
)

// reasons lists Slurm's reasons by cause; an asterisk stands for any text. "Job Reason Codes",
// https://slurm.schedmd.com/job_reason_codes.html, and src/common/job_state_reason.c of Slurm
// 24.11. The lines of causeOther are: properties of the job, other resources, unavailable nodes,
// and failures.
var reasons = [...]struct {
	name  string
	words string
}{
	causeNone:      {"None", "null,None,Prolog"},
	causeQueue:     {"Priority or Resources", ""},
	causePriority:  {"Priority", "Priority"},
	causeResources: {"Resources", "Resources,Nodes required for job are*"}, // the second if nodes are down
	causeLimits: {"limits of associations and QOS",
		"AccountNotAllowed,AccountingPolicy,Assoc*,InvalidAccount,InvalidQOS,Max*PerAccount,MaxMemPerLimit,QOS*"},
	causeDependency: {"Dependency", "Dependency*"},
	causeHeld:       {"held", "JobHeld*,JobHoldMaxRequeue"},
	causeOther: {"other", `JobArrayTaskLimit,BeginTime,DeadLine,Cleaning
BurstBuffer*,FedJobLock,Licenses,Power*,Reservation*
BadConstraints,Constraints,FrontEndDown,NodeDown,Partition*,ReqNodeNotAvail
InactiveLimit,JobLaunchFailure,NonZeroExitCode,OutOfMemory,RaisedSignal,SchedDefer,SystemFailure,TimeLimit`},
	causeUnknown: {"unknown", ""},
}

// isQueue reports whether a job waits for processors or for jobs of higher priority. Any other
// waiting job has no place in the queue.
func (c cause) isQueue() bool { return c <= causeResources }

// causeOf returns the cause for a text under REASON or NODELIST(REASON). Slurm appends details
// to some reasons ("ReqNodeNotAvail, UnavailableNodes:n7"), and describes requeued jobs that are
// held in a sentence.
func causeOf(text string) cause {
	text = strings.Trim(text, "() ")
	word := reasonWord(text)
	for i := range reasons {
		for _, r := range strings.FieldsFunc(reasons[i].words, func(r rune) bool { return r == ',' || r == '\n' }) {
			before, after, family := strings.Cut(r, "*")
			if word == r || family && strings.HasPrefix(text, before) && strings.HasSuffix(word, after) {
				return cause(i)
			}
		}
	}
	switch {
	case word == "":
		return causeNone
	case slices.Contains(strings.Fields(text), "held"):
		return causeHeld
	}
	return causeUnknown
}

// pendingTimes holds the number of jobs and the time that they waited, by cause.
type pendingTimes [len(reasons)]workload.Pending

func (t *pendingTimes) add(c cause, seconds float64) {
	if seconds > 0 {
		t[c].Jobs++
		t[c].Seconds += seconds
	}
}

// started adds a job that has started. Accounting keeps the last of a job's reasons other than
// Priority and Resources (man page sacct(1), "Reason"): None stands for these two. A job became
// eligible once it was not held and did not have to wait for another job to end.
func (t *pendingTimes) started(r *row, c cause) {
	early := max(0, min(r.Eligible-r.Submit, r.Wait))
	switch {
	case c.isQueue():
		t.add(causeQueue, r.Wait)
	case (c == causeDependency || c == causeHeld) && !math.IsNaN(early):
		t.add(c, early)
		t.add(causeQueue, r.Wait-early)
	default:
		t.add(c, r.Wait)
	}
}

// list returns the times of the causes that some job has.
func (t *pendingTimes) list() (all []workload.Pending) {
	for c, p := range t {
		if p.Reason = reasons[c].name; p.Jobs > 0 {
			all = append(all, p)
		}
	}
	return all
}

// reasonWord returns a reason without its details.
func reasonWord(text string) string {
	text = strings.Trim(text, "() ")
	if i := strings.IndexAny(text, ",:("); i >= 0 {
		text = text[:i]
	}
	if word, _, words := strings.Cut(text, " "); words && strings.HasPrefix(word, "Reservation") {
		return word // "Reservation NAME was deleted"
	}
	return text
}

// reasonCounts counts jobs by reason.
type reasonCounts struct {
	jobs  int64
	first int64 // line of the first job
	by    map[string]int64
}

func (c *reasonCounts) add(line int64, reason string, jobs int) {
	if c.by == nil {
		c.by, c.first = map[string]int64{}, line
	}
	c.jobs += int64(jobs)
	c.by[reasonWord(reason)] += int64(jobs)
}

// warn counts the jobs under a rule and lists the reasons by name.
func (c *reasonCounts) warn(w *workload.Warnings, rule, text string) {
	if c.jobs == 0 {
		return
	}
	other := func(r rune) bool { return (r|0x20 < 'a' || r|0x20 > 'z') && r != '_' }
	var list []string
	for reason, jobs := range c.by {
		if strings.ContainsFunc(reason, other) { // not a plain word
			reason = workload.Shorten([]byte(reason))
		}
		list = append(list, fmt.Sprintf("%s %d", reason, jobs))
	}
	slices.Sort(list)
	w.Count(workload.Warning{Rule: rule, Text: text, Count: c.jobs, Line: c.first, Saw: parse.ListShort(list, 5)})
}
