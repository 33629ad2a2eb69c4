package llm_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
)

// picture returns a PNG of the given size.
func picture(t *testing.T, width, height int) *llm.Image {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return llm.NewImage("image/png", b.Bytes())
}

func TestImagesAreEstimatedByTheirSize(t *testing.T) {
	for _, c := range []struct {
		model         string
		width, height int
		want          int
	}{
		{"openai:gpt-4o-mini", 765, 697, 25501}, // a picture of Racing Car, as OpenAI billed it
		{"openai:gpt-4o-mini,max_tokens=4096", 512, 512, 8500},
		{"gpt-4o-mini-2024-07-18", 513, 512, 14167},
		{"openai:openai/gpt-4o", 2048, 4096, 1105}, // this and the next are OpenAI's examples
		{"gpt-4o", 1024, 1024, 765},
		{"openai:o3-mini", 10, 10, 225},
		{"openai:gpt-5-chat-latest", 10, 10, 210},
		{"offline", 765, 697, 765},
	} {
		r := llm.Request{
			User: []llm.Part{{Text: "12345678"}, {Image: picture(t, c.width, c.height)}},
		}
		want := llm.Usage{Prompt: 2 + c.want, Images: c.want, Completion: 1, Estimated: true}
		golden.Same(t, fmt.Sprintf("%s, %d×%d", c.model, c.width, c.height),
			want, llm.EstimateUsage(c.model, r, "yes"))
	}
	broken := llm.Request{
		User: []llm.Part{{Image: llm.NewImage("image/png", []byte("no picture"))}},
	}
	if got := llm.EstimateUsage("gpt-4o", broken, "").Images; got != 765 {
		t.Errorf("an image that cannot be read counts %d tokens, want 765", got)
	}
}

func TestImageTokensAreToldApart(t *testing.T) {
	r := llm.Request{
		User: []llm.Part{{Text: strings.Repeat("word", 100)}, {Image: picture(t, 8, 4)}},
	}
	for _, c := range []struct {
		name, usage string
		want        llm.Usage
	}{
		{"the server tells", `{"prompt_tokens":900,"completion_tokens":1,` +
			`"prompt_tokens_details":{"image_tokens":700}}`,
			llm.Usage{Prompt: 900, Images: 700, Completion: 1}},
		{"the server counts only the prompt", `{"prompt_tokens":900,"completion_tokens":1}`,
			llm.Usage{Prompt: 900, Images: 800, Completion: 1}},
		{"fewer than the text has", `{"prompt_tokens":90,"completion_tokens":1}`,
			llm.Usage{Prompt: 90, Completion: 1}},
		{"more than the prompt has", `{"prompt_tokens":90,"completion_tokens":1,` +
			`"prompt_tokens_details":{"image_tokens":700}}`,
			llm.Usage{Prompt: 90, Images: 90, Completion: 1}},
		{"the server counts nothing", `null`,
			llm.Usage{Prompt: 8600, Images: 8500, Completion: 1, Estimated: true}},
	} {
		server := llmtest.New(t, echo())
		server.Next(llmtest.Body(200, "application/json",
			`{"choices":[{"message":{"content":"a"}}],"usage":`+c.usage+`}`))
		m := open(t, llm.Config{Model: "gpt-4o-mini", BaseURL: server.URL})
		reply, err := m.Complete(t.Context(), r)
		must.Do(t, err)
		golden.Same(t, c.name, c.want, reply.Usage)
	}
}

func TestAModelWithoutEyesIsNotShownAnything(t *testing.T) {
	server := llmtest.New(t, echo())
	m := open(t, llm.Config{Model: "blind", BaseURL: server.URL, NoImages: true})
	if _, err := m.Complete(t.Context(), ask("x", 1)); err != nil {
		t.Errorf("a text: %v", err)
	}
	_, err := m.Complete(t.Context(),
		llm.Request{User: []llm.Part{{Text: "look"}, {Image: picture(t, 8, 4)}}})
	if err == nil || !strings.Contains(err.Error(), "the model does not accept images") ||
		server.Asked() != 1 {
		t.Errorf("an image: %v after %d requests, want it refused and not sent", err,
			server.Asked())
	}
}
