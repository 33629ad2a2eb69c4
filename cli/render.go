package cli

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/program"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/report/film"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/suite/status"
)

// A medium is a file format that shows an episode.
type medium struct {
	every int // steps between frames
	width int // pixels of a frame; 0: as the environment draws it
	delay int // between frames of a GIF, in 1/100 s; 0: not a GIF
	write func(r *rendering, ctx context.Context, frames <-chan *image.RGBA) error
}

// media maps file extensions to media. Environments make 50 steps in a second: a GIF plays at
// double speed, which keeps it small, and a video at the original speed.
var media = map[string]medium{
	".gif": {every: 5, width: 300, delay: 5, write: (*rendering).still},
	".mp4": {every: 2, width: 0, write: (*rendering).mp4},
	".png": {every: 10, width: 300, write: (*rendering).still},
}

const (
	mp4Rate = 25
	// stripFile is the file with the strip of a run's best program, in the run's directory.
	stripFile = "strip.png"
)

const hintRun = "RUN is a directory with a journal.jsonl: runs/<task>/<method>/<model>/<seed>"

type rendering struct {
	suite.Options
	medium
	w       *suite.Backend
	task    *bench.Task
	split   bench.Split
	seed    int // seed of the episode, if given
	number  int // number of the instance
	given   int // width of a frame, if given
	program program.Program
	factor  float64 // on time limits
	out     string
	count   int // frames of a strip

	data   []byte
	shown  int         // frames
	titles []string    // of titled pictures
	size   image.Point // of a frame
	codec  string      // of a video
}

func (c *console) renderCommand() *cli.Command {
	return command(cli.Command{
		Name:        "render",
		Usage:       "show what a program does: an animation, a video or a strip of frames",
		Description: "pacebench render best.py --task racing-car --out best.gif",
		ArgsUsage:   "FILE.py|RUN",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "task", Usage: "task whose function FILE.py defines"},
			&cli.StringFlag{Name: "split",
				Usage: "split of the episode; default: the training split"},
			episodeFlag(),
			intFlag("instance", 0, 0, math.MaxInt32,
				"number of the instance, from 0, on a task without episodes"),
			&cli.StringFlag{Name: "out", Aliases: []string{"o"},
				Usage: "file to write: .gif, .mp4 or .png; default for RUN: its " + stripFile},
			intFlag("width", 0, 32, 2000,
				"width of a frame in pixels; default: 300, for .mp4 the environment's"),
			intFlag("frames", 6, 1, 50, "frames of a strip (.png)"),
		}, machineFlags()),
	}, 1, 1, func(cc *cli.Context) error {
		r := &rendering{
			Options: c.options(cc), out: cc.String("out"), count: cc.Int("frames"), factor: 1,
			seed: cc.Int("seed"), number: cc.Int("instance"), given: cc.Int("width"),
		}
		err := r.read(cc.Args().First(), cc.String("task"), cc.String("split"))
		if err != nil {
			return err
		}
		r.Jobs = max(r.Jobs, 2) // one for the episode, one for the encoder of its video
		return suite.WithBackend(cc.Context, r.Options, func(w *suite.Backend) error {
			r.w = w
			return c.render(cc.Context, r)
		}, r.task)
	})
}

func episodeFlag() cli.Flag {
	f := intFlag("seed", 0, 0, math.MaxInt32, "seed of the episode, one of the split's")
	f.DefaultText = "the first"
	return f
}

// read determines the program, the task and the split before the sandbox starts. The program is a
// file or a run's best program.
func (r *rendering) read(path, name, split string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		l, err := record.Load(path)
		if err != nil {
			return hint.Add(usage(err), hintRun)
		}
		if pytask.Named(name) {
			if err := r.Files.Load(name); err != nil {
				return err
			}
		} else if name != "" && name != l.Header.Task {
			return usagef("--task %s: %s is a run on %s", name, path, l.Header.Task)
		}
		if r.Options, err = suite.ChooseLock(r.Options, l); err != nil {
			return err
		}
		name, r.factor = l.Header.Task, l.Header.Factor()
		if r.task, err = r.TaskOfRun(name); err != nil {
			return err
		}
		if r.out == "" {
			r.out = filepath.Join(path, stripFile)
		}
		path = filepath.Join(path, "best.py")
		f, err := plain.Open(path, os.O_RDONLY)
		if err != nil {
			return usage(err)
		}
		f.Close()
	}
	if err := r.episode(name, split); err != nil {
		return err
	}
	if err := r.file(); err != nil {
		return err
	}
	var err error
	r.program.Source, err = readProgram(path)
	return err
}

func (r *rendering) episode(name, split string) (err error) {
	if r.task == nil {
		if r.task, err = r.LookupTask(name); err != nil {
			return err
		}
	}
	r.split = r.task.Splits[0]
	if split != "" {
		var ok bool
		if r.split, ok = r.task.Split(split); !ok {
			return hint.Add(usagef("--split %s: %s has no such split", split, name),
				oneOf("splits", split, suite.SplitNames(r.task)))
		}
	}
	if r.task.Pictures == "" {
		return usagef("task %s has no pictures to show", name)
	}
	if r.split.Seeds == nil {
		if r.Given["seed"] {
			return hint.Add(usagef("--seed: %s has no episodes", name),
				"--instance names an instance by its number")
		}
		if r.number >= r.split.Instances {
			return usagef("--instance %d: %s has the instances 0 to %d",
				r.number, r.split.Name, r.split.Instances-1)
		}
		return nil
	}
	if r.Given["instance"] {
		return hint.Add(usagef("--instance: %s has episodes", name), "use --seed instead")
	}
	if r.Given["seed"] {
		r.number = slices.Index(r.split.Seeds, r.seed)
		if r.number < 0 {
			seeds := strings.Trim(fmt.Sprint(r.split.Seeds), "[]")
			return hint.Add(usagef("--seed %d: not a seed of %s", r.seed, r.split.Name),
				"seeds: "+seeds)
		}
	}
	return nil
}

func (r *rendering) file() error {
	if r.out == "" {
		return hint.Add(usagef("--out is missing"), "-o FILE.gif, FILE.mp4 or FILE.png")
	}
	ending := strings.ToLower(filepath.Ext(r.out))
	var ok bool
	if r.medium, ok = media[ending]; !ok {
		return hint.Add(usagef("--out %s: not a .gif, an .mp4 or a .png", r.out),
			"the ending of the name decides the format")
	}
	if r.split.Seeds == nil && r.task.Files == nil && ending != ".png" {
		return hint.Add(usagef("--out %s: %s has no episodes", r.out, r.task.Name), "-o FILE.png")
	}
	if _, err := os.Stat(filepath.Dir(r.out)); err != nil {
		return usage(fmt.Errorf("--out: %w", err))
	}
	if info, err := os.Stat(r.out); err == nil && info.IsDir() {
		return usagef("--out %s: is a directory", r.out)
	}
	if r.Given["frames"] && ending != ".png" {
		return usagef("--frames is for strips (.png) only")
	}
	if r.Given["width"] {
		r.width = r.given
	}
	return nil
}

// render runs the program on the instance, writes the file, and prints a summary. If the program
// fails, the file shows the steps before the failure.
func (c *console) render(ctx context.Context, r *rendering) error {
	line, end := r.Line(status.Plan{Name: filepath.Base(r.out), Kind: r.task.Name})
	value, fault, err := r.play(ctx, line)
	end()
	if err != nil {
		return err
	}
	if err := journal.WriteFile(r.out, r.data); err != nil {
		return err
	}
	codec := ""
	if r.codec != "" {
		codec = ", " + r.codec
	}
	fmt.Fprintf(c.out, "%s: %s %s, %s, %.6g; frames: %d of %d×%d; %d kB%s\n",
		r.out, r.task.Name, r.split.Name, r.split.Instance(r.number), value,
		r.shown, r.size.X, r.size.Y, (len(r.data)+999)/1000, codec)
	if r.titles != nil {
		fmt.Fprintln(c.out, strings.Join(r.titles, " | "))
	}
	if fault != nil {
		return fmt.Errorf("the program failed, so %s ends at the failure: %s", r.out, fault)
	}
	return nil
}

// play sends the frames of the episode to the medium as they are made.
func (r *rendering) play(
	ctx context.Context, line *status.Line) (value float64, fault *record.Fault, err error) {
	frames := make(chan *image.RGBA)
	g, ctx := errgroup.WithContext(ctx)
	show := func(p bench.Picture) error {
		f, err := film.Image(p.Pixels, r.width)
		if err != nil {
			return err
		}
		if p.Title != "" {
			r.titles = append(r.titles, p.Title)
		}
		r.shown++
		r.size = f.Rect.Size()
		line.Doing(fmt.Sprintf("frame %d", r.shown))
		select {
		case frames <- f:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	g.Go(func() (err error) {
		defer close(frames)
		value, fault, err = r.w.Evaluator(r.task, r.factor, nil).Film(ctx, r.split.Name, r.number,
			r.program, bench.Film{Every: r.every, Show: show})
		switch {
		case err != nil || r.shown > 0:
		case fault != nil:
			err = fmt.Errorf("%s drew no picture, because the program failed: %s", r.task.Name,
				fault)
		default:
			err = fmt.Errorf("%s drew no picture", r.task.Name)
		}
		return err
	})
	g.Go(func() error { return r.write(r, ctx, frames) })
	err = g.Wait()
	return value, fault, err
}

// still makes a GIF or a strip of the whole episode, or nothing if there are no frames.
func (r *rendering) still(_ context.Context, frames <-chan *image.RGBA) (err error) {
	var list []*image.RGBA
	for f := range frames {
		list = append(list, f)
	}
	if len(list) == 0 {
		return nil
	}
	var b bytes.Buffer
	if r.delay > 0 {
		err = film.GIF(&b, list, r.delay)
	} else {
		r.shown = min(r.count, len(list))
		e := png.Encoder{CompressionLevel: png.BestCompression}
		err = e.Encode(&b, film.Strip(film.Spread(list, r.count)))
	}
	r.data = b.Bytes()
	return err
}

func (r *rendering) mp4(ctx context.Context, frames <-chan *image.RGBA) error {
	first := <-frames
	if first == nil {
		return nil
	}
	size := first.Rect.Size()
	next := func(ctx context.Context) (*image.RGBA, error) {
		if f := first; f != nil {
			first = nil
			return f, nil
		}
		select {
		case f := <-frames: // nil at the end
			return f, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return r.w.Hosts.Lend(ctx, film.Encoder, func(h bench.Host) (err error) {
		r.data, r.codec, err = film.Video(ctx, h, size, mp4Rate, next)
		return err
	})
}
