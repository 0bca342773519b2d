package words

import "testing"

func TestCounted(t *testing.T) {
	for _, c := range []struct {
		n          int64
		noun, want string
	}{{0, "job", "0 jobs"}, {1, "job", "1 job"}, {2, "oddity", "2 oddities"}, {2, "day", "2 days"}, {2, "fault", "2 faults"}, {2, "class", "2 classes"}} {
		if got := Counted(c.n, c.noun); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
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
