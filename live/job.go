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
	Schema      string       `json:"schema"`
	State       Moment       `json:"state"`
	Job         Job          `json:"job"`
	Given       *time.Time   `json:"given" help:"When the bounds were given. They are of the wait from the submission."`
	Predictions []Prediction `json:"predictions" help:"The bounds that were given, with the recommended predictor first."`
	Withheld    *Withheld    `json:"withheld" help:"Why nothing can be predicted for the pending job now; null if something can. Bounds that were given before are no promise then."`
	Forecast    *Forecast    `json:"forecast" help:"Expected starts at the first poll at which the pending job could start; null if there was none."`
}

// Job is the current state of a job.
type Job struct {
	ID        int64        `json:"id" help:"The scheduler's number of the job."`
	Label     string       `json:"label" help:"The scheduler's name of the job, such as 123_4."`
	State     string       `json:"state" help:"Pending, held or running."`
	Size      int64        `json:"size" help:"Processors."`
	Time      stats.Number `json:"time_s" help:"Requested time in seconds."`
	Partition string       `json:"partition,omitempty"`
	User      string       `json:"user,omitempty" help:"Only where the service shows users."`
	Submitted time.Time    `json:"submitted"`
	Started   *time.Time   `json:"started"`
	Waited    stats.Number `json:"waited_s" help:"The wait so far, or until the start, in seconds."`
	Place     int          `json:"place,omitempty" help:"The place among pending jobs of its partition, from 1."`
	Of        int          `json:"place_of,omitempty" help:"The number of pending jobs in its partition."`
	Reason    string       `json:"reason,omitempty" help:"Why the scheduler does not start it."`
	Expected  *time.Time   `json:"expected_start" help:"By the latest simulated schedules; null if the job cannot start now, or the state is too old."`
	Own       *time.Time   `json:"scheduler_own_start" help:"The scheduler's own forecast at the latest poll."`
}

// Forecast contains two forecasts of one start: ours and the scheduler's.
type Forecast struct {
	At     time.Time  `json:"at" help:"When they were given."`
	Ours   *time.Time `json:"expected_start" help:"By simulated schedules."`
	Theirs *time.Time `json:"scheduler_own_start" help:"The scheduler's own; null if it had none."`
}

// JobsSchema names the JSON form of Jobs and its version.
const JobsSchema = "loadstone.live-jobs/1"

// Jobs is the present queue.
type Jobs struct {
	Schema     string      `json:"schema"`
	State      Moment      `json:"state"`
	Partitions []Partition `json:"partitions"`
	Jobs       []Job       `json:"jobs"`
	More       int         `json:"more" help:"Further jobs that the question chooses, beyond its limit."`
}

// Partition is the current state of a partition.
type Partition struct {
	Name        string               `json:"name"`
	State       watch.PartitionState `json:"state" help:"Slurm's: up, down (it starts no jobs), drain (it accepts none) or inactive (neither)."`
	Processors  int64                `json:"processors" help:"Processors that can be had."`
	Unavailable watch.Unavailable    `json:"unavailable_processors"`
	MaxSize     int64                `json:"max_size,omitempty" help:"The largest job, in processors."`
	MaxTime     stats.Number         `json:"max_time_s" help:"The longest time limit."`
	Running     int                  `json:"running"`
	Pending     int                  `json:"pending"`
}

// JobsQuestion selects jobs of the queue.
type JobsQuestion struct {
	IDs       []int64 `opt:"ids" in:"[0,)" most:"200" help:"numbers of jobs, separated by commas; all if absent"`
	Partition string  `opt:"partition" help:"name of the partition; all of them if absent"`
	State     string  `opt:"state" help:"state of the jobs; all if absent"`
	User      string  `opt:"user" help:"name of the user, where the service shows users"`
	Limit     int     `opt:"limit" in:"[1,10000]" usual:"100" help:"at most so many jobs"` // 0: no limit
}

// Choices are the states of jobs that can be asked for.
func (JobsQuestion) Choices(option string) []string {
	if option == "state" {
		return []string{"pending", "held", "running"}
	}
	return nil
}
