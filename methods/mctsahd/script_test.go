package mctsahd

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// one returns the method with one expansion in flight, so that requests can be scripted by number.
func one() *MCTSAHD {
	m := New()
	m.Window = 1
	return m
}

// script answers the i-th request for a program, from 0, with reply(i, operator). The description
// of its answer is "aligned i".
func script(reply func(i int, op string) string) *llm.Scripted {
	n := 0
	return methodtest.Model(func(_ int, r llm.Request) string {
		if r.Purpose == forThought {
			return fmt.Sprintf("aligned %d", n-1)
		}
		n++
		return reply(n-1, r.Purpose.Operator())
	})
}

// rising replies with program i, whose score is i.
func rising(i int, _ string) string { return methodtest.Scored(i, i) }

const junk = "I have no program."

// A trail is a run as its journal records it: the events in order, and the nodes at the end.
type trail struct {
	events []event
	nodes  map[int]*seen // by program; 0 is the root
}

// An event is an attempt, a node that an attempt made, or a program that was rejected.
type event struct {
	note.Offspring
	evaluated bool
	requests  int
	node      *Grown // the new node, or nil
	rejected  *Rejected
	rootSize  int  // N(root) before the event
	widening  bool // an attempt by e2 at an inner node
	visits    int  // N of the expanded node before the event
	children  int  // children of the expanded node before the event
}

type seen struct {
	parent, depth, visits, children int
	operator                        string
}

func follow(t *testing.T, l *record.Loaded) *trail {
	t.Helper()
	tr := &trail{nodes: map[int]*seen{0: {parent: -1}}}
	decode := func(n record.Note, v any) {
		must.Do(t, json.Unmarshal(n.Value, v))
	}
	for _, rec := range l.Records {
		e := event{rootSize: tr.nodes[0].visits}
		switch {
		case rec.Note == nil:
			for _, n := range rec.Step.Notes {
				if n.Kind == "offspring" {
					decode(n, &e.Offspring)
				}
			}
			e.requests, e.evaluated = len(rec.Step.Requests), len(rec.Step.Evaluations) > 0
			at := 0
			if op := e.Operator; op != string(e1) && op != string(i1) {
				at = e.Parents[0]
			}
			if v := tr.nodes[at]; v != nil {
				e.visits, e.children = v.visits, v.children
				e.widening = e.Operator == string(e2) && v.children > 0 && v.depth < 10
			}
		case rec.Note.Kind == "node":
			var n Grown
			decode(*rec.Note, &n)
			e.node = &n
			tr.nodes[n.Program] = &seen{parent: n.Parent, depth: n.Depth, visits: 1,
				operator: n.Operator}
			tr.nodes[n.Parent].children++
			for p := n.Parent; p >= 0; p = tr.nodes[p].parent {
				tr.nodes[p].visits++
			}
		case rec.Note.Kind == "rejected":
			var r Rejected
			decode(*rec.Note, &r)
			e.rejected = &r
		default:
			continue
		}
		tr.events = append(tr.events, e)
	}
	return tr
}

// attempts returns the events that are attempts, without the first skip attempts.
func (tr *trail) attempts(skip int) []event {
	var out []event
	for _, e := range tr.events {
		if e.node == nil && e.rejected == nil {
			out = append(out, e)
		}
	}
	return out[skip:]
}

// children returns the programs directly below a node, in the order in which they became nodes.
func (tr *trail) children(of int) []int {
	var out []int
	for _, e := range tr.events {
		if e.node != nil && e.node.Parent == of {
			out = append(out, e.node.Program)
		}
	}
	return out
}

// operatorsOf returns the operators of events, in order.
func operatorsOf(events []event) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.Operator)
	}
	return out
}

// requests returns all requests of a role, in order.
func requests(m *llm.Scripted, role string) []llm.Request {
	return slices.DeleteFunc(m.Requests(), func(r llm.Request) bool {
		return r.Purpose.Role() != role
	})
}

// shown returns the scores of the programs in a prompt, in the order shown.
func shown(r llm.Request) []string { return methodtest.Shown(r.User[0].Text) }
