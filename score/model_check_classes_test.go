package score

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Beyond the classes that a profile keeps the check says so, and not that they
// have no jobs.
func TestCheckOfMoreClassesThanAreKept(t *testing.T) {
	site, err := model.Preset("lublin1999-batch")
	if err != nil {
		t.Fatal(err)
	}
	one := site.Classes[0]
	site.Classes = nil
	p := NewProfile(ProfileOptions{By: "user_id", Classes: byColumn("user_id"), Model: &site})
	for user := range int64(MostClasses + 1) {
		c := one
		c.Name, c.Column, c.Value = fmt.Sprint("user ", user), "user_id", user
		site.Classes = append(site.Classes, c)
		j := workload.UnknownJob()
		j.Submit, j.Run, j.Size, j.User = float64(user), 60, 4, user
		p.Add(&j)
	}
	last, found := fmt.Sprint("user ", MostClasses), 0
	for _, c := range CheckModel(p, site, CheckOptions{}).Checks {
		if c.Class == last && c.What == "size" {
			found++
			if !strings.Contains(c.Why, "keeps the first 64 classes") {
				t.Errorf("%s: %q", c.Class, c.Why)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d checks of the sizes of %s", found, last)
	}
}
