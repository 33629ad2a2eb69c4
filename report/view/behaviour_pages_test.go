package view

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// TestChromiumBehaviour shows the behaviour of a program on served pages, and the stored behaviour
// of the best program in files.
func TestChromiumBehaviour(t *testing.T) {
	long(t)
	hostile := `<img src=x onerror=alert(1)>`
	picture := image.NewRGBA(image.Rect(0, 0, 40, 40))
	for i := range 40 {
		picture.Set(i, i, color.RGBA{0, 114, 178, 255})
	}
	var data bytes.Buffer
	must.Do(t, png.Encode(&data, picture))
	s, _ := study(t)
	task := *tasks[0]
	task.Pictures, task.Splits = "tours", []bench.Split{{Name: "train", Instances: 3}}
	s.Tasks = []*bench.Task{&task}
	s.Stage = func(
		_ context.Context, r *results.Run, source string, instance int,
	) (*Behaviour, error) {
		value := 6.25
		b := &Behaviour{Value: &value, Pictures: []Picture{
			{"nearest neighbour: 7.1", data.Bytes()}, {"this program: 6.25", data.Bytes()},
		}}
		if instance == 2 {
			b.Value, b.Fault = nil, &record.Fault{Kind: record.Raised, Detail: hostile}
		}
		return b, nil
	}
	x, runs, err := s.read(&results.Reader{})
	must.Do(t, err)
	page := func(evaluation int) string {
		return fmt.Sprintf("#/run/%s/%d", x.Runs[0].ID, evaluation)
	}
	best := runs[0].Best.Evaluation
	both(t, s, func(t *testing.T, b *browser, address string, own []string) {
		p := b.open(t, address+page(best), 1280, 900)
		served := strings.HasPrefix(address, "http")
		if served {
			p.click("#behaviour summary", "What it does: tours")
		}
		p.until("[...document.querySelectorAll('.pictures img')]" +
			".filter((i) => i.naturalWidth === 40).length === 2")
		got := ask[string](p, "document.querySelector('.pictures').innerText")
		if !strings.Contains(got, "this program: 6.25") {
			t.Error(got)
		}
		if !served { // nothing is stored for other programs
			p.quiet(own...)
			p = b.open(t, address+page(1), 1280, 900)
			p.until("document.querySelector('#heading')?.textContent.startsWith('Evaluation 1')")
			if best != 1 && ask[bool](p, "!!document.querySelector('#behaviour')") {
				t.Error("pictures that were not stored are offered")
			}
		} else { // a failure is shown as text
			ask[bool](p, `(() => {
				const s = document.querySelector('#instance');
				s.value = 2;
				return s.dispatchEvent(new Event('change'));
			})()`)
			p.until("document.querySelector('#behaviour .bad')?.textContent.includes('<img src=x')")
		}
		p.quiet(own...)
	})
}
