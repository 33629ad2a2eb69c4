package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	_ "image/png" // the format of pictures of behaviour
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	maxCount = 1e9 // tokens of one answer; more is a server's mistake
	maxCost  = 1e6 // USD of one answer
)

// readUsage reads the server's counts in any of the forms in use. It replaces missing, zero and
// impossible counts of the prompt and the completion by the guess, rounds fractions, and marks a
// result with such a change as estimated.
func readUsage(raw json.RawMessage, guess Usage) Usage {
	fields := object(raw)
	u := Usage{}
	_ = json.Unmarshal(fields["estimated"], &u.Estimated) // stays false unless the field is true
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

// An Image is sent inline. A journal keeps its type and digest; the bytes are in blobs/.
type Image struct {
	MediaType string `json:"media_type"` // "image/png"
	Digest    string `json:"digest"`     // lower-case hex SHA-256 of Data
	Data      []byte `json:"-"`
}

// NewImage makes an image with its digest.
func NewImage(mediaType string, data []byte) *Image {
	sum := sha256.Sum256(data)
	return &Image{MediaType: mediaType, Digest: hex.EncodeToString(sum[:]), Data: data}
}

func (r Request) hasImages() bool {
	return slices.ContainsFunc(r.User, func(p Part) bool { return p.Image != nil })
}

// tileRates are the tokens that OpenAI bills for an image: base tokens, and tokens for each tile.
// The first matching prefix of a model's name counts; the last entry matches all models.
var tileRates = []struct {
	model      string
	base, tile int
}{
	{"gpt-4o-mini", 2833, 5667}, {"gpt-5", 70, 140}, {"o1", 75, 150}, {"o3", 75, 150},
	{"", 85, 170},
}

// estimateImage estimates the tokens that a model's server bills for an image, by its size: 25,501
// for 765×697 pixels and gpt-4o-mini. The model's name is as in Model.Name or Config.Model.
func estimateImage(model string, m *Image) int {
	name, _, _ := strings.Cut(strings.TrimPrefix(model, "openai:"), ",")
	name = strings.ToLower(path.Base(name))
	for _, r := range tileRates {
		if strings.HasPrefix(name, r.model) {
			return r.base + r.tile*tiles(m)
		}
	}
	panic("llm: the last rate is for all models")
}

// tiles returns the number of squares of 512×512 pixels that cover an image, after it was scaled
// down to fit into 2048×2048 and to have a shorter side of at most 768, as OpenAI's automatic
// detail does. An image that cannot be read counts as four tiles.
func tiles(m *Image) int {
	c, _, err := image.DecodeConfig(bytes.NewReader(m.Data))
	if err != nil || c.Width < 1 || c.Height < 1 {
		return 4
	}
	w, h := float64(c.Width), float64(c.Height)
	scale := min(1, 2048/max(w, h))
	scale = min(scale, 768/min(w, h))
	across, down := math.Ceil(w*scale/512), math.Ceil(h*scale/512)
	return int(across * down)
}
