"""Sparse linear machines, explained."""

from ssl_core.catalogue import formulas as tex
from ssl_core.guide import Guide, Place, Term

NORM = Term(
    tex.LINEAR_NORM,
    "The norm: small weights, that is, a wide margin. The bias b is penalised like "
    "the other weights. λ is its weight.",
)
FIT = Term(
    tex.LINEAR_LOSS,
    "The labels: half the mean of the squared hinge losses of the labelled points; "
    "beyond the margin a point has no loss. [SK07] eq. (1.1) has the sum instead of "
    "the mean, so that its λ is l times this one.",
)

EQ_1_4 = Place(
    "[SK07] eq. (1.4)", "the Newton direction, by CGLS", "solvers/_mfn.py", "cgls"
)
EQ_1_5 = Place(
    "[SK07] eq. (1.5)",
    "the exact line search",
    "problems/linear.py",
    "LinearSVM.exact_step",
)

L2SVM_MFN = Guide(
    story=(
        "A straight boundary with the widest margin between the labelled points. Only "
        "the active points, inside the margin or on the wrong side, count in a Newton "
        "step, so it is a least squares problem on them, solved by a few products with "
        "the sparse data matrix."
    ),
    terms=(NORM, FIT),
    places=(
        Place(
            "[SK07] eq. (1.1)",
            "the supervised objective, each labelled point with cost 1/l",
            "problems/linear.py",
            "LinearSVM.from_labels",
        ),
        Place(
            "[SK07] eq. (1.2)",
            "the loss with a cost for every point",
            "problems/linear.py",
            "LinearSVM.terms",
        ),
        Place("[SK07] eq. (1.3)", "the update", "solvers/_mfn.py", "follow"),
        EQ_1_4,
        EQ_1_5,
        Place(
            "[SK07] section 1.2.3",
            "when the active points count as settled",
            "problems/linear.py",
            "LinearSVM.same_side",
        ),
    ),
    good=(
        "Text and other sparse data with many features: the time grows with the "
        "number of nonzeros.",
        "The baseline for the two semi-supervised methods that build on it.",
    ),
    bad=(
        "Classes that no linear boundary separates.",
        "It does not use the unlabelled points.",
    ),
    watch=(
        "The active points: when they stay the same, the step is exact.",
        "How few Newton steps there are, and how many CGLS iterations each takes.",
    ),
)
TSVM = Guide(
    story=(
        "An SVM trained on the labelled points guesses the labels of the others, a "
        "share r of them positive. Then guessed labels are switched in pairs, one of "
        "each class, whenever that lowers the objective. At first they have a small "
        "weight; this weight λ′ rises step by step."
    ),
    terms=(
        NORM,
        FIT,
        Term(
            tex.LINEAR_GUESSED,
            "The guessed labels y': unlabelled points inside the margin, or on the "
            "wrong side for their guessed label, have a loss, too. λ′ is its weight.",
        ),
    ),
    places=(
        Place(
            "[SK07] section 1.3",
            "the objective for given labels",
            "problems/linear.py",
            "TransductiveSVM.with_labels",
        ),
        Place(
            "[SK07] section 1.3.2",
            "which pairs are switched",
            "problems/linear.py",
            "TransductiveSVM.switches",
        ),
        Place("[SK07] section 1.5", "the values of λ′", "solvers/tsvm.py", "_ladder"),
        EQ_1_4,
    ),
    good=(
        "Text: clusters that a straight boundary can pass between.",
        "Large sparse data: it switches many pairs at once.",
    ),
    bad=(
        "Early guesses are hard to correct: it may end in a poor local minimum.",
        "A wrong share r forces wrong labels on points near the boundary.",
    ),
    watch=(
        "The switches: each lowers the objective and keeps the class ratio.",
        "The objective rises with λ′: the losses of the unlabelled points weigh more.",
    ),
)
DA = Guide(
    story=(
        "Every unlabelled point has a probability p instead of a label. While the "
        "temperature T is high, the entropy term keeps every label undecided. As T "
        "falls, points far from the boundary are decided first. The classifier with "
        "the lowest objective at T = 0 of all iterations is returned."
    ),
    terms=(
        NORM,
        FIT,
        Term(
            tex.LINEAR_EXPECTED,
            "The unlabelled points: the loss of either label, weighed by how likely it "
            "is.",
        ),
        Term(
            tex.LINEAR_DOUBT,
            "The entropy term: minus half of T times the mean entropy of the p. The "
            "mean of the p is kept at r.",
        ),
    ),
    places=(
        Place(
            "[SK07] eq. (1.6)",
            "the objective at temperature T",
            "solvers/da.py",
            "Annealing.measure",
        ),
        Place(
            "[SK07] eq. (1.7)",
            "the class ratio, which the mean of the p meets",
            "problems/probabilities.py",
            "balanced_probabilities",
        ),
        Place(
            "[SK07] eq. (1.8)",
            "the classifier for given p",
            "problems/linear.py",
            "TransductiveSVM.with_probabilities",
        ),
        Place(
            "[SK07] eq. (1.9)",
            "the best p, with the class ratio kept",
            "problems/linear.py",
            "TransductiveSVM.probabilities",
        ),
        Place(
            "[SK07] section 1.4.3",
            "when a temperature ends, and when the run does",
            "solvers/da.py",
            "cooling",
        ),
    ),
    good=(
        "It can avoid poor local minima in which label switching gets stuck.",
        "Text and other sparse data with clusters.",
    ),
    bad=(
        "It needs more trainings than label switching.",
        "A lower objective does not guarantee fewer errors: where the classes are "
        "not clusters, it finds other clusters.",
    ),
    watch=(
        "The temperature at which the entropy drops: there the boundary turns.",
        "The final training: the classifier with the lowest objective at T = 0 of "
        "all iterations is returned, as in [SK07] section 1.4.",
    ),
)
