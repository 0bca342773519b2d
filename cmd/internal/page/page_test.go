package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

const svg = `<svg viewBox="0 0 504 303"><text x="10" y="-279" font-size="12">a &lt;b&gt; &amp; c</text></svg>`

func small(t *testing.T) Page {
	table := Table{Caption: "A <table>", Head: []string{"name", "n"}, Rows: [][]string{{"<i>", "12.5 h"}}}
	sections := Sections(`{{define "one"}}<p>{{words .Text}}</p>{{template "table" .Table}}{{template "figure" .Figure}}{{template "file" .File}}{{end}}`)
	body, err := Body(sections, "one", struct {
		Text   string
		Table  *Table
		Figure Figure
		File   File
	}{
		"<p> of <log>", &table,
		Figure{ID: "fig", Caption: "<c>", Alt: "alt", SVG: []byte(svg), Chart: []byte(`{"x":{"title":"time \u003c/script\u003e"}}`), Table: &table},
		File{`"x.json`, "application/json", []byte(`{"a":1}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return Page{Title: "T <1>", About: "a & b", Key: "<div><dt>Jobs</dt><dd>7</dd></div>", Sections: []Section{{ID: "one", Title: "One <2>", Table: &table, Body: body}}}
}

// The policy allows the page's scripts and styles by their hashes; the page has no others.
func TestPolicy(t *testing.T) {
	var b bytes.Buffer
	jobtest.NoError(t, Write(&b, small(t)))
	page := b.String()
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1])
	if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("policy %s", policy)
	}
	parts := regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(page, -1)
	for _, p := range parts {
		sum := sha256.Sum256([]byte(p[2]))
		if h := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, h) {
			t.Errorf("a %s that begins with %.40q has hash %s, which is not in the policy", p[1], p[2], h)
		}
	}
	if len(parts) != 4 {
		t.Errorf("%d scripts and styles, want 4", len(parts))
	}
	body := page[strings.Index(page, "<body"):strings.LastIndex(page, "</main>")]
	for _, never := range []string{"<script>", " style=", " on", "http:", "https:", "<i>", "<log>", "<2>", "<c>", "alert", "ZgotmplZ"} {
		if strings.Contains(body, never) {
			t.Errorf("the page has %q", never)
		}
	}
	for _, want := range []string{"&lt;log&gt;", `<td class="n">`, `src="data:image/svg&#43;xml;base64,`, `href="data:application/json;base64,eyJhIjoxfQ=="`, "<title>T &lt;1&gt;</title>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if !strings.Contains(page, `id="fig-data">{"x":{"title":"time \u003c/script\u003e"}}</script>`) {
		t.Error("the page lacks the chart as it was given")
	}
}

// Lines do not break within a date or between a number and its unit; markup in a text remains text.
func TestWordsStayWhole(t *testing.T) {
	for text, want := range map[string]string{
		"70.1 % of 1,024 jobs":       `<span class="whole">70.1 %</span> of 1,024 jobs`,
		"from 1997-08-29 12:38 on":   `from <span class="whole">1997-08-29 12:38</span> on`,
		"5 min to 1.5 h, 3 dogs":     `<span class="whole">5 min</span> to <span class="whole">1.5 h</span>, 3 dogs`,
		"<b>'9' s</b>":               "&lt;b&gt;&#39;9&#39; s&lt;/b&gt;",
		"a-1997-08-291 and 2 shares": "a-1997-08-291 and 2 shares",
	} {
		if got := string(words(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
