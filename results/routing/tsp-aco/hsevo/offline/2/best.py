import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the distance of each city to one of its nearest neighbours
    radius = np.sort(distance_matrix, axis=1)[:, 12][:, None]

    heuristic = (
        inverse ** 1.824000801452454
        * ((inverse / inverse.sum(axis=1, keepdims=True)) / (inverse / inverse.sum(axis=1, keepdims=True)).mean()) ** 0.21915418058162373
        / (1.0 + ranks) ** 0.079
        * (0.76 + ((inverse / inverse.sum(axis=0, keepdims=True)) / (inverse / inverse.sum(axis=0, keepdims=True)).mean()))
        * np.log1p(((distance_matrix <= radius) + 7.099889240369512)) ** 0.19781261916248546
        * np.exp(-scaled * 0.0901953104557485) ** 0.45495339481701935
    )
    heuristic[distance_matrix > radius] *= 0.3087763762651501

    return heuristic
