// Command relay measures whether work survives when sessions of a coding agent are killed. An agent gets a
// task, is killed after some calls, and a new session is told to go on. See docs/relay.md.
//
//	go run ./bench/relay                                    # the built-in agent: deterministic, without a model
//	go run ./bench/relay -agent 'claude -p --dangerously-skip-permissions' -cut 7 -n 3
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/term"
)

// clock is the environment variable that tells ckpt the time if the scripted agent runs it.
const clock = "CKPT_RELAY_TIME"

func main() {
	if isCkpt() {
		os.Exit(asCkpt())
	}
	log.SetFlags(0)
	log.SetPrefix("relay: ")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := relay(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		stop()
		log.Fatal(err)
	}
}

// isCkpt reports whether this process was started as the command ckpt.
func isCkpt() bool { return filepath.Base(os.Args[0]) == "ckpt" }

// asCkpt runs the command ckpt, at the time in the environment variable clock if it is set.
func asCkpt() int {
	return cli.Main(context.Background(), os.Args[1:], cli.World{Streams: term.System(), Now: func() time.Time {
		now, err := time.Parse(time.RFC3339, os.Getenv(clock))
		if err != nil {
			return time.Now()
		}
		return now
	}})
}

// bench has the flags of the command, and the tokens spent so far.
type bench struct {
	agent, as, home, out string
	orders               string // the folder of all orders
	cut                  cut
	sessions, budget     int
	transcripts          io.Writer
	spent                int
}

const scriptedName = "scripted"

// relay runs the chosen arms with the chosen orders, and prints the table.
func relay(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	b := bench{orders: filepath.Join("bench", "relay", "orders")}
	flags := flag.NewFlagSet("relay", flag.ContinueOnError)
	flags.StringVar(&b.agent, "agent", scriptedName, "the `command` that runs one session; the prompt is added")
	flags.StringVar(&b.as, "as", "", "the agent that the command is ("+strings.Join(streamNames(), ", ")+
		" or plain); by default its program")
	flags.StringVar(&b.home, "home", "", "a `folder` that is copied to be the agent's home folder in each run")
	flags.StringVar(&b.out, "out", "", "the `folder` for transcripts and figures; by default a new one")
	arms := flags.String("arm", "ckpt,handoff,none,resume", "the arms, also ckpt-off and ckpt-ref")
	orders := flags.String("order", "", "the orders; by default all")
	at := flags.String("cut", "7", "kill a session after 7 calls, 40000t tokens or 5m; or in a write, commit or delta")
	flags.IntVar(&b.sessions, "sessions", 10, "how many sessions a run has at most")
	flags.IntVar(&b.budget, "budget", 0, "stop after so many tokens; a real agent is not started without")
	n := flags.Int("n", 1, "how many runs each arm has with each order")
	err := flags.Parse(args)
	if err == nil {
		b.cut, err = parseCut(*at)
	}
	if err != nil {
		return err
	}
	names := strings.FieldsFunc(*orders, func(r rune) bool { return r == ',' })
	if len(names) == 0 {
		names, err = orderNames(b.orders)
	}
	if err == nil {
		err = b.prepare(len(names)*len(strings.Split(*arms, ","))*(*n), stdin, stdout)
	}
	if err != nil {
		return err
	}
	transcripts, err := os.Create(filepath.Join(b.out, "transcripts.jsonl"))
	if err != nil {
		return err
	}
	defer transcripts.Close()
	b.transcripts = transcripts
	var all []*result
	var failed error
	for _, name := range names {
		o, err := readOrder(b.orders, name)
		if err != nil {
			return err
		}
		if missing := o.missing(); missing != "" {
			fmt.Fprintf(stdout, "%s is left out: %s is not installed\n", name, missing)
			continue
		}
		for i := range *n {
			for _, arm := range strings.Split(*arms, ",") {
				if failed == nil {
					var r *result
					r, failed = b.run(ctx, o, arm, i+1)
					all = append(all, r)
				}
			}
		}
	}
	if failed == errBudget {
		fmt.Fprintf(stdout, "Stopped: the budget of %d tokens is spent.\n", b.budget)
		failed = nil
	}
	return cmp.Or(failed, b.report(all, stdout))
}

// prepare makes the folder for the output, and asks for the budget of a real agent if it is not given.
func (b *bench) prepare(runs int, stdin io.Reader, stdout io.Writer) error {
	if b.agent != scriptedName && b.cut.inside != "" {
		return fmt.Errorf("-cut %s is for the scripted agent", b.cut.inside)
	}
	if b.agent != scriptedName && b.budget <= 0 {
		fmt.Fprintf(stdout, "%d runs of at most %d sessions of %q. Stop after how many tokens? ", runs, b.sessions, b.agent)
		line, _ := bufio.NewReader(stdin).ReadString('\n')
		n, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil || n <= 0 {
			return fmt.Errorf("no budget, so nothing was started (-budget TOKENS)")
		}
		b.budget = n
	}
	if b.out == "" {
		dir, err := os.MkdirTemp("", "ckpt-relay-out-")
		b.out = dir
		return err
	}
	return os.MkdirAll(b.out, 0o777)
}

// errBudget is the error that ends the benchmark when the budget is spent.
var errBudget = fmt.Errorf("the budget is spent")

// result is the result of one run of an arm.
type result struct {
	Agent, Order, Arm string
	Run               int
	Parts             int // how many parts the order has
	Checks            int // how many checks the order has
	Sessions          []session
	Passed            int   // how many checks the last commit passes at the end
	Broken            []int // the rules that are broken at the end
	Ours, Code        int   // the numbers of commits of ckpt and of code
}

// run runs sessions of one arm with an order until all parts are finished. On an error it returns the result so far.
func (b *bench) run(ctx context.Context, o *order, arm string, n int) (*result, error) {
	r := &result{Agent: b.agent, Order: o.name, Arm: arm, Run: n, Parts: len(o.parts()), Checks: len(o.Checks)}
	root, err := os.MkdirTemp("", "ckpt-relay-run-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(root)
	var a agent = &scripted{}
	setup, now := "claude", time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)
	if b.agent != scriptedName {
		c, err := newCommand(b.agent, b.as, b.transcripts)
		if err != nil {
			return r, err
		}
		a, setup, now = c, c.stream.name, time.Time{}
	}
	p, err := newPlace(ctx, root, b.home, o, arm, setup, now)
	if err != nil {
		return r, err
	}
	for i := range b.sessions {
		prompt, id := o.text, ""
		if i > 0 {
			prompt = "go on"
		}
		if i > 0 && arm == armResume {
			id = r.Sessions[i-1].ID
		}
		about, _ := json.Marshal(map[string]any{"order": o.name, "arm": arm, "run": n, "session": i + 1})
		fmt.Fprintf(b.transcripts, "%s\n", about)
		s, err := a.session(ctx, p, prompt, id, b.cut)
		if err != nil {
			return r, fmt.Errorf("%s, %s, session %d: %w", o.name, arm, i+1, err)
		}
		g, err := p.grade(ctx)
		if err != nil {
			return r, err
		}
		s.Finished = o.finished(g)
		r.Sessions = append(r.Sessions, s)
		r.Passed, r.Broken = g.passed(), o.broken(g)
		if r.Ours, r.Code, err = p.commits(ctx); err != nil {
			return r, err
		}
		b.spent += cmp.Or(s.Tokens, tokensOfCall*(len(s.Calls)+1))
		switch {
		case b.budget > 0 && b.spent >= b.budget:
			return r, errBudget
		case !s.Cut && slices.Equal(s.Finished, o.parts()):
			return r, nil
		}
	}
	return r, nil
}
