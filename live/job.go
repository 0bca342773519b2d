package live

import (
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/stats"
)

// JobSchema names the JSON form of a JobAnswer and its version.
const JobSchema = "loadstone.live-job/1"

// JobAnswer contains the answers about a job that waits, runs or started
// recently.
type JobAnswer struct {
	Schema string `json:"schema"`
	State  Moment `json:"state"`
	Job    Job    `json:"job"`
	// Given is the time at which the bounds were given; they are for the wait
	// from the submission on.
	Given       *time.Time   `json:"given"`
	Predictions []Prediction `json:"predictions"`
	// Withheld is why nothing can be predicted for the pending job now; null if
	// something can. Bounds that were given before are no promise then.
	Withheld *Withheld `json:"withheld"`
	// Forecast are expected starts, ours and the scheduler's own, at the first poll at
	// which the pending job could start; null if there was none.
	Forecast *Forecast `json:"forecast"`
}

// Job is the current state of a job.
type Job struct {
	ID        int64        `json:"id"`
	Label     string       `json:"label"` // the scheduler's own, such as 123_4
	State     string       `json:"state"` // pending, held, running or ended
	Size      int64        `json:"size"`
	Time      stats.Number `json:"time_s"`
	Partition string       `json:"partition,omitempty"`
	User      string       `json:"user,omitempty"` // only where users may be shown
	Submitted time.Time    `json:"submitted"`
	Started   *time.Time   `json:"started"`
	Waited    stats.Number `json:"waited_s"` // so far, or until its start
	// Place is the place among pending jobs of its partition, from 1; 0 unless it is pending.
	Place    int        `json:"place,omitempty"`
	Of       int        `json:"place_of,omitempty"`
	Reason   string     `json:"reason,omitempty"`    // why the scheduler does not start it
	Expected *time.Time `json:"expected_start"`      // by the latest plan; null if the job cannot start now
	Own      *time.Time `json:"scheduler_own_start"` // by the scheduler, at the latest poll
}

// Forecast contains two forecasts of one start: ours and the scheduler's.
type Forecast struct {
	At     time.Time  `json:"at"`
	Ours   *time.Time `json:"expected_start"`
	Theirs *time.Time `json:"scheduler_own_start"`
}

// JobsSchema names the JSON form of Jobs and its version.
const JobsSchema = "loadstone.live-jobs/1"

// Jobs is the present queue.
type Jobs struct {
	Schema     string      `json:"schema"`
	State      Moment      `json:"state"`
	Partitions []Partition `json:"partitions"`
	Jobs       []Job       `json:"jobs"`
	More       int         `json:"more"` // jobs beyond the limit of the question
}

// Partition is the current state of a partition.
type Partition struct {
	Name string `json:"name"`
	// State is up, down, drain or inactive, as Slurm has it. A partition that is down
	// starts no jobs, one that drains accepts none, and an inactive one does neither.
	State       watch.PartitionState `json:"state"`
	Processors  int64                `json:"processors"` // available to jobs
	Unavailable watch.Unavailable    `json:"unavailable_processors"`
	MaxSize     int64                `json:"max_size,omitempty"`
	MaxTime     stats.Number         `json:"max_time_s"`
	Running     int                  `json:"running"`
	Pending     int                  `json:"pending"`
}

// JobsQuestion selects jobs of the queue.
type JobsQuestion struct {
	IDs       []int64 // none: all
	User      string
	Partition string
	State     string // pending, held or running; "": all
	Limit     int    // at most so many; 0: no limit
}
