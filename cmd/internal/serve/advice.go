package serve

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/live"
)

// mostCandidates is how many sizes, and how many limits, are compared.
const mostCandidates = 64

// advice compares sizes and time limits.
func (s *Server) advice(_ http.ResponseWriter, r *http.Request, q *query) (any, error) {
	question := live.AdviceQuestion{Question: q.question(), RunTimes: map[int64]float64{}}
	q.list("run_times", mostCandidates, func(pair string) error { return readRunTime(question.RunTimes, pair) })
	question.Spread = q.number("spread", "a factor of 1 or more")
	q.list("limits", mostCandidates, func(text string) error {
		x, err := opt.Seconds(text)
		if err != nil || !(x > 0) || math.IsInf(x, 1) {
			return fmt.Errorf("saw %s, want %s, separated by commas", shown(text), wantSeconds)
		}
		question.Limits = append(question.Limits, x)
		return nil
	})
	if len(question.RunTimes) == 0 {
		q.fail("run_times", "missing, want pairs such as 1:7200,4:2400")
	}
	if q.fault != nil {
		return nil, q.fault
	}
	return s.service.Advice(r.Context(), question)
}

// readRunTime reads SIZE:TIME.
func readRunTime(all map[int64]float64, pair string) error {
	left, right, _ := strings.Cut(pair, ":")
	size, err := strconv.ParseInt(left, 10, 64)
	if err != nil || size < 1 {
		return fmt.Errorf("saw %s, want a size and a run time, such as 4:2400", shown(pair))
	}
	x, err := opt.Seconds(right)
	if err != nil || !(x > 0) || math.IsInf(x, 1) {
		return fmt.Errorf("saw %s, want %s after the size", shown(pair), wantSeconds)
	}
	if _, ok := all[size]; ok {
		return fmt.Errorf("size %d is given twice", size)
	}
	all[size] = x
	return nil
}
