package printable

import (
	"encoding/json"
	"testing"
	"unicode"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"Universität, 理研　計算 \\x": "Universität, 理研　計算 \\x",
		"\x1b[31mred\x1b[0m":     `\x1b[31mred\x1b[0m`,
		"\x1b]0;title\a":         `\x1b]0;title\a`,
		"a\r\nb\tc\x00\x7f":      `a\r\nb\tc\x00\x7f`,
		"\u009b2J":               `\u009b2J`, // CSI as one character
		"\x9b2J":                 `\x9b2J`,   // CSI as one byte
		"user\u202etxt.exe":      `user\u202etxt.exe`,
		"a\u2028b\ufeff\u200b":   `a\u2028b\ufeff\u200b`,
		"\U000e0041":             `\U000e0041`,
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
		if again := Text(want); again != want {
			t.Errorf("Text(%q) = %q, want it unchanged", want, again)
		}
	}
	if got, want := Lines("a\x1b\n\nb\r\n"), "a\\x1b\n\nb\\r\n"; got != want {
		t.Errorf("Lines: %q, want %q", got, want)
	}
}

func TestJSON(t *testing.T) {
	for _, s := range []string{"", "a\x1b\n\x7f", "\u009b2J", "\u202e\U000e0041理", "\ufffd\u2028\\\"<"} {
		b := jobtest.Must(json.MarshalIndent(map[string]string{"name": s}, "", "  "))
		got := JSON(b)
		for _, r := range string(got) {
			if !unicode.IsGraphic(r) && r != '\n' {
				t.Errorf("JSON(%q) = %q", b, got)
			}
		}
		var back map[string]string
		if err := json.Unmarshal(got, &back); err != nil || back["name"] != s {
			t.Errorf("JSON(%q) = %q, which is %q, %v", b, got, back["name"], err)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b[2J\xff\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		for _, r := range got {
			if !unicode.IsGraphic(r) {
				t.Errorf("Text(%q) = %q", s, got)
			}
		}
		if Text(got) != got {
			t.Errorf("Text(%q) changes when it is passed through again", s)
		}
	})
}
