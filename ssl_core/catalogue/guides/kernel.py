"""Supervised and manifold-regularised kernel machines, explained."""

from ssl_core.catalogue import formulas as tex
from ssl_core.guide import Guide, Place, Term

FIT = Term(
    tex.SQUARED_HINGE,
    "The labels: a labelled point has no loss beyond the margin; inside, its loss is "
    "the squared distance to the margin. Points with a loss are the error vectors.",
)
FIT_SQUARED = Term(
    tex.SQUARED,
    "The labels: the squared distance of each output from its label, also for points "
    "far on the correct side.",
)
AMBIENT = Term(
    tex.AMBIENT,
    "The ambient norm: f should be smooth everywhere in space. γ_A weighs it.",
)
INTRINSIC = Term(
    tex.INTRINSIC,
    "The intrinsic norm: outputs of neighbours in the data graph should be similar. "
    "γ_I weighs it; L is the graph Laplacian, to the power of the Laplacian "
    "degree. With the normalised Laplacian each output is first divided by the square "
    "root of its point's degree.",
)

EQ_7 = Place(
    "[MB11] eq. (7)", "the objective", "problems/base.py", "PenalisedProblem.objective"
)
EQ_7_PCG = Place("[MB11] eq. (7)", "the objective", "solvers/pcg.py", "_PCGRun.state")
EQ_8 = Place(
    "[MB11] eq. (8)",
    "the update; its step is 1 where that descends, else the line search's",
    "solvers/newton.py",
    "newton",
)
EQ_9 = Place(
    "[MB11] eq. (9)",
    "the norm of the gradient",
    "problems/laplacian.py",
    "LaplacianProblem.gradient_norm",
)
EQ_10 = Place(
    "[MB11] eq. (10)",
    "where a Newton step leads",
    "solvers/newton.py",
    "_NewtonSystem.targets",
)
EQ_12 = Place(
    "[MB11] eq. (12)",
    "the preconditioned gradient, which needs no inverse",
    "problems/laplacian.py",
    "LaplacianProblem.preconditioned_gradient",
)
EQ_13 = Place(
    "[MB11] eq. (13)",
    "the exact line search on ψ(s)",
    "linalg/line_search.py",
    "squared_hinge_line_search",
)
EQ_14 = Place(
    "[MB11] eq. (14)", "the linear system", "solvers/newton.py", "_NewtonSystem.targets"
)
LEAST_SQUARES = Place(
    "[MB11] section 5",
    "the objective with the squared loss",
    "problems/base.py",
    "PenalisedProblem.objective",
)
EXPANSION = Place(
    "[MB11] eq. (3)",
    "f as a sum of kernels",
    "problems/base.py",
    "KernelProblem.outputs",
)
GRAPH_NORM = Place(
    "[MB11] eq. (1)",
    "the product with L that the intrinsic norm needs",
    "graph.py",
    "Laplacian.__matmul__",
)
ITERATION = Place(
    "[MB11] Algorithm 1", "one iteration", "solvers/pcg.py", "_PCGRun.advance"
)
POLAK_RIBIERE = Place(
    "[MB11] Algorithm 1",
    "the next conjugate direction, and the restart",
    "linalg/conjugate.py",
    "polak_ribiere",
)
STABILITY = Place(
    "[MB11] Algorithm 2",
    "the stability check",
    "stopping.py",
    "StabilityCheck.watch",
    needs=("stop", "stability"),
)
VALIDATION = Place(
    "[MB11] Algorithm 3",
    "the validation check",
    "stopping.py",
    "ValidationCheck.watch",
    needs=("stop", "validation"),
)

SVM = Guide(
    story=(
        "It uses the labelled points only and puts the boundary as far from them as "
        "possible. Newton's method solves it: for the current error vectors the "
        "objective is quadratic, and its minimum is the next iterate. It ends when "
        "the set of error vectors no longer changes."
    ),
    terms=(FIT, AMBIENT),
    places=(
        Place(
            "[MB11] eq. (7)",
            "the objective with γ_I = 0",
            "problems/base.py",
            "PenalisedProblem.objective",
        ),
        EQ_8,
        EQ_10,
    ),
    good=(
        "A baseline: what can be learned from the labels alone.",
        "Fast: the training time depends on the labelled points only.",
    ),
    bad=(
        "Two labels do not show the shape of the data: on two moons or the clock the "
        "boundary cuts through both classes.",
    ),
    watch=(
        "The error vectors: points enter and leave the set from step to step.",
        "The last step: no error vector changes, which proves that this is the "
        "optimum.",
    ),
)
RLSC = Guide(
    story=(
        "The outputs are fitted to the labels -1 and +1 as in regression, with a "
        "penalty on rough functions. The algorithm solves one linear system."
    ),
    terms=(FIT_SQUARED, AMBIENT),
    places=(
        Place(
            "[MB11] section 5",
            "the objective with γ_I = 0",
            "problems/base.py",
            "PenalisedProblem.objective",
        ),
        EQ_14,
    ),
    good=("The simplest baseline: one linear system, without a stopping rule.",),
    bad=(
        "The loss (1 - y f)² is symmetric about y f = 1: a point far on the correct "
        "side, y f = 3, costs as much as a misclassified one at y f = -1, and pulls "
        "the boundary towards itself.",
        "It does not use the unlabelled points.",
    ),
    watch=("There are two states: the start, f = 0, and the solution.",),
)
LAPSVM_NEWTON = Guide(
    story=(
        "Every point is joined to its neighbours, and neighbours should have similar "
        "outputs, so labels spread along the data. This is the manifold assumption: "
        "outputs change little along the shape on which the data lie. Newton's "
        "method finds the exact optimum in a few steps. One factorisation of an n × "
        "n matrix serves all of them; a step then solves a system in the error "
        "vectors only."
    ),
    terms=(FIT, AMBIENT, INTRINSIC),
    places=(GRAPH_NORM, EXPANSION, EQ_7, EQ_8, EQ_9, EQ_10),
    good=(
        "Winding classes that the graph follows: two moons, the clock, spirals.",
        "The exact optimum, as a reference for early stopping.",
    ),
    bad=(
        "The time of the factorisation grows with n³: beyond a few thousand points use "
        "PCG.",
        "Where neighbours often belong to different classes, labels spread into the "
        "wrong class.",
    ),
    watch=(
        "How few steps are needed: often one or two.",
        "The error vectors that change between two steps.",
    ),
)
LAPSVM_PCG = Guide(
    story=(
        "The same objective as with Newton's method, in many cheap steps, each with "
        "one product with the kernel matrix. Each direction is chosen so that it "
        "does not undo the previous ones, and the best step along it is found "
        "exactly. The predictions are usually those of the optimum long before the "
        "optimum is reached, so the run can stop early: set “Stop when” to “Decision "
        "is stable”. The default is the tolerance on the mixed product."
    ),
    terms=(FIT, AMBIENT, INTRINSIC),
    places=(
        GRAPH_NORM,
        EQ_7_PCG,
        EQ_12,
        ITERATION,
        POLAK_RIBIERE,
        EQ_13,
        STABILITY,
        VALIDATION,
    ),
    good=(
        "Winding classes with few labels, up to ten thousand points and more.",
        "Early stopping: with the stability check the run ends when predictions "
        "hardly change any more.",
    ),
    bad=(
        "The norms of the gradient say little about the predictions; a threshold on "
        "them stops far too late or, on other data, too early.",
        "Where neighbours often belong to different classes, labels spread into the "
        "wrong class.",
    ),
    watch=(
        "The first iterations: labels spread along the moons, from neighbour to "
        "neighbour.",
        "The norms continue to fall after the last prediction has changed.",
        "ψ(s) of the line search: it has a break point where a labelled point "
        "becomes an error vector or stops being one.",
    ),
)
LAPSVM_DUAL = Guide(
    story=(
        "The Laplacian SVM as it was first solved: the plain hinge loss, turned into "
        "a quadratic problem with one variable per labelled point. The graph enters "
        "through the matrix of that problem. Pairs of variables are updated in "
        "sweeps until the optimality conditions hold."
    ),
    terms=(
        Term(
            tex.HINGE,
            "The labels: the hinge loss, not squared: a labelled point inside the "
            "margin costs its distance to the margin.",
        ),
        AMBIENT,
        Term(
            tex.INTRINSIC_WITHOUT_BIAS,
            "The intrinsic norm: outputs of neighbours in the data graph should be "
            "similar. As in the paper, the bias does not count in it.",
        ),
    ),
    places=(
        Place("[MB11] eq. (4)", "the objective", "solvers/lapsvm_dual.py", "_state"),
        Place(
            "[MB11] eq. (5)",
            "α from the dual variables",
            "solvers/lapsvm_dual.py",
            "_state",
        ),
        Place(
            "[MB11] eq. (6)",
            "the quadratic problem on the labelled points",
            "solvers/lapsvm_dual.py",
            "lapsvm_dual",
        ),
    ),
    good=(
        "The original method, for comparison.",
        "Few labels: the quadratic problem has one variable for each of them.",
    ),
    bad=(
        "All points are still needed to set it up, at a cost of n³, before the first "
        "step.",
        "An approximate dual solution need not be a good approximate classifier.",
    ),
    watch=(
        "Primal and dual objective converge to each other; the optimum lies between "
        "them.",
        "The support vectors: labelled points whose dual variable is above 0. The "
        "expansion of f uses all points, labelled or not.",
    ),
)
LAPRLSC = Guide(
    story=(
        "Outputs are fitted to the labels in the least squares sense, and neighbours "
        "in the data graph should have similar ones: the manifold assumption, as for "
        "the Laplacian SVM. The squared loss makes it one linear system."
    ),
    terms=(FIT_SQUARED, AMBIENT, INTRINSIC),
    places=(GRAPH_NORM, LEAST_SQUARES, EQ_14),
    good=(
        "In the comparisons of [MB11] about as accurate as the Laplacian SVM, and "
        "simpler.",
        "No iterations: the solution in one solve.",
    ),
    bad=(
        "The time grows with n³: beyond a few thousand points use PCG.",
        "Points far on the correct side of the boundary are pulled back towards it.",
    ),
    watch=("There are two states: the start, f = 0, and the solution.",),
)
LAPRLSC_PCG = Guide(
    story=(
        "The same least squares problem in many cheap steps, each with one product "
        "with the kernel matrix. As the objective is quadratic, the best step along "
        "a direction has a closed form."
    ),
    terms=(FIT_SQUARED, AMBIENT, INTRINSIC),
    places=(
        GRAPH_NORM,
        Place(
            "[MB11] section 5",
            "the objective with the squared loss",
            "solvers/pcg.py",
            "_PCGRun.state",
        ),
        EQ_12,
        ITERATION,
        POLAK_RIBIERE,
        Place(
            "[MB11] section 5",
            "the closed-form step",
            "solvers/_line_search.py",
            "exact_step",
        ),
        STABILITY,
    ),
    good=(
        "Winding classes with few labels, up to ten thousand points and more.",
        "The cheapest steps of the family.",
    ),
    bad=(
        "Points far on the correct side of the boundary are pulled back towards it.",
        "A threshold on a norm is as hard to choose as for the Laplacian SVM.",
    ),
    watch=(
        "Labels spread along the graph in the first iterations.",
        "ψ(s) of the line search: a straight line here, without break points.",
    ),
)
