// Package web contains the page of the live service: a form whose answer changes with its
// sliders, the user's own pending jobs, the current queue, and how often the answers
// have held.
//
//	asset/*.html, *.css, *.js --embed--> Files --HTTP--> browser --v1/...--> the API
//	page.Asset (base.css, chart.js, ...) ----^
//
// The page is static files: HTML, style sheets and ES modules, without a framework or a
// build step. The browser fills it from the service's own API. It shares colours, type and
// charts with the report (page.Asset): a chart reads the JSON of a figure.Spec, which the page
// builds from the API's answers.
//
// Design decisions:
//   - Nothing is loaded from elsewhere, and no script or style is inline: the page runs
//     under the content security policy default-src 'self', which cmd/internal/serve sets.
//   - All addresses are relative, so that the page works under any path of a reverse
//     proxy. The address of the page must end with a slash.
//   - Text of jobs, users and partitions is inserted only as text nodes, cut to a
//     length that fits.
//   - The page polls every 30 s, and not at all while it is hidden.
//   - The page holds no secret: a service with a token serves the page without asking for
//     it. The page asks the user for the token and keeps it in the browser's session storage.
//
// Its neighbours: cmd/internal/serve serves Files with the API, and has the tests of the
// page in a browser; cmd/internal/page writes the report.
package web
