package logtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/apache/arrow/go/v15/arrow"
)

// MadeUpWTA is a table of tasks with texts that repeat, nulls and unknowns.
func MadeUpWTA(seed uint64, n int) arrow.Record {
	rng := rand.New(rand.NewPCG(seed, 3))
	ids, submits, runs, users, types := make([]int64, n), make([]int64, n), make([]int64, n), make([]int32, n), make([]string, n)
	for i := range n {
		ids[i], submits[i], runs[i] = int64(i), int64(i)*1000, rng.Int64N(1e6)
		users[i] = rng.Int32N(20) - 1
		types[i] = fmt.Sprintf("type %d", int(rng.ExpFloat64()*5))
		if rng.IntN(10) == 0 {
			types[i] = "\x00"
		}
	}
	return Table("id", Int64s(ids...), "ts_submit", Int64s(submits...), "runtime", Int64s(runs...), "user_id", Int32s(users...), "type", Texts(types...))
}
