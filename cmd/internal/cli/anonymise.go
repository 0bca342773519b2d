package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type anonymiseOptions struct {
	oneLog
	KeyFile string `opt:"key" file:"read" common:"true" help:"<file> with the secret key, at least 16 bytes, without a final line break"`
	Mapping string `opt:"mapping" file:"write" common:"true" help:"write the replacements to this CSV <file>, which only its owner can read"`
	reshape.AnonymiseOptions
	Jobs jobsOptions
}

// secretKey returns the key to hash with, from the file of --key or else a random one.
func (o *anonymiseOptions) secretKey(a *app) ([]byte, error) {
	if o.KeyFile == "" {
		key := make([]byte, 32)
		rand.Read(key) // never fails
		return key, nil
	}
	key, err := flags.ReadFile(o.KeyFile)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(o.KeyFile); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		a.warn("%s: other users can read the key, by its mode %v: chmod 600 it", o.KeyFile, info.Mode().Perm())
	}
	key = bytes.TrimSuffix(bytes.TrimSuffix(key, []byte("\n")), []byte("\r"))
	if len(key) < reshape.MinKey {
		return nil, fmt.Errorf("--key %s: a key of %d bytes, want at least %d", o.KeyFile, len(key), reshape.MinKey)
	}
	return key, nil
}

func (o *anonymiseOptions) run(ctx context.Context, a *app) (*findings, error) {
	src, err := a.source(o.input)
	if err != nil {
		return nil, err
	}
	defer src.close()
	if o.Key, err = o.secretKey(a); err != nil {
		return nil, err
	}
	anonymous, err := reshape.Anonymise(ctx, src.open, o.AnonymiseOptions)
	if err != nil {
		return nil, inLog(o.input, err)
	}
	defer anonymous.Log.Close()
	if o.Mapping != "" {
		if err := a.writeSecret(o.Mapping, func(w io.Writer) error { return view.Result{CSV: view.CSV(anonymous.Replacements)}.Write(w, "csv") }); err != nil {
			return nil, err
		}
	}
	jobs := workload.Batches(named(o.input, anonymous.Jobs))
	if err := a.putJobs(ctx, o.Jobs, anonymous.Log.Optional(), jobs, anonymous.Header(), nil); err != nil {
		return nil, err
	}
	return &findings{about: o.input, remarks: view.Warnings(anonymous.Warnings()), after: func() { o.tell(a, anonymous) }}, nil
}

// tell reports which values were replaced, dropped and kept.
func (o *anonymiseOptions) tell(a *app, anonymous *reshape.Anonymous) {
	counts := map[string]int{}
	for _, r := range anonymous.Replacements {
		counts[r.Column]++
	}
	var words []string
	for _, col := range workload.NamedColumns() {
		if name := workload.ColumnAt(col).Name; counts[name] > 0 {
			words = append(words, fmt.Sprintf("%d of %s", counts[name], name))
		}
	}
	if len(words) == 0 {
		words = []string{"nothing: no value is known"}
	}
	a.note("replaced: %s", strings.Join(words, ", "))
	words = nil
	for _, key := range slices.Sorted(maps.Keys(anonymous.Dropped)) {
		words = append(words, fmt.Sprintf("%s %d", cmp.Or(key, "free text"), anonymous.Dropped[key]))
	}
	if len(words) > 0 {
		a.note("header lines dropped or shortened: %s", strings.Join(words, ", "))
	}
	if len(anonymous.Site) > 0 {
		a.note("header lines kept that name the site or its people: %s; --drop-site drops them", strings.Join(anonymous.Site, ", "))
	}
	if o.Mapping != "" {
		a.note("%s: the mapping; keep it apart from the log", o.Mapping)
	}
}
