package slurm

import "testing"

func TestTRES(t *testing.T) {
	const tres = "billing=12,cpu=12,gres/gpu:a100=2,mem=33600M,node=1"
	for key, want := range map[string]string{"cpu": "12", "mem": "33600M", "node": "1", "billing": "12", "gpu": "", "em": "", "gres/gpu:a100": "2"} {
		if got := string(tresAmount([]byte(tres), key)); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}
