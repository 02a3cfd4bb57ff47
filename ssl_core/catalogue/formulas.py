"""LaTeX of the objectives, term by term, in each paper's own scaling."""

# [MB11] eq. (7): the Laplacian family; half of the sum.
HINGE = r"\sum_{i \in \mathcal{L}} \max(0,\, 1 - y_i f(x_i))"
SQUARED_HINGE = HINGE + "^2"
SQUARED = r"\sum_{i \in \mathcal{L}} (y_i - f(x_i))^2"
AMBIENT = r"\gamma_A\, \alpha^\top K \alpha"
INTRINSIC = r"\gamma_I\, f^\top L f"
INTRINSIC_WITHOUT_BIAS = r"\gamma_I\, \alpha^\top K L K \alpha"  # [MB11] eq. (4)

# [SK07] eq. (1.6): linear machines; the bias is a weight like the others.
LINEAR_NORM = r"\tfrac{\lambda}{2} \big(\|w\|^2 + b^2\big)"
LINEAR_LOSS = r"\tfrac{1}{2l} " + SQUARED_HINGE
LINEAR_GUESSED = (
    r"\tfrac{\lambda'}{2u} \sum_{j \in \mathcal{U}} \max(0,\, 1 - y'_j f(x_j))^2"
)
LINEAR_EXPECTED = (
    r"\tfrac{\lambda'}{2u} \sum_{j \in \mathcal{U}} \big[ p_j "
    r"\max(0,\, 1 - f(x_j))^2 + (1 - p_j) \max(0,\, 1 + f(x_j))^2 \big]"
)
LINEAR_DOUBT = (
    r"\tfrac{T}{2u} \sum_{j \in \mathcal{U}} \big[ p_j \log p_j + (1 - p_j) "
    r"\log (1 - p_j) \big]"
)

# [CSK08] eq. (1), (5), (7) and (14): S3VMs with kernels, p = 2.
NORM = r"\tfrac12 \|w\|^2"
LABELED = r"C " + SQUARED_HINGE
_UNLABELED = r"C^\star \sum_{j \in \mathcal{U}} "
GUESSED = _UNLABELED + r"\max(0,\, 1 - y'_j f(x_j))^2"
HAT = _UNLABELED + r"\max(0,\, 1 - |f(x_j)|)^2"
BELL = _UNLABELED + r"e^{-s f(x_j)^2}"
PSI = _UNLABELED + r"\psi(f(x_j))"
EXPECTED = (
    _UNLABELED + r"\big[ p_j \max(0,\, 1 - f(x_j))^2 + (1 - p_j) "
    r"\max(0,\, 1 + f(x_j))^2 \big]"
)
DOUBT = r"T\, H(p)"
GRAPH_NORM = r"\tfrac12 \big( \|f\|_K^2 + \tfrac{\gamma_I}{\gamma_A}\, f^\top L f \big)"

# [CSK08] eq. (10): the relaxed dual.
BEST_GAMMA = r"\min_\Gamma \max_{\alpha \ge 0}"
DUAL_GAIN = r"\sum_i \alpha_i"
DUAL_COST = r"\tfrac12 \sum_{i,j} \alpha_i \alpha_j \Gamma_{ij} \tilde K_{ij}"

# [OITS13] eq. (4): plain hinge.
PLAIN_LABELED = "C " + HINGE
PLAIN_HAT = _UNLABELED + r"\max(0,\, 1 - |f(x_j)|)"

# Baselines on a graph: [ZGL03] section 2, [ZBLWS04] section 3, [CCTS20] section 2.
EDGES = r"\sum_{i,j} w_{ij} (f(x_i) - f(x_j))^2"
ENERGY = r"\tfrac12 " + EDGES
KEPT = r"\quad \text{with } f(x_i) = y_i \text{ for } i \in \mathcal{L}"
SPREAD = r"F^\top (I - S) F"
FITTED = r"\big( \tfrac{1}{\alpha} - 1 \big) \sum_i (F_i - y_i)^2"
HALF_ENERGY = r"\tfrac14 " + EDGES
SOURCES = r"\sum_{i \in \mathcal{L}} (y_i - \bar y) f(x_i)"
# Self-training: the SVM of a round, on given and guessed labels.
TAUGHT = r"\sum_{i \in \mathcal{L}_t} \max(0,\, 1 - y_i f(x_i))^2"


def half(*terms: str) -> str:
    return r"\tfrac12 \Big( " + " + ".join(terms) + r" \Big)"


def s3vm(unlabeled: str, norm: str = NORM) -> str:
    """Norm, loss of the labelled points, loss of the others."""
    return " + ".join((norm, LABELED, unlabeled))
