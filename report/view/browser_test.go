package view

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// chromium is the browser of these tests: the one that PACEBENCH_CHROMIUM names, or one on PATH.
func chromium(t *testing.T) string {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	if own := os.Getenv("PACEBENCH_CHROMIUM"); own != "" {
		names = []string{own}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("no browser: none of %s; "+
		"install the package chromium, or name one in PACEBENCH_CHROMIUM",
		strings.Join(names, ", "))
	return ""
}

// long skips a test that takes too long for the quick tier.
func long(t *testing.T) {
	t.Helper()
	if !benchtest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
}

// A browser is a headless Chromium of one test.
type browser struct {
	t   *testing.T
	ctx context.Context
}

// launch starts a browser, all of whose processes end with the test.
func launch(t *testing.T) *browser {
	t.Helper()
	path, profile := chromium(t), filepath.Join(t.TempDir(), "profile")
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.DisableGPU,
		chromedp.Flag("hide-scrollbars", false))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, free := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // closes the browser and waits for it
		cancel()
		free()
		for range 3000 { // 5 minutes: only a browser that hangs takes so long
			if !alive(profile) {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Error("processes of the browser are left behind")
	})
	must.Do(t, chromedp.Do(ctx))
	return &browser{t, ctx}
}

// alive reports whether the command line of any process contains a word.
func alive(word string) bool {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, line := range lines {
		if text, err := os.ReadFile(line); err == nil && bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// A tab is one page, with its complaints and the addresses that it asked for.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string // errors, violations of the policy, dialogs
	asked      []string // addresses
}

// open shows an address in a window of some size.
func (b *browser) open(t *testing.T, address string, width, height int64) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx}
	must.Do(t, chromedp.Listen(ctx, p.listen))
	p.do(chromedp.EmulateViewport(width, height))
	p.show(address)
	return p
}

func (p *tab) show(address string) {
	p.t.Helper()
	p.do(chromedp.Navigate(address))
}

func (p *tab) listen(event any) {
	complaint := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.mu.Lock()
		p.asked = append(p.asked, e.Request.URL)
		p.mu.Unlock()
	case *runtime.EventExceptionThrown:
		complaint = "exception: " + e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			complaint += " " + x.Description
		}
	case *runtime.EventConsoleAPICalled:
		complaint = fmt.Sprintf("console.%s", e.Type)
		for _, a := range e.Args {
			complaint += " " + string(a.Value)
		}
	case *log.EventEntryAdded:
		complaint = fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
	case *page.EventJavascriptDialogOpening:
		complaint = "dialog: " + e.Message
		go func() {
			params := page.HandleJavaScriptDialogParams{}
			_, _ = chromedp.Call(p.ctx, page.HandleJavaScriptDialog, params)
		}()
	}
	if complaint != "" {
		p.mu.Lock()
		p.complaints = append(p.complaints, complaint)
		p.mu.Unlock()
	}
}

// quiet fails the test if the page complained, or if it asked for an address that begins with none
// of own.
func (p *tab) quiet(own ...string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.complaints {
		p.t.Errorf("the page complains: %.300s", c)
	}
	for _, a := range p.asked {
		allowed := func(s string) bool { return strings.HasPrefix(a, s) }
		if !slices.ContainsFunc(append(own, "data:", "blob:"), allowed) {
			p.t.Errorf("the page asked for %s", a)
		}
	}
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	run(p, chromedp.Steps(actions...))
}

// run runs one action and returns its value.
func run[T any](p *tab, action chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Minute)
	defer cancel()
	value, err := chromedp.Run(ctx, action)
	if err != nil {
		p.t.Fatalf("%v; the page says: %.500s", err, p.text())
	}
	return value
}

// text returns the text that the page shows.
func (p *tab) text() string {
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	text, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body.innerText"))
	return text
}

// ask evaluates an expression in the page.
func ask[T any](p *tab, expression string) T {
	p.t.Helper()
	return run(p, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// until waits for an expression to be true.
func (p *tab) until(expression string) {
	p.t.Helper()
	for end := time.Now().Add(5 * time.Minute); !ask[bool](p, "!!("+expression+")"); {
		if time.Now().After(end) {
			p.t.Fatalf("not in time: %s; the page says: %.500s", expression, p.text())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// press types keys, which have the names of package kb.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.do(chromedp.KeyEvent(k))
	}
}

// click clicks the first element of a selector that has this text, or the first element if the text
// is empty. A busy page can move between the question for the place and the click; then click tries
// again.
func (p *tab) click(selector, text string) {
	p.t.Helper()
	found := fmt.Sprintf("[...document.querySelectorAll(%q)]"+
		".find((e) => !%q || e.textContent.trim() === %q)", selector, text, text)
	for pressed := false; !pressed; {
		p.until(found)
		at := p.still(fmt.Sprintf(`(() => {
			const e = %s;
			window.pressed = false;
			e.addEventListener("click", () => (window.pressed = true), { once: true });
			e.scrollIntoView({ block: "center" });
			const r = e.getClientRects()[0];
			return [r.left + r.width / 2, r.top + r.height / 2];
		})()`, found))
		p.do(chromedp.MouseClickXY(at[0], at[1]))
		// The window of a new page has no "pressed".
		pressed = ask[bool](p, "window.pressed !== false")
	}
}

// clickChart clicks the point (x, y) of a series in the chart whose label begins with label.
func (p *tab) clickChart(label string, series int, x, y float64) {
	p.t.Helper()
	box := fmt.Sprintf(`document.querySelector('[role=img][aria-label^="%s"]')`, label)
	p.until(box + "?.querySelector('canvas')")
	at := p.still(fmt.Sprintf(`(() => {
		const box = %s;
		box.scrollIntoView({ block: "center" });
		const at = echarts.getInstanceByDom(box).convertToPixel({ seriesIndex: %d }, [%g, %g]);
		const r = box.getBoundingClientRect();
		return [r.left + at[0], r.top + at[1]];
	})()`, box, series, x, y))
	p.do(chromedp.MouseEvent("mouseMoved", at[0], at[1]), chromedp.MouseClickXY(at[0], at[1]))
}

// still asks for a place until two answers, some frames apart, are equal.
func (p *tab) still(place string) [2]float64 {
	p.t.Helper()
	at := ask[[2]float64](p, place)
	for {
		time.Sleep(100 * time.Millisecond)
		now := ask[[2]float64](p, place)
		if now == at {
			return at
		}
		at = now
	}
}

// both runs a test on served pages and on written pages.
func both(
	t *testing.T, s *Site,
	test func(t *testing.T, b *browser, address string, own []string),
) {
	t.Helper()
	b := launch(t)
	t.Run("served", func(t *testing.T) {
		server := httptest.NewServer(s.Handler())
		t.Cleanup(server.Close)
		test(t, b, server.URL+"/", []string{server.URL + "/"})
	})
	t.Run("files", func(t *testing.T) {
		dir := t.TempDir()
		page, err := s.Write(t.Context(), dir)
		must.Do(t, err)
		test(t, b, "file://"+page, []string{"file://" + dir + "/"})
	})
}
