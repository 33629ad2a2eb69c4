package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	_ "image/png" // the format of pictures of behaviour
	"math"
	"path"
	"slices"
	"strings"
)

// An Image is sent inline. A journal keeps only its digest; the bytes are in blobs/.
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

// hasImages reports whether a request shows an image.
func (r Request) hasImages() bool {
	return slices.ContainsFunc(r.User, func(p Part) bool { return p.Image != nil })
}

// tileRates are what OpenAI bills for an image: base tokens and tokens for each tile. The first
// matching prefix of a model's name counts; the last entry matches all models.
var tileRates = []struct {
	model      string
	base, tile int
}{
	{"gpt-4o-mini", 2833, 5667}, {"gpt-5", 70, 140}, {"o1", 75, 150}, {"o3", 75, 150},
	{"", 85, 170},
}

// estimateImage estimates the tokens that a model's server bills for an image, by its size: 25,501
// for 765×697 pixels and gpt-4o-mini. The model's name is as in Model.Name or as the server gives
// it.
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

// tiles returns the number of squares of 512 pixels that cover an image, after it was scaled to fit
// into 2048×2048 and its shorter side to 768, as OpenAI's automatic detail does. An image that
// cannot be read counts as an image of the usual size.
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
