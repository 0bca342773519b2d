package reshape

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	cycleWeek = 7 * 86400 // s
	cycleSlot = 1800      // s
	// maxFactor bounds how many copies a log may be made into.
	maxFactor = 1000
)

// Replicate adds copies of a log's users, so that its load grows by a factor of 1 or more:
// factor 2.3 makes one copy of every job and another copy of those that a draw takes, which
// have 0.3 of the work.
//
// Each user of a copy is a new user, with a number above the largest in the log, and does
// what the original does, moved by a whole number of weeks in local time: at the same
// second of the same weekday, and in the same order. For this the log is closed to a ring:
// a job that moves beyond the last submission comes back in the first week that has its
// second of the week within the log. The first and the last submission therefore stay the
// same, and a complete copy has exactly the log's distribution over the seconds of the
// week. Each copy of a user is moved by another number of weeks. If there are no weeks left
// (a log of less than two weeks, or more copies than weeks), each time is drawn at random
// within its half hour, which keeps the cycle but not the order.
//
// Jobs are yielded by submission; those of the log are unchanged. Copies have new job
// numbers, above the largest in the log, and no preceding job, since its copy may come
// after them. Jobs without a submission time come last and are not copied.
//
// Memory is 16 bytes for each job and each copy, at most 268 million together
// (CheckReplicas); the log itself is kept in a temporary file (workload.JobFile). The
// result can be read once.
func Replicate(jobs workload.JobSeq, factor float64, clock workload.Clock, rng *rand.Rand) (workload.JobSeq, error) {
	if err := checkFactor(factor); err != nil {
		return nil, err
	}
	r := &replica{clock: clock, load: NewLoad()}
	if err := r.prepare(jobs, factor, rng); err != nil {
		r.held.Close()
		return nil, err
	}
	return r.jobs, nil
}

func checkFactor(factor float64) error {
	if !(factor >= 1 && factor <= maxFactor) {
		return fmt.Errorf("replication makes loads 1 to %d times as high, not %.4g times: use thin or interarrival", maxFactor, factor)
	}
	return nil
}

// mostReplicas is how many jobs and copies of them there are at most: their places
// take 4 GB then.
const mostReplicas = 1 << 28

// CheckReplicas returns an error if factor is out of range for Replicate, or would give too
// many copies of a log of that many jobs.
func CheckReplicas(jobs int64, factor float64) error {
	if err := checkFactor(factor); err != nil {
		return err
	}
	if made := float64(jobs) * factor; made > mostReplicas {
		return fmt.Errorf("a log of %d jobs made into %.4g jobs, want at most %d: a lower load, a part of the log, or method interarrival, which holds none of them", jobs, made, mostReplicas)
	}
	return nil
}

// prepare reads the jobs and finds the places of all copies.
func (r *replica) prepare(jobs workload.JobSeq, factor float64, rng *rand.Rand) error {
	for j, err := range r.load.Through(jobs) {
		if err == nil {
			err = CheckReplicas(r.load.Jobs, factor)
		}
		if err == nil {
			err = r.hold(&j)
		}
		if err != nil {
			return err
		}
	}
	if r.lastID > math.MaxInt64/2 || r.lastUser > math.MaxInt64/2 {
		return fmt.Errorf("job %d or user %d leaves no numbers for copies", r.lastID, r.lastUser)
	}
	return r.copy(factor, rng)
}

// replica is a log and its copies.
type replica struct {
	clock    workload.Clock
	load     *Load
	held     workload.JobFile
	lastID   int64
	lastUser int64
	places   []place
	users    map[copied]int64
}

// place is where a job, or a copy of one, stands in time.
type place struct {
	submit float64
	row    int32 // in held
	copy   int32 // 0 is the job itself
}

// copied is a user of a copy.
type copied struct {
	user int64
	copy int32
}

func (r *replica) hold(j *workload.Job) error {
	r.lastID = max(r.lastID, j.ID)
	r.lastUser = max(r.lastUser, j.User)
	return r.held.Append(j)
}

// local is a moment in the site's wall clock, in seconds: moments of one time
// of day are a multiple of a day apart, and half hours begin at multiples of
// theirs.
func (r *replica) local(t float64) float64 {
	_, offset := r.clock.At(t).Zone()
	return t + float64(r.clock.Start.Unix()+int64(offset))
}

// moment is the inverse of local; at the hour that a summer's end repeats it
// is one of the two, and the hour that its begin skips is taken an hour on.
func (r *replica) moment(local float64) float64 {
	t := local - float64(r.clock.Start.Unix())
	_, offset := r.clock.At(t).Zone()
	_, offset = r.clock.At(t - float64(offset)).Zone()
	return t - float64(offset)
}

// copy finds the places of all jobs and copies.
func (r *replica) copy(factor float64, rng *rand.Rand) error {
	n := r.held.Len()
	r.places = make([]place, 0, int(1.01*factor*float64(n))+16)
	for row := range n {
		j, err := r.held.At(row)
		if err != nil {
			return err
		}
		r.places = append(r.places, place{j.Submit, int32(row), 0})
	}
	first, last := r.local(r.load.First), r.local(r.load.Last)
	ring := ring{first: first, last: last, whole: r.load.Whole}
	moves := map[int64]int{} // of each user, of its first copy
	r.users = map[copied]int64{}
	copies := int32(math.Ceil(factor - 1))
	for c := int32(1); c <= copies; c++ {
		share := min(1, factor-float64(c))
		picks := rand.NewPCG(rng.Uint64(), uint64(c))
		if share < 1 {
			of, again := &shares{}, *picks
			draw := rand.New(&again)
			for row := range n {
				j, err := r.held.At(row)
				if err != nil {
					return err
				}
				if u := draw.Float64(); !math.IsNaN(j.Submit) {
					of.add(u, j)
				}
			}
			share = of.below(share)
		}
		pick := rand.New(picks)
		for row := range n {
			j, err := r.held.At(row)
			if err != nil {
				return err
			}
			if left := share < 1 && pick.Float64() >= share; left || math.IsNaN(j.Submit) {
				continue
			}
			move, ok := moves[j.User]
			if !ok && ring.weeks() > 1 {
				move = rng.IntN(ring.weeks() - 1)
			}
			moves[j.User] = move
			t := ring.place(r.local(j.Submit), move, int(c-1), rng)
			r.places = append(r.places, place{r.moment(t), int32(row), c})
			if who := (copied{j.User, c}); j.User != workload.Unknown && r.users[who] == 0 {
				r.users[who] = r.lastUser + int64(len(r.users)) + 1
			}
		}
	}
	slices.SortFunc(r.places, func(a, b place) int {
		if x, y := math.IsNaN(a.submit), math.IsNaN(b.submit); x || y {
			return cmp.Or(boolCompare(x, y), cmp.Compare(a.row, b.row))
		}
		return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(a.copy, b.copy), cmp.Compare(a.row, b.row))
	})
	return nil
}

// boolCompare puts false first.
func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// jobs yields jobs and copies by submission, once.
func (r *replica) jobs(yield func(workload.Job, error) bool) {
	defer r.held.Close()
	id := r.lastID
	for row, p := range r.places {
		held, err := r.held.At(int64(p.row))
		if err != nil {
			yield(workload.Job{}, err)
			return
		}
		j := *held
		j.Row = int64(row)
		if p.copy > 0 {
			id++
			j.ID = id
			j.MoveTo(p.submit)
			j.Preceding, j.Think = workload.Unknown, math.NaN()
			if j.User != workload.Unknown {
				j.User = r.users[copied{j.User, p.copy}]
			}
		}
		if !yield(j, nil) {
			return
		}
	}
}

// ring is a log's span, from its first to its last submission, as a ring of
// weeks; in local time.
type ring struct {
	first, last float64
	whole       bool // times are whole seconds
}

// weeks is how many weeks the span has, the last of which may be in part.
func (g ring) weeks() int { return int((g.last-g.first)/cycleWeek) + 1 }

// place moves a time by whole weeks, differently for each copy from 0 on and
// for each move, both of which count within weeks-1; where that has been used
// up, the time is drawn anew within its half hour.
func (g ring) place(t float64, move, copy int, rng *rand.Rand) float64 {
	at := math.Floor((t - g.first) / cycleWeek)
	phase := t - at*cycleWeek // in the first week
	// This second of the week occurs n times within the span.
	n := int(math.Floor((g.last-phase)/cycleWeek)) + 1
	if n > 1 {
		// Never by 0 weeks, which would repeat the job at its own second.
		by := 1 + (move+copy)%(n-1)
		t = phase + float64((int(at)+by)%n)*cycleWeek
	}
	if copy >= n-1 {
		from := math.Floor(t/cycleSlot) * cycleSlot
		from, to := max(from, g.first), min(from+cycleSlot, g.last)
		t = from + rng.Float64()*max(0, to-from)
		if g.whole {
			t = math.Floor(t)
		}
	}
	return t
}
