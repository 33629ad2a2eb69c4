package film

import (
	"context"
	_ "embed"
	"fmt"
	"image"

	"github.com/pacebench/pacebench/bench"
)

//go:embed video.py
var videoSource string

// Encoder is the trusted Python program that encodes a video. The host that Video gets must be a
// process of Encoder.
var Encoder = &bench.Scorer{
	Packages: "control", Modules: map[string]string{"video": videoSource}, Main: "video",
}

// Video makes an MP4. It calls next for each frame, until next returns nil. codec describes the
// compression. All frames have the given size, and both sides are even.
func Video(ctx context.Context, h bench.Host, size image.Point, fps int,
	next func(context.Context) (*image.RGBA, error)) (mp4 []byte, codec string, err error) {
	answer := func(ctx context.Context, _ []bench.Value) ([]bench.Value, error) {
		f, err := next(ctx)
		if f == nil || err != nil {
			return nil, err
		}
		rgb := bench.Array{DType: "uint8", Shape: []int{size.Y, size.X, 3}}
		for i := range size.X * size.Y {
			rgb.Data = append(rgb.Data, f.Pix[4*i:4*i+3]...)
		}
		return []bench.Value{rgb}, nil
	}
	job := map[string]int{"width": size.X, "height": size.Y, "fps": fps}
	values, err := h.Call(ctx, "encode", job, answer)
	if err != nil {
		return nil, "", err
	}
	if len(values) == 2 {
		data, ok1 := values[0].(bench.Array)
		name, ok2 := values[1].(bench.Array)
		if ok1 && ok2 {
			return data.Data, string(name.Data), nil
		}
	}
	return nil, "", fmt.Errorf("the encoder returned %d values, want a file and a name",
		len(values))
}
