package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"
)

// RESTOptions are the options of REST.
type RESTOptions struct {
	// URL is the service, such as http://127.0.0.1:6820.
	URL string
	// TokenFile has the JSON Web Token, as scontrol token prints it, with or
	// without SLURM_JWT= in front. It is read at each poll, so that it can be
	// replaced. "" means no token.
	TokenFile string
	// User is the name that the token is for; Slurm before 23.02 needs it. ""
	// means none.
	User string
	// Version is that of the interface, such as v0.0.38; "" means the newest
	// that the service has.
	Version string
}

// REST returns a source that asks slurmrestd. It follows no redirects.
func REST(o Options, r RESTOptions) (Source, error) {
	base, err := url.Parse(r.URL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("slurmrestd: saw %q, want a URL such as http://127.0.0.1:6820", r.URL)
	}
	if base.User != nil {
		return nil, errors.New("slurmrestd: saw a URL with a user name or password, want the token in a file (--slurm-token-file)")
	}
	if r.Version != "" && !restVersion.MatchString("/slurm/"+r.Version+"/jobs") {
		return nil, fmt.Errorf("slurmrestd: saw version %q, want one such as v0.0.38", r.Version)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 64 << 10
	q := &rest{o: o, r: r, base: base, version: r.Version, client: &http.Client{Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	return &restSource{newSlurmSource("slurmrestd", q, o), q}, nil
}

// restSource is a slurmSource that holds connections.
type restSource struct {
	*slurmSource
	rest *rest
}

// Close closes the connections.
func (s *restSource) Close() error {
	s.rest.client.CloseIdleConnections()
	return nil
}

// rest asks slurmrestd.
type rest struct {
	o       Options
	r       RESTOptions
	base    *url.URL
	version string // "" until it is known
	client  *http.Client
}

func (q *rest) queue(ctx context.Context, read func(io.Reader) error) error {
	return q.get(ctx, q.o.timeout(), "slurm", "jobs", nil, read)
}

func (q *rest) ended(ctx context.Context, since time.Time, read func(io.Reader) error) error {
	return q.get(ctx, q.o.patience(since), "slurmdb", "jobs", url.Values{
		"state":      {endedStates},
		"start_time": {"uts" + strconv.FormatInt(since.Unix(), 10)},
		"end_time":   {"uts" + strconv.FormatInt(time.Now().Unix()+60, 10)},
	}, read)
}

func (q *rest) nodes(ctx context.Context, read func(io.Reader) error) error {
	return q.get(ctx, q.o.timeout(), "slurm", "nodes", nil, read)
}

func (q *rest) partitions(ctx context.Context, read func(io.Reader) error) error {
	return q.get(ctx, q.o.timeout(), "slurm", "partitions", nil, read)
}

func (q *rest) reservations(ctx context.Context, read func(io.Reader) error) error {
	return q.get(ctx, q.o.timeout(), "slurm", "reservations", nil, read)
}

// get asks for a list of the interface, whose version it finds out first.
func (q *rest) get(ctx context.Context, timeout time.Duration, of, list string, values url.Values, read func(io.Reader) error) error {
	if q.version == "" {
		if err := q.discover(ctx); err != nil {
			return err
		}
	}
	err := q.fetch(ctx, timeout, "/"+of+"/"+q.version+"/"+list+"/", values, read)
	var status *statusError
	if errors.As(err, &status) && status.code == http.StatusNotFound && q.r.Version == "" {
		q.version = "" // the service may be another one now
	}
	return err
}

var restVersion = regexp.MustCompile(`^/slurm/v(\d{1,4})\.(\d{1,4})\.(\d{1,4})/jobs/?$`)

// maxOpenAPI bounds the description of the interface, bytes; that of Slurm 22.05 has half a MB.
const maxOpenAPI = 64 << 20

// discover finds the newest version of which the service describes a list of jobs.
func (q *rest) discover(ctx context.Context) error {
	var newest [3]int
	err := q.fetch(ctx, q.o.timeout(), "/openapi/v3", nil, func(r io.Reader) error {
		var d struct {
			Paths map[string]json.RawMessage `json:"paths"`
		}
		if err := json.NewDecoder(limit(r, maxOpenAPI)).Decode(&d); err != nil {
			return fmt.Errorf("the description of the interface: %w", err)
		}
		for path := range d.Paths {
			if m := restVersion.FindStringSubmatch(path); m != nil {
				var v [3]int
				for i := range v {
					v[i], _ = strconv.Atoi(m[i+1])
				}
				if newest[0] < v[0] || newest[0] == v[0] && (newest[1] < v[1] || newest[1] == v[1] && newest[2] < v[2]) {
					newest = v
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if newest == [3]int{} {
		return fmt.Errorf("slurmrestd at %s: its OpenAPI description has no path /slurm/v.../jobs, want a slurmrestd with its slurm plugin loaded", q.base)
	}
	q.version = fmt.Sprintf("v%d.%d.%d", newest[0], newest[1], newest[2])
	return nil
}

// statusError is an answer with another status than 200.
type statusError struct {
	code int
	text string
}

func (e *statusError) Error() string { return e.text }
