package record

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
)

// A Blob is a piece of evidence of a program's behaviour, such as a picture for MLES. Its digest
// names its file in blobs/.
type Blob struct {
	MediaType string `json:"media_type"`
	Digest    string `json:"digest"` // lower-case hex SHA-256
	Data      []byte `json:"-"`
}

// IsPicture reports whether the evidence is a picture. Other evidence is text.
func (b Blob) IsPicture() bool { return strings.HasPrefix(b.MediaType, "image/") }

// ReadEvidence reads a piece of evidence of the run in dir and checks its digest.
func ReadEvidence(dir string, b Blob) ([]byte, error) {
	data, err := ReadBlob(dir, b.Digest)
	if err != nil {
		return nil, hint.Add(fmt.Errorf("evidence of an evaluation in the journal: %w", err),
			"restore it from a copy of the run; without it, the run cannot continue")
	}
	return data, nil
}

// ReadBlob reads the file in blobs/ with this digest from the run in dir, and checks its content.
func ReadBlob(dir, digest string) ([]byte, error) {
	path, err := BlobPath(dir, digest)
	if err != nil {
		return nil, err
	}
	data, err := plain.Read(path, plain.Small)
	if err != nil {
		return nil, err
	}
	if fmt.Sprintf("%x", sha256.Sum256(data)) != digest {
		return nil, fmt.Errorf("%s: its content does not match the digest in its name", path)
	}
	return data, nil
}

// BlobPath returns the path that ReadBlob reads. The folder blobs must not be a link, because a
// bundle would contain the target of the link.
func BlobPath(dir, digest string) (string, error) {
	blobs := filepath.Join(dir, "blobs")
	return filepath.Join(blobs, digest), plain.Dir(blobs)
}
