package program_test

import (
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

const (
	wantIdea = "Ten times a, plus b."
	wantCode = "def f(a, b):\n    return 10 * a + b\n"
	block    = "```python\n" + wantCode + "```\n"
	fine     = "{" + wantIdea + "}\n" + block
	draft    = "They want {a draft of the idea}:\n```python\ndef f(a, b):\n    return a\n```\n"
	other    = "{The other way round.}\n```python\ndef f(a, b):\n    return b\n```\n"
)

// TestMarksOfTemplates checks that the program and the idea come from the answer, with any marks
// that a server leaves in a reply.
func TestMarksOfTemplates(t *testing.T) {
	an := programtest.Analyzer(t)
	for name, reply := range map[string]string{
		"thinking in capitals":  "<THINKING>" + draft + "</THINKING>" + fine,
		"an attribute":          `<thinking mode="deep">` + draft + "</thinking>" + fine,
		"thought":               "<thought>\n" + draft + "\n</thought>\n" + fine,
		"an idea as a thought":  "<thought>\n{" + wantIdea + "}\n</thought>\n" + block,
		"seed":                  "<seed:think>" + draft + "</seed:think>" + fine,
		"mm":                    "<mm:think>" + draft + "</mm:think>" + fine,
		"Mistral":               "[THINK]" + draft + "[/THINK]" + fine,
		"Mistral, no beginning": draft + "[/THINK]" + fine,
		"Kimi":                  "◁think▷" + draft + "◁/think▷\n" + fine,
		"Gemma":                 "<|channel>thought\n" + draft + "\n<channel|>" + fine + "<turn|>",
		"MedGemma":              "<unused94>thought\n" + draft + "<unused95>" + fine,
		"Cohere": "<|START_THINKING|>" + draft + "<|END_THINKING|><|START_RESPONSE|>" + fine +
			"<|END_RESPONSE|><|END_OF_TURN_TOKEN|>",
		"Apertus": "<|inner_prefix|>" + draft + "<|inner_suffix|>" + fine,
		"OpenThinker": "<|begin_of_thought|>" + draft + "<|end_of_thought|>\n" +
			"<|begin_of_solution|>" + fine + "<|end_of_solution|>",
		"Solar": "<|think|>" + draft + "<|end|><|begin|>assistant<|content|>" + fine + "<|end|>",
		"gpt-oss": "<|channel|>analysis<|message|>" + draft +
			"<|end|><|start|>assistant<|channel|>final<|message|>" + fine + "<|return|>",
		"gpt-oss with a comment": "<|channel|>analysis<|message|>" + draft +
			"<|end|><|start|>assistant<|channel|>commentary to=python<|message|>" + draft +
			"<|call|><|start|>assistant<|channel|>final <|constrain|>md<|message|>" + fine,
		"gpt-oss without marks": "analysis" + draft + "assistantfinal" + fine,
		"Granite": "Here is my thought process: " + draft +
			"Here is my response:\n" + fine,
		"Open WebUI": `<details type="reasoning" done="true">` + draft +
			"</details>\n" + fine,
		"GLM": "<think>" + draft + "</think><answer><|begin_of_box|>" + fine +
			"<|end_of_box|></answer>",
		"Hunyuan, no fence": "<think>" + draft + "</think>\n<answer>\n{" + wantIdea + "}\n" +
			strings.TrimSpace(wantCode) + "</answer>",

		"ChatML":                 fine + "<|im_end|>",
		"a mark that is cut off": "{" + wantIdea + "}\n" + strings.TrimSpace(wantCode) + "<|im_en",
		"no fence": "{" + wantIdea + "}\n" + strings.TrimSpace(wantCode) +
			"<|im_end|>",
		"in the fence": strings.TrimSuffix(fine, "\n```\n") + "</s>\n```",
		"DeepSeek": "{" + wantIdea + "}\n" + strings.TrimSpace(wantCode) +
			"<｜end▁of▁sentence｜>",
		"before and behind": "<s><|im_start|>assistant\n" + fine + "<|im_end|>",
		"JSON": `{"thought": "` + wantIdea +
			`", "code": "def f(a, b):\n    return 10 * a + b"}<eos>`,
		"the idea, then a turn": "{" + wantIdea + "}<|im_end|>\n<|im_start|>assistant\n" + block,
		"thinking, then an end": "<think>" + draft + "</think>" + fine + "<|endoftext|>Human: x\n" +
			other,

		"another turn": fine + "<|im_end|>\n<|im_start|>user\nAnother.<|im_end|>\n" +
			"<|im_start|>assistant\n" + other,
		"a user before": "<|im_start|>user\n" + other +
			"<|im_end|>\n<|im_start|>assistant\n" + fine,
		"Llama": fine + "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nMore!<|eot_id|>" +
			"<|start_header_id|>assistant<|end_header_id|>\n\n" + other,
		"Gemma, another turn": fine + "<end_of_turn>\n<start_of_turn>user\nMore.<end_of_turn>\n" +
			"<start_of_turn>model\n" + other,
		"Mistral, another turn":  fine + "</s>[INST] More. [/INST]" + other,
		"DeepSeek, another turn": fine + "<｜User｜>More.<｜Assistant｜>" + other,
		"think in another turn": fine + "<|im_end|>\n<|im_start|>assistant\n" + draft + "</think>" +
			other,
		"a speaker":            fine + "\nUser: Another one.\nAssistant: " + other,
		"a speaker, no fence":  "{" + wantIdea + "}\n" + wantCode + "Human: another\n" + other,
		"a heading":            fine + "### Instruction\nAnother one.\n### Response\n" + other,
		"roles without marks":  fine + "user\nAnother one.\nassistant\n" + other,
		"a user who is quoted": "User: wants a function.\n" + fine,
		"a stub behind it": fine + "In general:\n```python\ndef f(a, b):\n" +
			"    # to do\n    raise NotImplementedError(\"f\")\n```\n",
	} {
		x, err := program.Extract(t.Context(), an, reply, target, shapeOptions)
		if err != nil || x.Thought != "{"+wantIdea+"}" || x.Kept != wantCode {
			t.Errorf("%s: Extract = %v, %q,\n%s", name, err, x.Thought, x.Kept)
		}
		if got := program.Idea(reply); got != wantIdea {
			t.Errorf("%s: Idea = %q", name, got)
		}
	}
}

func TestWords(t *testing.T) {
	for reply, want := range map[string]string{
		"Use a - b < c[1].\n":                          "Use a - b < c[1].\n",
		"<think>Hm.</think>\n\nUse a.":                 "Use a.",
		"Hm.</think>Use a.":                            "Use a.",
		"<think>Hm. I would use":                       "",
		"Use a.<|im_end|>\n<|im_start|>user\nAnd now?": "Use a.",
		"<|im_start|>assistant\nUse a.<|im_end|>":      "Use a.",
		"<think>Hm.</think></s>":                       "",
		"":                                             "",
	} {
		if got := program.Words(reply); got != want {
			t.Errorf("Words(%q) = %q, want %q", reply, got, want)
		}
	}
}
