package model

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Users is a population that submits the jobs of all classes, so that
// predictors that learn from a user's past have something to learn. It is the
// project's own extension, off in every published model.
//
// User k of Count submits a share of the jobs (of the sessions, where there are
// some) in proportion to k^-Exponent, and uses application i of Applications in
// proportion to i^-Exponent. Every application of a user has a range of
// quantiles of sizes and one of run times, as wide as its share, within which
// its jobs lie. The ranges cover all quantiles once, so the laws of sizes and
// run times over all jobs remain those of the model.
type Users struct {
	Count        int64     // 1 to MaxUsers
	Exponent     float64   // of Zipf's law, 0 (all alike) to MaxExponent
	Applications int64     // of each user, 1 to MaxApplications
	Sessions     *Sessions // optional
}

// Sessions make further jobs of the same user and application follow a
// submission: each is submitted a think time after the end of the one before,
// as if that had not waited. Interarrival times of sessions are longer by the
// mean number of their jobs, so that the mean rate of jobs stays. The daily
// cycle is that of the sessions' beginnings.
type Sessions struct {
	Again float64  // the probability that another job follows, above 0 and below 1
	Think dist.Law // s, from the end of a job to the submission that follows
	Max   float64  // s, where Think is cut; 0 for no cut
}

const (
	MaxUsers        = 100_000   // users of a site
	MaxApplications = 1000      // applications of a user
	MaxExponent     = 10        // exponent of a Zipf law
	maxPreferences  = 1_000_000 // users times applications: some 200 MB in the generator
	maxAgain        = 0.999
)

// Sessions returns the sessions of the site's users, nil if there are none.
func (s Site) Sessions() *Sessions {
	if s.Users == nil {
		return nil
	}
	return s.Users.Sessions
}

// SessionJobs returns the mean number of jobs in a session of the site's users,
// 1 if there are no sessions.
func (s Site) SessionJobs() float64 {
	if sessions := s.Sessions(); sessions != nil {
		return 1 / (1 - sessions.Again)
	}
	return 1
}

func (u *Users) visit(f *form, classes []Class) {
	f.integer("count", &u.Count, 1, MaxUsers)
	f.number("exponent", &u.Exponent, 0, MaxExponent)
	f.integer("applications", &u.Applications, 1, MaxApplications)
	f.check(func() error {
		if u.Count*u.Applications > maxPreferences {
			return &FieldError{Path: f.at("applications"), Saw: fmt.Sprintf("%d of each of %d users", u.Applications, u.Count), Want: fmt.Sprintf("at most %d together", maxPreferences)}
		}
		for i, c := range classes {
			switch {
			case c.Column == "user_id" || c.Column == "application_id":
				return &FieldError{Path: fmt.Sprintf("classes[%d].column", i), Saw: shorten(c.Column), Want: "another column: users have their own"}
			case c.Malleable != nil:
				return &FieldError{Path: f.path, Saw: fmt.Sprintf("users, but class %s is malleable", c.Name), Want: "classes with sizes and run times"}
			}
		}
		return nil
	})
	optionalPart(f, "sessions", &u.Sessions, (*Sessions).visit)
}

func (s *Sessions) visit(f *form) {
	f.number("again", &s.Again, math.SmallestNonzeroFloat64, maxAgain)
	f.positive("think", required, &s.Think)
	f.above("max_s", &s.Max)
	f.check(func() error { return cut(f.at("max_s"), s.Think, s.Max) })
}
