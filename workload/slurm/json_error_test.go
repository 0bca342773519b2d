package slurm

import "testing"

// An error in Slurm's JSON is told in its words, in whatever form it is.
func TestErrorText(t *testing.T) {
	for value, want := range map[string]string{
		`{"description": "Failed while looking for jobs", "error_number": -1, "error": "Unspecified error", "source": "slurm_load_jobs"}`: "Failed while looking for jobs: Unspecified error (slurm_load_jobs, error -1)",
		`{"error_number": 1800, "error": "Unable to contact slurm controller"}`:                                                           "Unable to contact slurm controller (error 1800)",
		`{"description": "Nothing found", "error": "Nothing found"}`:                                                                      "Nothing found",
		`{"description": "no number", "error": ""}`:                                                                                       "no number",
		"{\n  \"code\": 5 }": `{ "code": 5 }`,
		`"text"`:             `"text"`,
		`{"description": 5}`: `{"description": 5}`,
	} {
		if got := errorText([]byte(value)); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}
