package serve

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/live"
)

const (
	usualJobs = 100    // in an answer that gives no limit
	mostJobs  = 10_000 // in an answer
	mostIDs   = 200
)

var jobStates = []string{"pending", "held", "running"}

// jobs answers what waits and runs.
func (s *Server) jobs(_ http.ResponseWriter, r *http.Request, q *query) (any, error) {
	question := live.JobsQuestion{
		User:      q.text("user"),
		Partition: q.text("partition"),
		State:     q.text("state"),
		Limit:     int(q.integer("limit", 1, mostJobs, usualJobs)),
	}
	if question.State != "" && !slices.Contains(jobStates, question.State) {
		q.fail("state", "saw %s, want pending, held or running", shown(question.State))
	}
	q.list("ids", mostIDs, func(part string) error {
		id, err := strconv.ParseInt(part, 10, 64)
		if err != nil || id < 0 {
			return fmt.Errorf("saw %s, want job numbers separated by commas", shown(part))
		}
		question.IDs = append(question.IDs, id)
		return nil
	})
	if q.fault != nil {
		return nil, q.fault
	}
	return s.service.Jobs(r.Context(), question)
}

// job answers about one job, by its number or Slurm's name of a task of an array.
func (s *Server) job(_ http.ResponseWriter, r *http.Request, _ *query) (any, error) {
	label := r.PathValue("id")
	if !jobLabel.MatchString(label) {
		return nil, parameterFault("id", "saw %s, want a job number, such as 123 or 123_4", shown(label))
	}
	return s.service.Job(r.Context(), label)
}

// jobLabel is a number, a task of an array, such as 123_4, or a component of a
// heterogeneous job, such as 123+1.
var jobLabel = regexp.MustCompile(`^[0-9]{1,19}([_+][0-9]{1,19})?$`)
