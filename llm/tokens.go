package llm

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

const (
	maxCount = 1e9 // tokens of one answer; more is a server's mistake
	maxCost  = 1e6 // USD of one answer
)

// readUsage reads the server's counts in any of the forms in use. It replaces missing, zero and
// impossible counts by the guess, rounds fractions, and marks the result as estimated if it changed
// anything.
func readUsage(raw json.RawMessage, guess Usage) Usage {
	fields := object(raw)
	u := Usage{}
	var estimated bool
	if json.Unmarshal(fields["estimated"], &estimated) == nil {
		u.Estimated = estimated // see Serve
	}
	take := func(name string, guess int) int {
		n, exact, ok := readCount(fields[name])
		if !ok || n == 0 && guess > 0 {
			u.Estimated = true
			return guess
		}
		u.Estimated = u.Estimated || !exact
		return n
	}
	u.Prompt = take("prompt_tokens", guess.Prompt)
	u.Completion = take("completion_tokens", guess.Completion)
	u.Cached, _, _ = readCount(object(fields["prompt_tokens_details"])["cached_tokens"])
	if u.Cached == 0 {
		u.Cached, _, _ = readCount(fields["prompt_cache_hit_tokens"]) // DeepSeek
	}
	u.Reasoning, _, _ = readCount(object(fields["completion_tokens_details"])["reasoning_tokens"])
	total, exact, ok := readCount(fields["total_tokens"])
	if ok && exact && !u.Estimated && total > u.Total() {
		// Gemini does not count its thoughts as completion, but charges them as output.
		u.Reasoning = max(u.Reasoning, total-u.Total())
		u.Completion = total - u.Prompt
	}
	switch n, _, ok := readCount(object(fields["prompt_tokens_details"])["image_tokens"]); {
	case ok && n > 0:
		u.Images = n
	case guess.Images > 0:
		u.Images = max(0, u.Prompt-(guess.Prompt-guess.Images))
	}
	u.Images = min(u.Images, u.Prompt)
	u.Cached, u.Reasoning = min(u.Cached, u.Prompt), min(u.Reasoning, u.Completion)
	if usd, ok := readNumber(fields["cost"]); ok && usd < maxCost { // OpenRouter
		u.Cost = usd
	}
	return u
}

// object returns the fields of a JSON object, or nil.
func object(raw json.RawMessage) (fields map[string]json.RawMessage) {
	if json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	return fields
}

// readCount reads a number of tokens and reports whether it was an integer.
func readCount(raw json.RawMessage) (n int, exact, ok bool) {
	f, ok := readNumber(raw)
	if !ok || f > maxCount {
		return 0, false, false
	}
	return int(math.Round(f)), f == math.Trunc(f), true
}

// readNumber reads a number that is not negative, possibly written as a string.
func readNumber(raw json.RawMessage) (f float64, ok bool) {
	text := strings.TrimSpace(string(raw))
	var s string
	if json.Unmarshal(raw, &s) == nil && text != "null" {
		text = strings.TrimSpace(s)
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && f >= 0 && !math.IsInf(f, 0)
}
