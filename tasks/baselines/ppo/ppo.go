package ppo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/python/host"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// ErrRefused means that the requested training cannot begin: a package is missing or has another
// version, or the directory contains a checkpoint with other settings.
var ErrRefused = errors.New("training refused")

// A Run trains one policy, evaluates it at barriers, tests the policy of the best barrier, and
// keeps everything in a run directory: run.json, journal.jsonl with one step for each barrier,
// timing.jsonl, result.json, and the policies in blobs. The directory also has checkpoints, which
// only training reads, and train.log.
type Run struct {
	Header      bench.Header // see Head
	Environment any          // see record.RunFile
	Settings    *Settings
	Task        *bench.Task
	Python      string            // an interpreter with Packages
	Versions    map[string]string // versions of the packages that train.py must find
	Hosts       bench.Hosts       // hosts of the task's scorer
	Players     bench.Hosts       // see Policy
	Tests       []string          // splits for the best policy
	Progress    func(bench.Progress)
	Say         func(text string) // prints one line for each barrier; may be nil
}

// Head completes the header from the settings.
func (s *Settings) Head(h bench.Header) (bench.Header, error) {
	config, err := json.Marshal(s)
	h.Method, h.Family, h.Unit = Name, record.Trained, Unit
	h.Config, h.Seed, h.Budget = config, s.Seed, s.Resets
	h.Models = map[string]string{"": "none"}
	return h, err
}

// Execute trains in the run directory dir, or continues from its last checkpoint, and returns the
// result. After an error, the same call continues the training.
func (r *Run) Execute(ctx context.Context, dir string) (*record.Result, error) {
	dir, err := filepath.Abs(dir) // Python runs in another directory
	if err != nil {
		return nil, err
	}
	if err := r.record(ctx, dir); err != nil {
		return nil, err
	}
	now, err := record.Summary(dir)
	if err != nil {
		return nil, err
	}
	return bench.Finish(ctx, dir, r.evaluator(dir, now.Best.Program), r.Tests)
}

// evaluator returns the evaluator of programs with a stored policy instead of a program.
func (r *Run) evaluator(dir, digest string) *bench.TaskEvaluator {
	policy := &Policy{r.Settings, filepath.Join(dir, "blobs", digest), r.Players}
	return &bench.TaskEvaluator{Task: r.Task, Loader: policy, Hosts: r.Hosts}
}

// record trains until the journal is complete.
func (r *Run) record(ctx context.Context, dir string) error {
	d, err := bench.Open(dir, record.RunFile{Header: &r.Header, Environment: r.Environment})
	if err != nil {
		return err
	}
	defer d.Close()
	j := &keeper{run: r, dir: dir, d: d, began: time.Now()}
	if n := len(d.Lines); n > 0 {
		var last record.Line
		if err := json.Unmarshal(d.Lines[n-1], &last); err == nil && last.Step != nil &&
			last.Step.Evaluations[0].Evaluation >= r.Settings.Resets {
			return nil // trained already
		}
	}
	for _, of := range []string{"blobs", "checkpoints"} { // train.py opens files in them
		if err := plain.Files(filepath.Join(dir, of)); err != nil {
			return err
		}
	}
	scripts, err := os.MkdirTemp("", "pacebench-ppo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scripts)
	files := map[string]string{
		"train.py": source("train.py"), "seedcycle.py": source("seedcycle.py"),
	}
	if r.drawn() {
		files["host.py"], files["view.py"] = host.Module, r.Task.Scorer.Modules["view"]
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(scripts, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return r.train(ctx, dir, filepath.Join(scripts, "train.py"), j)
}

// drawn reports whether Go draws the observations, as it does for programs.
func (r *Run) drawn() bool { return r.Task.Scorer != nil && r.Task.Scorer.Decode != nil }

// job returns the settings in train.py's format, with the seed.
func (s *Settings) job() (json.RawMessage, error) {
	type settings Settings
	return json.Marshal(struct {
		*settings
		Seed uint64 `json:"seed"`
	}{(*settings)(s), s.Seed})
}

// train runs train.py and processes its output.
func (r *Run) train(ctx context.Context, dir, script string, j *keeper) error {
	settings, err := r.Settings.job()
	if err != nil {
		return err
	}
	job, err := json.Marshal(map[string]any{
		"settings": settings, "directory": dir, "packages": r.Versions, "drawn": r.drawn(),
	})
	if err != nil {
		return err
	}
	log, err := plain.Open(filepath.Join(dir, "train.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return err
	}
	defer log.Close()
	started := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.Python, script, string(job))
	threads := strconv.Itoa(r.Settings.Threads)
	cmd.Env = append(os.Environ(), "PYTHONHASHSEED=0", "PYTHONUNBUFFERED=1",
		"SDL_VIDEODRIVER=dummy", "SDL_AUDIODRIVER=dummy", "OMP_NUM_THREADS="+threads,
		"OPENBLAS_NUM_THREADS="+threads, "MKL_NUM_THREADS="+threads)
	cmd.Stderr, cmd.WaitDelay = log, 10*time.Second
	answers, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	drawing, err := r.draw(cmd)
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return errors.Join(fmt.Errorf("training does not start: %w", err), drawing())
	}
	err = j.follow(ctx, out, answers)
	if err != nil {
		cancel()
	}
	exit := cmd.Wait()
	if refused := drawing(); refused != nil && started.Err() == nil {
		return refused
	}
	switch {
	case ctx.Err() != nil && err == nil:
		return ctx.Err()
	case err != nil:
		return err
	case exit != nil:
		return fmt.Errorf("train.py failed after it completed training: %w", exit)
	}
	return nil
}

// draw lets Go draw the observations of train.py's environments, over descriptors 3 and 4 of the
// command. The returned function waits until drawing has ended and returns its error; call it after
// the command has ended.
func (r *Run) draw(cmd *exec.Cmd) (end func() error, err error) {
	if !r.drawn() {
		return func() error { return nil }, nil
	}
	theirRequests, requests, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	replies, theirReplies, err := os.Pipe()
	if err != nil {
		theirRequests.Close()
		requests.Close()
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{theirRequests, theirReplies}
	decode := r.Task.Scorer.Decode()
	var drawing errgroup.Group
	drawing.Go(func() error {
		defer requests.Close() // ends a train.py that still waits for an observation
		return host.Serve(int(requests.Fd()), int(replies.Fd()),
			func(shown []bench.Value) ([]bench.Value, error) {
				frame, err := decode(shown)
				return []bench.Value{frame}, err
			})
	})
	return func() error {
		theirRequests.Close()
		theirReplies.Close() // the last copy, so Serve ends
		err := drawing.Wait()
		replies.Close()
		return err
	}, nil
}

// A keeper converts the lines of train.py to lines of the journal.
type keeper struct {
	run   *Run
	dir   string
	d     *bench.Directory
	next  int // barriers so far; the index of the next barrier
	sum   record.Totals
	began time.Time     // end of the last barrier
	asked time.Duration // duration of the last evaluation
}

// follow reads lines until training is done.
func (k *keeper) follow(ctx context.Context, out io.Reader, answers io.Writer) error {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return fmt.Errorf("%w: %.200q: %w", errProtocol, lines.Bytes(), hint.JSON(err))
		}
		switch e.Event {
		case "start":
			for _, b := range e.Evaluations {
				if err := k.keep(b); err != nil {
					return err
				}
			}
			k.progress(e.barrier, true)
		case "progress":
			k.progress(e.barrier, false)
		case "evaluate":
			if err := k.answer(ctx, e.barrier, answers); err != nil {
				return err
			}
		case "evaluation":
			if err := k.keep(e.barrier); err != nil {
				return err
			}
		case "error":
			return e.refusal(k.dir)
		case "done":
			return nil
		default:
			return fmt.Errorf("%w: %.200q: event %.40q", errProtocol, lines.Bytes(), e.Event)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%w: %w", errProtocol, err)
	}
	log := filepath.Join(k.dir, "train.log")
	return hint.Add(errors.New("train.py ended before it completed training"),
		log+" says why; the same command continues from the last checkpoint")
}

// refusal converts an error event of train.py to an error with a hint.
func (e event) refusal(dir string) error {
	log := filepath.Join(dir, "train.log")
	switch e.Kind {
	case "missing":
		return hint.Add(fmt.Errorf("%w: %s", ErrRefused, e.Message),
			"pacebench doctor --packages "+Packages+" installs it")
	case "packages":
		return hint.Add(fmt.Errorf("%w: %s", ErrRefused, e.Message),
			"leave out --python and run pacebench doctor --packages "+Packages+
				", which makes a suitable environment")
	case "settings":
		return hint.Add(fmt.Errorf("%w: %s: %s", ErrRefused, dir, e.Message),
			"use another --out, or the settings that training began with")
	}
	return hint.Add(fmt.Errorf("train.py: %s", e.Message),
		log+" has the details; the same command continues from the last checkpoint")
}

// progress reports the state of training. replayed means that the state comes from a checkpoint.
func (k *keeper) progress(b barrier, replayed bool) {
	if k.run.Progress != nil {
		k.run.Progress(bench.Progress{
			Evaluations: b.resets(), Budget: k.run.Settings.Resets,
			Replayed: replayed, Best: k.sum.BestScore(),
		})
	}
}

// answer scores a policy and sends the result to train.py.
func (k *keeper) answer(ctx context.Context, b barrier, answers io.Writer) error {
	if !isDigest(b.Model) {
		return fmt.Errorf("%w: %.80q is not a digest", errProtocol, b.Model)
	}
	began := time.Now()
	o, err := k.run.evaluator(k.dir, b.Model).Evaluate(ctx, program.Program{})
	if err != nil {
		return err
	}
	if o.Fault != nil {
		return fmt.Errorf("the policy after %d resets has no score: %w", b.resets(), o.Fault)
	}
	k.asked = time.Since(began)
	line, err := json.Marshal(answer{o.Values, o.Score})
	if err != nil {
		return err
	}
	if _, err = answers.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("train.py does not read its input: %w", err)
	}
	return nil
}

// keep appends a barrier to the journal, or compares it with the line that the journal already has.
func (k *keeper) keep(b barrier) error {
	if err := b.scored(len(k.run.Settings.TrainSeeds), k.run.Task.Splits[0].Instances); err != nil {
		return fmt.Errorf("%w: barrier %d: %w", errProtocol, k.next+1, err)
	}
	rec, err := k.line(b)
	if err != nil {
		return err
	}
	k.sum.Add(rec, nil, nil)
	line, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	k.next++
	if k.next <= len(k.d.Lines) {
		if was := k.d.Lines[k.next-1]; !bytes.Equal(was, line) {
			return hint.Add(
				fmt.Errorf("%s: barrier %d differs from the journal: %s in the journal, %s now",
					k.dir, k.next, was, line),
				"another machine trains a different policy: use another --out, or continue on the "+
					"first machine")
		}
		return nil
	}
	if err := k.d.Journal.Append(line); err != nil {
		return err
	}
	took := time.Since(k.began)
	k.began = time.Now()
	_, _ = fmt.Fprintf(k.d.Timing, `{"step":%d,"train_s":%.3f,"evaluate_s":%.3f}`+"\n",
		k.next-1, (took - k.asked).Seconds(), k.asked.Seconds()) // a lost line does not end the run
	k.progress(b, false)
	if k.run.Say != nil {
		k.run.Say(fmt.Sprintf("%d resets, %d steps: %.3f", b.resets(), b.Steps, *b.Score))
	}
	return nil
}

// line returns a barrier as a journal line: a step without requests.
func (k *keeper) line(b barrier) (l record.Line, err error) {
	used, err := json.Marshal(note.Training{
		Resets: b.Completed, Steps: b.Steps, Updates: b.Updates, CutEpisodes: b.CutEpisodes,
		CutSteps: b.CutSteps, EvaluationEpisodes: (k.next + 1) * len(b.Values),
	})
	return record.Line{Step: &record.Step{
		Number: k.next,
		Evaluations: []record.Evaluation{{
			Evaluation: b.resets(), Policy: b.Model,
			Outcome: bench.Outcome{Score: *b.Score, Values: b.Values},
		}},
		Notes: []record.Note{{Kind: note.Training{}.Kind(), Value: used}},
	}}, err
}

// Recheck plays every stored policy of a run again and compares its training score with the score
// in the journal. It returns the number of policies that have the same score.
func (r *Run) Recheck(ctx context.Context, l *record.Loaded) (n int, err error) {
	dir, err := filepath.Abs(l.Dir)
	if err != nil {
		return 0, err
	}
	for _, s := range l.Programs() {
		digest := s.Policy
		_, err := record.ReadBlob(dir, digest)
		if errors.Is(err, os.ErrNotExist) {
			continue // train.py keeps only the policies of its last two checkpoints
		}
		if err != nil {
			return n, err
		}
		o, err := r.evaluator(dir, digest).Evaluate(ctx, program.Program{})
		if err != nil {
			return n, err
		}
		if o.Fault != nil {
			return n, fmt.Errorf("%s: policy %s after %d resets: score %v in the journal, now it "+
				"fails: %w", l.Dir, digest, s.Evaluation, s.Outcome.Score, o.Fault)
		}
		if o.Score != s.Outcome.Score {
			return n, hint.Add(
				fmt.Errorf("%s: policy %s after %d resets: score %v in the journal, %v now",
					l.Dir, digest, s.Evaluation, s.Outcome.Score, o.Score),
				"torch can give different results on a processor of another maker: "+
					"verify the run on a machine with the same processor")
		}
		n++
	}
	return n, nil
}

// Evaluator returns an evaluator of the best policy of a run.
func (r *Run) Evaluator(l *record.Loaded) (*bench.TaskEvaluator, error) {
	dir, err := filepath.Abs(l.Dir)
	if err != nil {
		return nil, err
	}
	return r.evaluator(dir, l.Summarize().Best.Program), nil
}
