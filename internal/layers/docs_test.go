package layers

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// source holds the module's files and directories and the names that its packages declare.
type source struct {
	paths   map[string]bool            // files and directories, relative to the module's root
	names   map[string]map[string]bool // by package
	members map[string]map[string]bool // fields and methods by type name
}

func readSource(t *testing.T) *source {
	t.Helper()
	s := &source{map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}}
	eachFile(t, func(file string) {
		for p := file; p != "."; p = path.Dir(p) {
			s.paths[p] = true
		}
		if strings.HasSuffix(file, ".go") {
			s.read(file)
		}
	})
	return s
}

// read adds the names that a file declares.
func (s *source) read(name string) {
	file := parse(token.NewFileSet(), name, parser.SkipObjectResolution)
	add := func(to map[string]map[string]bool, of, name string) {
		if to[of] == nil {
			to[of] = map[string]bool{}
		}
		to[of][name] = true
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(s.names, file.Name.Name, d.Name.Name)
				continue
			}
			ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
				if of, ok := n.(*ast.Ident); ok {
					add(s.members, of.Name, d.Name.Name)
				}
				return true
			})
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						add(s.names, file.Name.Name, n.Name)
					}
				case *ast.TypeSpec:
					add(s.names, file.Name.Name, spec.Name.Name)
					ast.Inspect(spec.Type, func(n ast.Node) bool {
						if f, ok := n.(*ast.Field); ok {
							for _, name := range f.Names {
								add(s.members, spec.Name.Name, name.Name)
							}
						}
						return true
					})
				}
			}
		}
	}
}

// hasPath reports whether a file or directory exists, by its path from the root or the end of that
// path; * matches part of a name.
func (s *source) hasPath(want string) bool {
	want = strings.TrimSuffix(strings.TrimPrefix(want, "./"), "/")
	depth := strings.Count(want, "/") + 1
	for p := range s.paths {
		parts := strings.Split(p, "/")
		if len(parts) < depth {
			continue
		}
		if ok, _ := path.Match(want, strings.Join(parts[len(parts)-depth:], "/")); ok {
			return true
		}
	}
	return false
}

var (
	quoted     = regexp.MustCompile("`([^`]+)`")
	dottedName = regexp.MustCompile(`^(\w+)\.([A-Z]\w*)(?:\.(\w+))?$`)
	exported   = regexp.MustCompile(`^[A-Z][a-z]\w*$`)
	filePath   = regexp.MustCompile(`^[\w.*/-]+$`)
	goFile     = regexp.MustCompile(`(?:^|[\s(])([\w/]+\.go)\b`) // in a comment
	fileName   = regexp.MustCompile(`\.(go|md|mod|txt|json|py)$`)
)

// lacks returns the part of a name in backquotes that does not exist, or "" if everything exists or
// the text is neither a path nor a Go name.
func (s *source) lacks(name string) string {
	switch m := dottedName.FindStringSubmatch(name); {
	case m != nil:
		switch {
		case s.names[m[1]][m[2]]:
			if m[3] != "" && !s.members[m[2]][m[3]] {
				return "type " + m[2] + " has no " + m[3]
			}
		case s.names[m[1]] != nil:
			return "package " + m[1] + " has no " + m[2]
		case !s.members[m[1]][m[2]]:
			return "no package or type " + m[1] + " has " + m[2]
		}
	case exported.MatchString(name):
		for _, of := range []map[string]map[string]bool{s.names, s.members} {
			for _, names := range of {
				if names[name] {
					return ""
				}
			}
		}
		return "no package has it"
	case filePath.MatchString(name) && (strings.Contains(name, "/") || fileName.MatchString(name)) && !strings.HasPrefix(name, "../"):
		if !s.hasPath(name) {
			return "no such file or folder"
		}
	}
	return ""
}

// Every path and Go name in backquotes on the pages about the code exists, and so does every test
// and every name of one of this module's packages on any page, and every file mentioned in a
// comment.
func TestNamesInDocs(t *testing.T) {
	s := readSource(t)
	about := []string{"docs/architecture.md", "docs/development/testing.md", "docs/findings/papers.md", "docs/reference/predictors.md", "docs/findings/benchmarks.md", "README.md", "CONTRIBUTING.md"}
	for page := range s.paths {
		if !strings.HasSuffix(page, ".md") {
			continue
		}
		for i, line := range strings.Split(read(page), "\n") {
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				dotted := dottedName.FindStringSubmatch(m[1])
				ours := strings.HasPrefix(m[1], "Test") || dotted != nil && s.names[dotted[1]] != nil
				if why := s.lacks(m[1]); why != "" && (ours || slices.Contains(about, page)) {
					t.Errorf("%s:%d: `%s`: %s", page, i+1, m[1], why)
				}
			}
		}
	}
	for file := range s.paths {
		if !strings.HasSuffix(file, ".go") || strings.Contains(file, "testdata/") {
			continue
		}
		for i, line := range strings.Split(read(file), "\n") {
			_, comment, _ := strings.Cut(line, "//")
			for _, m := range goFile.FindAllStringSubmatch(comment, -1) {
				if why := s.lacks(m[1]); why != "" {
					t.Errorf("%s:%d: %s: %s", file, i+1, m[1], why)
				}
			}
		}
	}
}

// Every Example ends with an output comment, so that it is run, and every public package has an
// Example.
func TestExamplesAreRun(t *testing.T) {
	shown := map[string]bool{} // by package, whether it has an example
	eachFile(t, func(name string) {
		if !strings.HasSuffix(name, ".go") {
			return
		}
		dir := path.Dir(name)
		if _, ok := shown[dir]; !ok && path.Base(name) != "doc.go" { // a package with only doc.go needs no example
			shown[dir] = false
		}
		if !strings.HasSuffix(name, "_test.go") {
			return
		}
		for _, e := range doc.Examples(parse(token.NewFileSet(), name, parser.ParseComments)) {
			shown[dir] = true
			if e.Output == "" && !e.EmptyOutput {
				t.Errorf("%s: Example%s is compiled and not run: want // Output: at the beginning of its last comment", name, e.Name)
			}
		}
	})
	for dir, has := range shown {
		_, planned := plan()[dir]
		private := strings.HasPrefix(dir, "cmd/") || strings.HasPrefix(dir, "internal/") || strings.Contains(dir, "/internal/")
		if planned && !private && !has {
			t.Errorf("%s has no Example: show its main use in example_test.go", dir)
		}
	}
}
