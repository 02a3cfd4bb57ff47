"""Semi-supervised SVMs with kernels, explained."""

from ssl_core.catalogue import formulas as tex
from ssl_core.guide import Guide, Place, Term

NORM = Term(tex.NORM, "The norm: a smooth function with a wide margin.")
FIT = Term(
    tex.LABELED,
    "The labels: the squared hinge loss of the labelled points. C is its weight.",
)
GUESSED = Term(
    tex.GUESSED,
    "The unlabelled points with their guessed labels y', a share r of them positive. "
    "C* is the weight.",
)
HAT = Term(
    tex.HAT,
    "The unlabelled points: the loss is highest on the boundary and 0 beyond the "
    "margin, on either side. C* is its weight.",
)
BELL = Term(
    tex.BELL,
    "The unlabelled points: a smooth bell in place of the hat, highest on the "
    "boundary. s is its narrowness, C* its weight.",
)
EXPECTED = Term(
    tex.EXPECTED,
    "The unlabelled points: the loss of either label, weighed by how likely it is.",
)
DOUBT = Term(
    tex.DOUBT,
    "The entropy term: T times the entropy of the p, whose mean is kept at r.",
)

EQ_1 = Place(
    "[CSK08] eq. (1)",
    "the objective for given labels",
    "problems/linear.py",
    "TransductiveSVM.with_labels",
)
EQ_5 = Place(
    "[CSK08] eq. (5)", "the S3VM objective", "problems/s3vm.py", "S3VM.hard_objective"
)
EQ_6 = Place(
    "[CSK08] eq. (6)",
    "which pairs are switched",
    "problems/linear.py",
    "TransductiveSVM.switches",
)
EQ_13 = Place(
    "[CSK08] eq. (13)",
    "the kernel centred for the class ratio",
    "features.py",
    "Space.centred",
)
EQ_14 = Place("[CSK08] eq. (14)", "the bell", "losses.py", "Bell.value")
DOUBLING = Place(
    "[CSK08] section 4.2", "the values of C*", "solvers/_s3vm.py", "doubling"
)
LOCAL = "It ends in a local minimum; another start or schedule may end in a better one."
CLUSTERS = "Compact clusters with a gap between the classes."
RETURNED = (
    "The final training: the classifier with the lowest S3VM objective of all "
    "iterations is returned, as in [SK07] section 1.4. [CSK08] Algorithm 2 returns "
    "the last one."
)

S3VM_LIGHT = Guide(
    story=(
        "The SVM of the labelled points guesses the labels of the others, a share r "
        "of them positive. One pair of guesses after another is exchanged when that "
        "lowers the objective, and the SVM is retrained. The weight C* of the "
        "guessed labels rises step by step."
    ),
    terms=(NORM, FIT, GUESSED),
    places=(
        EQ_1,
        EQ_6,
        Place(
            "[CSK08] Algorithm 1",
            "label, train, switch, and raise C*",
            "solvers/s3vm_light.py",
            "s3vm_light",
        ),
    ),
    good=(
        CLUSTERS,
        "The number of positive labels is kept exactly, by switching in pairs.",
    ),
    bad=(LOCAL, "A wrong share r forces wrong labels near the boundary."),
    watch=(
        "The switches: each lowers the objective.",
        "The objective rises with C*, and falls with every switch.",
    ),
)
DA_KERNEL = Guide(
    story=(
        "Every unlabelled point has a probability p instead of a label. The "
        "classifier is trained for the current p, then the best p for this "
        "classifier are computed, and so on until they converge; then the "
        "temperature falls."
    ),
    terms=(NORM, FIT, EXPECTED, DOUBT),
    places=(
        Place(
            "[CSK08] eq. (7)",
            "the expected objective for given p",
            "problems/linear.py",
            "TransductiveSVM.with_probabilities",
        ),
        Place(
            "[CSK08] eq. (8)",
            "the best p, with the class ratio kept",
            "problems/linear.py",
            "TransductiveSVM.probabilities",
        ),
        Place(
            "[CSK08] Algorithm 2", "the cooling", "solvers/da_kernel.py", "da_kernel"
        ),
    ),
    good=(CLUSTERS, "The class ratio is kept as the mean of the p at every step."),
    bad=(
        LOCAL,
        "Slow: alternating updates make small progress. The gradient form is faster.",
    ),
    watch=("The temperature at which the entropy drops.", RETURNED),
)
NABLA_DA = Guide(
    story=(
        "The same annealing, but the probabilities are not separate variables: at "
        "every gradient step they are the best ones for the current classifier. So "
        "the objective depends on the classifier alone, and a gradient method can "
        "minimise it."
    ),
    terms=(NORM, FIT, EXPECTED, DOUBT),
    places=(
        Place(
            "[CSK08] eq. (9)",
            "the objective with the best p substituted, and its gradient",
            "problems/s3vm.py",
            "AnnealedS3VM.losses",
        ),
        Place(
            "[CSK08] eq. (8)",
            "the best p, with the class ratio kept",
            "problems/probabilities.py",
            "balanced_probabilities",
        ),
        Place(
            "[CSK08] Algorithm 2",
            "the descent and the cooling",
            "solvers/nabla_da.py",
            "nabla_da",
        ),
    ),
    good=(
        CLUSTERS,
        "Among the most reliable in finding the gap when the temperature falls slowly.",
    ),
    bad=(
        LOCAL,
        "Cooling fast can decide labels too early. A smaller rate often helps, but "
        "the run takes longer, and there is no guarantee.",
    ),
    watch=(
        "The temperature at which the boundary turns into the gap.",
        "Two objectives: the one at T, and the S3VM's own.",
        RETURNED,
    ),
)
CCCP = Guide(
    story=(
        "The loss of an unlabelled point is a hat, which is not convex. It is the sum "
        "of a convex part, the hat plus 2|f|, and a concave part, -2|f|. Replacing the "
        "concave part by its tangent gives a convex upper bound that touches the "
        "objective at the current solution. Minimising the bound cannot raise the "
        "objective; then every point gets the label of the side it is on."
    ),
    terms=(NORM, FIT, HAT),
    places=(
        EQ_5,
        Place(
            "[CSK08] section 4.1",
            "the convex bound of the hat",
            "losses.py",
            "Tangent.value",
        ),
        Place(
            "[CSK08] Algorithm 4",
            "the convex problem for given labels",
            "problems/s3vm.py",
            "S3VM.tangent",
        ),
        EQ_13,
    ),
    good=(
        "Every round is a convex problem with a unique minimum, and the objective "
        "never rises at one C*.",
        "Few rounds.",
    ),
    bad=(
        "Without annealing (one step) it often stays close to the supervised labels.",
        LOCAL,
    ),
    watch=(
        "Labels changed: a round without a change ends the rounds at this C*.",
        "The objective within one C*: it never rises.",
    ),
)
NABLA_S3VM = Guide(
    story=(
        "The hat is replaced by a smooth bell, so that the objective has a gradient "
        "everywhere, and gradient descent can minimise it. The unlabelled points "
        "push the boundary away; their weight doubles at every step."
    ),
    terms=(NORM, FIT, BELL),
    places=(
        EQ_14,
        Place("[CSK08] eq. (14)", "the descent", "solvers/nabla_s3vm.py", "nabla_s3vm"),
        DOUBLING,
        EQ_13,
    ),
    good=(CLUSTERS, "Text, and data whose clusters are the classes: quick and simple."),
    bad=(
        LOCAL,
        "The class ratio is kept by the mean of the outputs only, unless it is "
        "searched for.",
    ),
    watch=(
        "The boundary moves into the gap as C* doubles.",
        "The gradient, which jumps up with every new C*.",
    ),
)
CS3VM = Guide(
    story=(
        "The weight C* is final from the beginning, but the unlabelled loss is "
        "smoothed: convolved with a wide Gaussian, it leaves the objective with a "
        "single minimum. That minimum is followed while the smoothing is reduced to 0."
    ),
    terms=(NORM, FIT, BELL),
    places=(
        EQ_14,
        Place(
            "[CSK08] section 4.3",
            "the smoothed bell",
            "losses.py",
            "SmoothedBell.value",
        ),
        Place(
            "[CSK08] Algorithm 5", "following the minimum", "solvers/cs3vm.py", "cs3vm"
        ),
        EQ_13,
    ),
    good=(
        "Among the most reliable in finding the gap: the first minimum depends on "
        "all points at once.",
        "No guessed labels: the first minimum follows from the given labels and the "
        "positions of all points.",
    ),
    bad=(
        "The first minimum can be misleading where classes have several clusters.",
        LOCAL,
    ),
    watch=(
        "The smoothing γ: it smooths the output of a point z with a standard "
        "deviation of √(γ/2)‖z‖. While that is far above 1, the unlabelled loss is "
        "nearly flat within the margin; below 1 it pushes points out of the margin.",
        "The objective changes with the smoothing; compare the S3VM objective instead.",
    ),
)
NEWTON_S3VM = Guide(
    story=(
        "Newton's method on a loss that is flat for undecided points: they have no "
        "curvature, so the cost of a step depends on the few points that have some. "
        "Where the model of a step is not convex, concave losses count as linear; a "
        "ridge is raised where a step gains less than its model predicts. [CSK08] "
        "Algorithm 6 prints λ ← min(1, λ / 2) for the ridge after a good step; here "
        "it is max(1, λ / 2), so that λ stays at 1, a plain step, or above."
    ),
    terms=(
        NORM,
        FIT,
        Term(
            tex.PSI,
            "The unlabelled points: ψ is flat in the middle and falls to 0 at the "
            "margin, or it is the hat. C* weighs it.",
        ),
    ),
    places=(
        Place("[CSK08] Figure 7", "the flat loss", "losses.py", "Flat.value"),
        Place(
            "[CSK08] eq. (15)",
            "the objective in β",
            "solvers/newton_s3vm.py",
            "_NewtonRun._value",
        ),
        Place(
            "[CSK08] eq. (16)",
            "the gradient",
            "solvers/newton_s3vm.py",
            "_NewtonRun._differentiate",
        ),
        Place(
            "[CSK08] eq. (17)",
            "the curvature",
            "solvers/newton_s3vm.py",
            "_NewtonRun._differentiate",
        ),
        Place(
            "[CSK08] eq. (18)", "the step", "solvers/newton_s3vm.py", "_NewtonRun._step"
        ),
        Place(
            "[CSK08] Algorithm 6",
            "how the ridge follows",
            "solvers/newton_s3vm.py",
            "_NewtonRun.advance",
        ),
    ),
    good=(
        "Cheap steps where few points lie where the loss is curved.",
        "Few steps in total.",
    ),
    bad=(
        LOCAL,
        "Points on the flat part have no gradient: they move only with other points.",
    ),
    watch=(
        "Points with curvature: the cost of a step.",
        "The ridge: above 1 where steps gain less than their model predicts.",
    ),
)
BRANCH_AND_BOUND = Guide(
    story=(
        "All labellings form a tree: each node decides one more point. The objective "
        "of an SVM trained on the decided points is a lower bound for every way to "
        "decide the rest. A node whose bound is above the best labelling found, the "
        "incumbent, is dropped with everything below it."
    ),
    terms=(NORM, FIT, GUESSED),
    places=(
        Place(
            "[CSK08] eq. (1)",
            "the objective of a complete labelling",
            "solvers/_labelings.py",
            "Labelings.machine",
        ),
        Place(
            "[CSK08] section 3.1",
            "the search",
            "solvers/branch_and_bound.py",
            "branch_and_bound",
        ),
        Place(
            "[CSK08] eq. (6)",
            "better incumbents by switching pairs",
            "solvers/_labelings.py",
            "Labelings.switched",
        ),
    ),
    good=(
        "The global optimum, with a proof: the goal of all other S3VM methods.",
        "It tells whether a poor result comes from the method or from the objective.",
    ),
    bad=(
        "The tree may have as many leaves as there are labellings: small data only.",
        "Without a clear gap, few nodes are pruned, and the maximum number of nodes "
        "ends the search.",
    ),
    watch=(
        "Lower bound and incumbent: when they are equal, the optimum is proved.",
        "A new incumbent: many branches are pruned with it.",
    ),
)
CONVEX_RELAXATION = Guide(
    story=(
        "Labels enter the dual objective only as products: +1 where two points have "
        "the same label, -1 where they differ. Allowing values in between makes the "
        "problem convex. Its optimum is a lower bound for every labelling, and "
        "labels are found by rounding."
    ),
    terms=(
        Term(
            tex.BEST_GAMMA,
            "The minimum over all matrices Γ with the properties of a matrix of "
            "label products (ones on the diagonal, no negative eigenvalue, the given "
            "labels, the class ratio), and all dual variables.",
        ),
        Term(
            tex.DUAL_GAIN,
            ("The dual variables: the influence of each point on the boundary."),
        ),
        Term(
            tex.DUAL_COST,
            "The quadratic term of the dual. The kernel K has 1/(2C) or 1/(2C*) "
            "added on its diagonal because of the squared loss.",
        ),
    ),
    places=(
        Place(
            "[CSK08] eq. (10)",
            "the dual with Γ in it, as a conic constraint",
            "problems/relaxation.py",
            "GramRelaxation._dual_block",
        ),
        Place(
            "[CSK08] eq. (11)",
            "Γ positive semi-definite instead of Γ = yyᵀ",
            "problems/relaxation.py",
            "GramRelaxation._gram_block",
        ),
        Place(
            "[CSK08] section 3.4",
            "solve in chunks, round, bound",
            "solvers/convex_relaxation.py",
            "convex_relaxation",
        ),
    ),
    good=(
        "A convex problem: no local minima, and a bound that holds for all labels.",
        "Where Γ has rank one, the labels are proved to be the best.",
    ),
    bad=(
        "Very expensive: Γ has a variable for every pair of points. By [CSK08], a "
        "general SDP solver needs O((l + u²)²(l + u)^2.5) operations; the first-order "
        "solver used here needs about n³ per iteration, and many iterations.",
        "Rounding may lose information.",
    ),
    watch=(
        "The bound rises, the objective of the rounded labels falls.",
        "The rank-one share: 1 means that the relaxation is tight.",
    ),
)
LAPSVM_S3VM = Guide(
    story=(
        "The data graph changes the kernel: functions that change along the graph "
        "get a large norm, so that winding clusters become compact. With this kernel "
        "any S3VM can look for the gap between the classes."
    ),
    terms=(
        Term(
            tex.GRAPH_NORM,
            "The norm: smooth in space, and smooth along the data graph. Only the "
            "ratio of γ_I to γ_A counts here.",
        ),
        FIT,
        HAT,
    ),
    places=(
        Place(
            "[CSK08] section 5.6.2",
            "the deformed kernel",
            "features.py",
            "Space.deformed",
        ),
        Place(
            "[CSK08] section 5.6.2",
            "any S3VM in it",
            "estimators/s3vm_graph.py",
            "LapSVMS3VMClassifier._prepare",
        ),
        EQ_5,
    ),
    good=(
        "Data with both: a winding shape, and a gap between the classes.",
        "In [CSK08] Table 15 it is often more accurate than LapSVM and S3VM-light.",
    ),
    bad=(
        "The settings of both methods have to be chosen.",
        "Where neighbours often belong to different classes, the graph is misleading "
        "from the start.",
    ),
    watch=(
        "The state at t = 0: the graph's kernel alone is often nearly right.",
        "The labels that still change after that.",
    ),
)
