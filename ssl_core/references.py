"""The papers behind the algorithms: keys such as ``[MB11]`` resolve here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """One source, as docstrings, the README and the reference page cite it."""

    key: str
    authors: str
    title: str
    venue: str
    year: int

    @property
    def names(self) -> str:
        """Surnames, as a sentence has them: "Melacci and Belkin"."""
        *others, last = (name.split(". ")[-1] for name in self.authors.split(", "))
        return f"{', '.join(others)} and {last}" if others else last

    def __str__(self) -> str:
        return f"[{self.key}] {self.authors}. {self.title}. {self.venue}, {self.year}."


REFERENCES = {
    reference.key: reference
    for reference in (
        Reference(
            "MB11",
            "S. Melacci, M. Belkin",
            "Laplacian Support Vector Machines Trained in the Primal",
            "Journal of Machine Learning Research 12",
            2011,
        ),
        Reference(  # its equations are those of [SK07], which the code cites
            "SK06",
            "V. Sindhwani, S. S. Keerthi",
            "Large Scale Semi-supervised Linear SVMs",
            "SIGIR",
            2006,
        ),
        Reference(
            "SK07",
            "V. Sindhwani, S. S. Keerthi",
            "Newton Methods for Fast Solution of Semi-supervised Linear SVMs",
            "Large Scale Kernel Machines, MIT Press",
            2007,
        ),
        Reference(
            "CSK08",
            "O. Chapelle, V. Sindhwani, S. S. Keerthi",
            "Optimization Techniques for Semi-Supervised Support Vector Machines",
            "Journal of Machine Learning Research 9",
            2008,
        ),
        Reference(
            "OITS13",
            "K. Ogawa, M. Imamura, I. Takeuchi, M. Sugiyama",
            "Infinitesimal Annealing for Training Semi-Supervised Support Vector "
            "Machines",
            "International Conference on Machine Learning",
            2013,
        ),
        Reference(
            "BNS06",
            "M. Belkin, P. Niyogi, V. Sindhwani",
            "Manifold Regularization: A Geometric Framework for Learning from "
            "Labeled and Unlabeled Examples",
            "Journal of Machine Learning Research 7",
            2006,
        ),
        Reference(
            "KD05",
            "S. S. Keerthi, D. DeCoste",
            "A Modified Finite Newton Method for Fast Solution of Large Scale "
            "Linear SVMs",
            "Journal of Machine Learning Research 6",
            2005,
        ),
        Reference(
            "C07",
            "O. Chapelle",
            "Training a Support Vector Machine in the Primal",
            "Neural Computation 19",
            2007,
        ),
        Reference(
            "FCL05",
            "R.-E. Fan, P.-H. Chen, C.-J. Lin",
            "Working Set Selection Using Second Order Information for Training "
            "Support Vector Machines",
            "Journal of Machine Learning Research 6",
            2005,
        ),
        Reference(
            "SHS11",
            "I. Steinwart, D. Hush, C. Scovel",
            "Training SVMs Without Offset",
            "Journal of Machine Learning Research 12",
            2011,
        ),
        Reference(
            "ZP04",
            "L. Zelnik-Manor, P. Perona",
            "Self-Tuning Spectral Clustering",
            "Advances in Neural Information Processing Systems 17",
            2004,
        ),
        Reference(
            "L07",
            "U. von Luxburg",
            "A Tutorial on Spectral Clustering",
            "Statistics and Computing 17",
            2007,
        ),
        Reference(
            "ZG02",
            "X. Zhu, Z. Ghahramani",
            "Learning from Labeled and Unlabeled Data with Label Propagation",
            "Technical report CMU-CALD-02-107, Carnegie Mellon University",
            2002,
        ),
        Reference(
            "ZBLWS04",
            "D. Zhou, O. Bousquet, T. N. Lal, J. Weston, B. Schölkopf",
            "Learning with Local and Global Consistency",
            "Advances in Neural Information Processing Systems 16",
            2004,
        ),
        Reference(
            "ZGL03",
            "X. Zhu, Z. Ghahramani, J. Lafferty",
            "Semi-Supervised Learning Using Gaussian Fields and Harmonic Functions",
            "International Conference on Machine Learning",
            2003,
        ),
        Reference(
            "CCTS20",
            "J. Calder, B. Cook, M. Thorpe, D. Slepčev",
            "Poisson Learning: Graph Based Semi-Supervised Learning At Very Low Label "
            "Rates",
            "International Conference on Machine Learning",
            2020,
        ),
        Reference(
            "Y95",
            "D. Yarowsky",
            "Unsupervised Word Sense Disambiguation Rivaling Supervised Methods",
            "Annual Meeting of the Association for Computational Linguistics",
            1995,
        ),
    )
}


def called(key: str) -> str:
    """A paper in a sentence: its authors, with the year where they wrote two."""
    one = REFERENCES[key]
    twins = [r for r in REFERENCES.values() if r.names == one.names]
    return one.names if len(twins) == 1 else f"{one.names} {one.year}"
