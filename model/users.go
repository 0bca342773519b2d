package model

import (
	"cmp"
	"fmt"
)

// Users is a population that submits the jobs of all classes, so that
// predictors that learn from a user's past have something to learn. It is the
// project's own extension for grids, off in every published model; package
// model/population has a model of users that is fitted to logs.
//
// User k of Count submits a share of the jobs in proportion to k^-Exponent, and uses application i of Applications in
// proportion to i^-Exponent. Every application of a user has a range of
// quantiles of sizes and one of run times, as wide as its share, within which
// its jobs lie. The ranges cover all quantiles once, so the laws of sizes and
// run times over all jobs remain those of the model.
type Users struct {
	Count        int64   // 1 to MaxUsers
	Exponent     float64 // of Zipf's law, 0 (all alike) to MaxExponent; 1 in a file without it
	Applications int64   // of each user, 1 to MaxApplications; 5 in a file without it
}

const (
	MaxUsers        = 100_000   // users of a site
	MaxApplications = 1000      // applications of a user
	MaxExponent     = 10        // exponent of a Zipf law
	maxPreferences  = 1_000_000 // users times applications: some 200 MB in the generator

)

func (u *Users) visit(f *form, classes []Class) {
	f.integer("count", &u.Count, 1, MaxUsers)
	if f.task == read { // what a file need not say
		u.Exponent, u.Applications = 1, 5
	}
	f.value("exponent", optional, &u.Exponent, false, "a number")
	f.whole("applications", optional, &u.Applications)
	f.check(func() error {
		if err := cmp.Or(within(f.at("exponent"), u.Exponent, 0, MaxExponent), wholeWithin(f.at("applications"), u.Applications, 1, MaxApplications)); err != nil {
			return err
		}
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
}
