package slurm

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// badAmount counts an amount that no job has, or a list of resources with one.
func (p *sacctParser) badAmount(list []byte) {
	rule, why := badAmount()
	p.warn(rule, why, list)
}

func (s *squeueReader) badAmount(list []byte) {
	rule, why := badAmount()
	s.from.Warnings.Add(rule, why, s.line, workload.Shorten(list))
}

func badAmount() (rule, text string) {
	return "bad-amount", "amounts of resources that no job has, such as -1 GPUs: taken as unknown"
}

// amount returns the amount of a resource in a list, and what was wanted of it.
func (p *sacctParser) amount(list sacctField, key string) (n int64, want string) {
	return tresCount(p.values[list], parse.TRES(p.values[list], key), p.badAmount)
}

// tresCount reads an amount in a list of resources. One below 0 or of more than 15 digits is
// unknown and given to bad.
func tresCount(list, amount []byte, bad func([]byte)) (n int64, want string) {
	n, want = parseSacctCount(amount)
	if want != "" && parse.IsDigits(bytes.TrimPrefix(amount, []byte{'-'})) {
		bad(list)
		return workload.Unknown, ""
	}
	return n, want
}

// lacksGPUs reports whether a list of resources has none, where Slurm counts GPUs. A list of
// shards or of MPS has a part of one, of which only the site knows how large it is.
func lacksGPUs(list []byte) bool {
	for _, part := range []string{"gres/gpu", "gres/shard", "gres/mps"} {
		if bytes.Contains(list, []byte(part)) {
			return false
		}
	}
	return len(list) > 0
}

// sacctGPUs returns the GPUs in a list of resources, and the kind that is named first:
// "gres/gpu=4,gres/gpu:a100=4". Without the sum the kinds are added up.
func sacctGPUs(list []byte, bad func([]byte)) (gpus int64, kind []byte, want string) {
	const key = "gres/gpu"
	gpus = workload.Unknown
	sum := int64(0)
	for tres := list; len(tres) > 0; {
		item, rest, _ := bytes.Cut(tres, []byte{','})
		tres = rest
		name, amount, _ := bytes.Cut(item, []byte{'='})
		if !bytes.HasPrefix(name, []byte(key)) || len(name) > len(key) && name[len(key)] != ':' {
			continue
		}
		n, want := tresCount(list, amount, bad)
		if want != "" {
			return workload.Unknown, nil, want
		}
		switch {
		case n == workload.Unknown:
		case len(name) == len(key):
			gpus = n
		default:
			sum += n
			if kind == nil {
				kind = name[len(key)+1:]
			}
		}
	}
	if gpus == workload.Unknown && sum > 0 {
		gpus = sum
	}
	return gpus, kind, ""
}
