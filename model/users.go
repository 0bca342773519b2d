package model

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Users is a population that submits the jobs of all classes, so that
// predictors that learn from a user's past have something to learn. It is the
// project's own extension, off in every published model, and zero where there
// is none.
//
// User k of Count submits a share of the jobs (of the sessions, where there
// are some) in proportion to k^-Exponent, and uses application i of
// Applications in proportion to i^-Exponent. Every application of a user has
// a stretch of the quantiles of the sizes and one of the run times, as wide as
// its share, and its jobs lie in them. The stretches cover all quantiles once,
// so that the laws of sizes and run times over all jobs remain the model's.
type Users struct {
	Count        int64   // 1 to MaxUsers
	Exponent     float64 // of Zipf's law, 0 (all alike) to MaxExponent
	Applications int64   // of each user, 1 to MaxApplications
	Sessions     Sessions
}

// Sessions make a submission followed by others of the same user and
// application: the next one comes a think time after the end of the one
// before, as if that had not waited. Interarrival times of sessions are longer
// by the mean number of their jobs, so that the mean rate of jobs stays. The
// daily cycle is that of the sessions' beginnings. It is zero where there are
// no sessions.
type Sessions struct {
	Again float64  // the probability that another job follows, above 0 and below 1
	Think dist.Law // s, from the end of a job to the submission that follows
	Max   float64  // s, where Think is cut; 0 for no cut
}

const (
	MaxUsers        = 100_000
	MaxApplications = 1000
	MaxExponent     = 10
	maxPreferences  = 1_000_000 // users times applications: some 200 MB in the generator
	maxAgain        = 0.999
)

// Known says whether there are users.
func (u Users) Known() bool { return u.Count != 0 }

// Known says whether there are sessions.
func (s Sessions) Known() bool { return s.Think != nil }

// MeanJobs is the mean number of jobs of a session, 1 where there are none.
func (s Sessions) MeanJobs() float64 {
	if !s.Known() {
		return 1
	}
	return 1 / (1 - s.Again)
}

func (u Users) validate(path string, classes []Class) error {
	if !u.Known() {
		if u != (Users{}) {
			return &FieldError{Path: path + ".count", Saw: "0", Want: fmt.Sprintf("a whole number from 1 to %d", MaxUsers)}
		}
		return nil
	}
	switch {
	case u.Count < 1 || u.Count > MaxUsers:
		return &FieldError{Path: path + ".count", Saw: fmt.Sprint(u.Count), Want: fmt.Sprintf("a whole number from 1 to %d", MaxUsers)}
	case u.Applications < 1 || u.Applications > MaxApplications:
		return &FieldError{Path: path + ".applications", Saw: fmt.Sprint(u.Applications), Want: fmt.Sprintf("a whole number from 1 to %d", MaxApplications)}
	case u.Count*u.Applications > maxPreferences:
		return &FieldError{Path: path + ".applications", Saw: fmt.Sprintf("%d of each of %d users", u.Applications, u.Count), Want: fmt.Sprintf("at most %d together", maxPreferences)}
	}
	if err := within(path+".exponent", u.Exponent, 0, MaxExponent); err != nil {
		return err
	}
	for i, c := range classes {
		switch {
		case c.Column == "user_id" || c.Column == "application_id":
			return &FieldError{Path: fmt.Sprintf("classes[%d].column", i), Saw: shorten(c.Column), Want: "another column: users have their own"}
		case c.Malleable.Known():
			return &FieldError{Path: path, Saw: fmt.Sprintf("users, but class %s is malleable", c.Name), Want: "classes with sizes and run times"}
		}
	}
	if !u.Sessions.Known() {
		if u.Sessions != (Sessions{}) {
			return &FieldError{Path: path + ".sessions.think", Saw: "missing", Want: "a law"}
		}
		return nil
	}
	if err := positiveLaw(path+".sessions", "think", "max_s", u.Sessions.Think, u.Sessions.Max); err != nil {
		return err
	}
	if !(u.Sessions.Again > 0 && u.Sessions.Again <= maxAgain) {
		return &FieldError{Path: path + ".sessions.again", Saw: number(u.Sessions.Again), Want: fmt.Sprintf("a number above 0, at most %g", maxAgain)}
	}
	return nil
}
