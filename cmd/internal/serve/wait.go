package serve

import (
	"math"
	"net/http"

	"github.com/loadstone-hpc/loadstone/live"
)

// wait answers one request of which the query tells.
func (s *Server) wait(_ http.ResponseWriter, r *http.Request, q *query) (any, error) {
	question := q.question()
	question.Time = q.seconds(q.either("time", "time_s"))
	question.Size = q.integer("size", 1, math.MaxInt64, 0)
	if question.Size == 0 {
		q.fail("size", "missing, want %s", wholeNumbers(1, math.MaxInt64))
	}
	if q.fault != nil {
		return nil, q.fault
	}
	return s.service.Wait(r.Context(), question)
}

// question reads what does not depend on the size.
func (q *query) question() live.Question {
	return live.Question{
		Memory:    q.kilobytes(q.either("memory", "memory_per_processor_kb")),
		Partition: q.text("partition"),
		Queue:     q.text("queue"),
		User:      q.text("user"),
		Account:   q.text("account"),
	}
}
