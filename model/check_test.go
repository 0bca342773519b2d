package model_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
)

func checkOf(log, median, least, largest float64) *model.Check {
	return &model.Check{Policy: "easy", Estimates: "user", Jobs: 1000, LogWait: log, Seeds: 5, Wait: median, WaitMin: least, WaitMax: largest}
}

func TestCheckString(t *testing.T) {
	for _, c := range []struct {
		of   *model.Check
		want string
		off  bool
	}{
		{checkOf(7200, 10800, 6480, 17280), "wait 1.5 times as long as the log's, 0.90 to 2.4 over 5 seeds (3.0 h and 2.0 h on average, both simulated under EASY with users' estimates)", false},
		{checkOf(600, 1200, 1200, 1200), "wait 2.0 times as long as the log's, in each of 5 seeds (20 min and 10 min on", false},
		{checkOf(600, 1201, 1000, 9000), "wait 2.0 times as long as the log's, 1.7 to 15 over 5 seeds", true},
		{checkOf(600, 299, 200, 9000), "wait 0.50 times", true},
		{checkOf(600, 300, 200, 9000), "wait 0.50 times", false},
		{checkOf(864000, 3, 0, 9000), "wait <0.01 times as long as the log's, <0.01 to 0.01 over 5 seeds (3 s and 10.0 days on average, both simulated under EASY with users' estimates; less than a minute counts as one)", true},
		{checkOf(1, 59, 5, 90), "wait 1.0 times as long as the log's, 1.0 to 1.5 over", false},
		{checkOf(1, 50, 5, 59), "wait less than a minute on average, as the log's do (5 seeds; both", false},
	} {
		if got := c.of.String(); !strings.Contains(got, c.want) || c.of.Off() != c.off {
			t.Errorf("%q, off %t, want %q, %t", got, c.of.Off(), c.want, c.off)
		}
	}
}

// A model file keeps the check, and a field of it that is out of range is refused by name.
func TestCheckInFile(t *testing.T) {
	m, err := model.Preset(model.Lublin1999)
	if err != nil {
		t.Fatal(err)
	}
	m.Check = checkOf(7200, 10800, 6480, 17280)
	m.Check.About = m.Check.String()
	var file bytes.Buffer
	if err := model.Encode(&file, m); err != nil {
		t.Fatal(err)
	}
	back, err := model.Decode(bytes.NewReader(file.Bytes()))
	if err != nil || *back.Check != *m.Check {
		t.Fatalf("read %+v, error %v", back.Check, err)
	}
	for old, change := range map[string]string{
		`"policy": "easy"`:       `"policy": "fcfs"`,
		`"estimates": "user"`:    `"estimates": "mine"`,
		`"jobs": 1000`:           `"jobs": 0`,
		`"seeds": 5`:             `"seeds": -5`,
		`"log_wait_s": 7200`:     `"log_wait_s": -1`,
		`"wait_median_s": 10800`: `"wait_median_s": 20000`,
		`"wait_min_s": 6480`:     `"wait_min_s": 11000`,
		`"wait_max_s": 17280`:    `"wait_max_s": 1e300`,
		`"about": "jobs drawn`:   `"about": "jobs\ndrawn`,
	} {
		text := strings.Replace(file.String(), old, change, 1)
		if text == file.String() {
			t.Fatalf("the file lacks %s", old)
		}
		var field *model.FieldError
		if _, err := model.Decode(strings.NewReader(text)); !errors.As(err, &field) || !strings.HasPrefix(field.Path, "check.") {
			t.Errorf("%s: %v", change, err)
		}
	}
	m.Check.LogWait = math.NaN()
	if err := m.Validate(); err == nil {
		t.Error("an unknown wait is accepted")
	}
}
