package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type anonymiseOptions struct {
	Key      string   `opt:"key" file:"read" common:"true" help:"<file> with the secret key, at least 16 bytes, without a final line break"`
	Mapping  string   `opt:"mapping" file:"write" common:"true" help:"write the replacements to this CSV <file>, which only its owner can read"`
	Columns  []string `opt:"columns" common:"true" help:"replace only these columns"`
	DropSite bool     `opt:"drop-site" common:"true" help:"also drop Computer, Installation, Acknowledge, Information and Conversion from the header"`
	Digits   int      `opt:"digits" in:"[6,15]" default:"15" help:"maximum digits of a replacement, 6 to 15; 9 suit programs with 32-bit numbers"`
	Jobs     jobsOptions

	input string
}

// Choices are the values of options that take one of some.
func (anonymiseOptions) Choices(option string) []string {
	if option == "columns" {
		return workload.ColumnNames(workload.NamedColumns())
	}
	return nil
}

func newAnonymiseCmd(a *app, run func(context.Context, *app, anonymiseOptions) error) *cobra.Command {
	var o anonymiseOptions
	cmd := &cobra.Command{
		Use:   "anonymise LOG [--key FILE] [-o OUT]",
		Short: "Replace the names in a log with numbers",
		Long: `Replaces each user, group, application, queue, partition, account and quality of
service with a number from a keyed hash. A value has the same number wherever it
occurs, and in every log anonymised with the same key. Without --key
the key is random and is not kept, so that nobody can test guesses of names.

Submission times, job numbers and kinds of GPUs stay: anyone who knows when
somebody submitted a job can still find it.`,
		Annotations: map[string]string{flags.Details: `The number is from HMAC-SHA-256 of the name or, in a log without names, of the
old number. No two values of a column get the same one: a collision is resolved
by hashing again, and reported. In formats with job names the application is the
job name.

The header keeps numbers, dates, time zone and the Yes or No of the format's
keywords, and the lines that name the site and who published the log;
--drop-site drops these too. Everything else may name somebody (Queue,
Partition, User, Note, free text, text where a number or date belongs) and is
dropped; a note says how many lines.

Only --mapping writes the replacements down, as CSV in a file that only its
owner can read. Keep it, and the key, apart from the log.`},
		Example: `  loadstone anonymise sacct.txt -o public.swf.gz
  loadstone anonymise january.swf --key site.key --mapping january.csv \
      -o january.parquet`,
		Args: func(_ *cobra.Command, args []string) error { return new(oneLog).args(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			// The key, too, is an input, but the log's own place may be taken.
			for _, err := range []error{a.notOver([]string{o.input, o.Key}, o.Mapping), a.notOver([]string{o.Key}, o.Mapping, o.Jobs.Output)} {
				if err != nil {
					return err
				}
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

// secretKey is the key to hash with.
func (a *app) secretKey(o anonymiseOptions) ([]byte, error) {
	if o.Key == "" {
		key := make([]byte, 32)
		rand.Read(key) // never fails
		return key, nil
	}
	key, err := flags.ReadFile(o.Key)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(o.Key); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		a.warn("%s: other users can read the key, by its mode %v: chmod 600 it", o.Key, info.Mode().Perm())
	}
	key = bytes.TrimSuffix(bytes.TrimSuffix(key, []byte("\n")), []byte("\r"))
	if len(key) < reshape.MinKey {
		return nil, fmt.Errorf("--key %s: a key of %d bytes, want at least %d", o.Key, len(key), reshape.MinKey)
	}
	return key, nil
}

func runAnonymise(ctx context.Context, a *app, o anonymiseOptions) error {
	key, err := a.secretKey(o)
	if err != nil {
		return err
	}
	src, err := a.source(o.input)
	if err != nil {
		return err
	}
	defer src.close()
	var ids *reshape.Identifiers
	first, err := src.read(func(log *workload.Log) (err error) {
		ids, err = reshape.FindIdentifiers(workload.Until(ctx, log.Jobs()))
		return err
	})
	if err != nil {
		return err
	}
	var columns []int
	for _, name := range o.Columns {
		columns = append(columns, workload.ColumnIndex(name))
	}
	anonymous, err := reshape.Anonymise(ids, first.Header, reshape.AnonymiseOptions{Key: key, Columns: columns, Digits: o.Digits, DropSite: o.DropSite})
	if err != nil {
		return inLog(o.input, err)
	}
	log, err := src.open()
	if err != nil {
		return err
	}
	defer log.Close()
	if o.Mapping != "" {
		if err := a.writeSecret(o.Mapping, func(w io.Writer) error { return writeMapping(w, anonymous.Replacements) }); err != nil {
			return err
		}
	}
	if err := a.putJobs(ctx, o.Jobs, log.Optional(), workload.Batches(named(o.input, anonymous.Jobs(log.Jobs())), nil), anonymous.Header, nil); err != nil {
		return err
	}
	a.warnAll(o.input, log.Warnings())
	a.tellAnonymous(o, anonymous)
	return nil
}

// tellAnonymous says what was replaced, dropped and kept.
func (a *app) tellAnonymous(o anonymiseOptions, anonymous *reshape.Anonymous) {
	counts := map[int]int{}
	for _, r := range anonymous.Replacements {
		counts[r.Column]++
	}
	var words []string
	for _, col := range workload.NamedColumns() {
		if counts[col] > 0 {
			words = append(words, fmt.Sprintf("%d of %s", counts[col], workload.Columns()[col].Name))
		}
	}
	if len(words) == 0 {
		words = []string{"nothing: no value is known"}
	}
	a.note("replaced: %s", strings.Join(words, ", "))
	if anonymous.Collisions > 0 {
		a.note("hashed again because of a collision: %d; these may differ in other logs under the same key", anonymous.Collisions)
	}
	words = nil
	for _, d := range anonymous.Dropped {
		if d.Keyword == "" {
			d.Keyword = "free text"
		}
		words = append(words, fmt.Sprintf("%s %d", d.Keyword, d.Lines))
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

func writeMapping(w io.Writer, all []reshape.Replacement) error {
	columns := workload.Columns()
	c := csv.NewWriter(w)
	c.Write([]string{"column", "number", "name", "replacement"})
	for _, r := range all {
		c.Write([]string{columns[r.Column].Name, strconv.FormatInt(r.Number, 10), workload.SpreadsheetText(r.Name), strconv.FormatInt(r.New, 10)})
	}
	c.Flush()
	return c.Error()
}
