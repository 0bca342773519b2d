package sched

import (
	"slices"
	"strings"
	"testing"
)

func TestPolicyNamed(t *testing.T) {
	for text, want := range map[string]string{
		"easy":                        "",
		"priority(queues=3, 1)":       "",
		"best":                        `policy: "best", want one of fcfs, easy, conservative, sjf, priority`,
		"easy(depth=3)":               `"easy(depth=3)", want no parameters: easy has none`,
		"priority(order=3)":           `want a parameter of priority instead of "order": queues`,
		"priority(queues=3,x)":        "want queues: a whole number",
		"priority(queues=3,3)":        "want queues: each once",
		"priority(queues=3":           "want a closing parenthesis at the end",
		"priority()":                  `want a parameter of priority instead of ""`,
		"priority(queues=1,queues=2)": "want queues once",
		"priority":                    "want its queues, the most urgent first",
	} {
		p, err := PolicyNamed(text, Policies())
		switch {
		case want == "" && (err != nil || !strings.HasPrefix(text, p.Name())):
			t.Errorf("%s: %v, %v", text, p, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
	p, _ := PolicyNamed("priority(queues=3, 1)", Policies())
	if got := p.(Priority).Queues; !slices.Equal(got, []int64{3, 1}) {
		t.Errorf("queues %v, want 3 and 1", got)
	}
}
