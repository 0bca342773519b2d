package words

import "testing"

func TestCounted(t *testing.T) {
	for n, want := range map[int64]string{0: "0 jobs", 1: "1 job", 2: "2 jobs"} {
		if got := Counted(n, "job"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCountedEndings(t *testing.T) {
	for noun, want := range map[string]string{"oddity": "2 oddities", "day": "2 days", "fault": "2 faults", "class": "2 classes"} {
		if got := Counted(2, noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestMeant(t *testing.T) {
	names := []string{"run", "run_time", "submit", "user", "used"}
	for word, want := range map[string]string{
		"runn": "; did you mean run?", "usr": "; did you mean user?", "USER": "; did you mean user?",
		"sub": "; did you mean submit?", "colour": "", "ru": "", "": "", "use": "; did you mean user or used?",
	} {
		if got := Meant(word, names); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
