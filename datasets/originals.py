"""Benchmarks from their original files in public repositories.

Each is a few files of a public repository, pinned to a commit, and a function that
makes the benchmark of them. Two digests are checked: that of every file that arrives,
and that of the points, labels and splits that are made of them, which are the ones that
the experiments of this project were computed with. Nothing in a file is executed.
"""

from __future__ import annotations

import pickletools
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.io import loadmat
from scipy.io.matlab import MatReadError
from sklearn.datasets import load_svmlight_file

from halfmoon.datasets.download import Pinned
from halfmoon.datasets.store import Raw, content_sha256

DAMAGE = (  # what the readers raise: of MATLAB files, ZIP streams, numbers and pickles
    *(LookupError, TypeError, ValueError, NotImplementedError),
    *(EOFError, MatReadError, OSError, OverflowError, struct.error, zlib.error),
)
SIDE = 19  # pixels of a face
LETTERS = 21  # amino acids, and none of them


@dataclass(frozen=True, slots=True)
class Original:
    """A fetcher: the original files of a benchmark, and how they are converted.

    Parameters
    ----------
    title : str
        What the file holds.
    scaling : str
        Of its numbers.
    files : tuple of Pinned
        All of one repository.
    convert : callable
        Makes a Raw, without its ``meta``, from the paths of the files, in their order.
    content : str
        SHA-256 of what it makes, see `content_sha256`.
    """

    title: str
    scaling: str
    files: tuple[Pinned, ...]
    convert: Callable[..., Raw]
    content: str

    def __call__(self, folder: Path) -> Raw:
        """Download into a folder, and convert."""
        return self.made_of([file.download(folder) for file in self.files])

    def made_of(self, paths: list[Path]) -> Raw:
        """The benchmark, from the files in their order.

        Raises
        ------
        ValueError
            A file cannot be read, or something else comes out.
        """
        try:
            raw = self.convert(*paths)
        except DAMAGE as error:
            if getattr(error, "errno", None) is not None:  # the system's own
                raise
            names = ", ".join(path.name for path in paths)
            raise ValueError(f"{names} cannot be read: {error}") from error
        if content_sha256(raw) != self.content:
            raise ValueError(
                f"the points and labels in {paths[0].name} are not those of the "
                f"benchmark: their SHA-256 is not {self.content}"
            )
        return Raw(raw.X, raw.y, self.meta, raw.extras)

    @property
    def meta(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "source_repo": f"GitHub {self.files[0].repo}",
            "source_commit": self.files[0].commit,
            "source_path": ", ".join(file.path for file in self.files),
            "scaling": self.scaling,
        }

    @property
    def size(self) -> int:
        """Bytes of the download."""
        return sum(file.size for file in self.files)

    @property
    def address(self) -> str:
        """Where a person finds the files."""
        first = self.files[0]
        if len(self.files) == 1:
            return first.url
        folder = first.path.rpartition("/")[0]
        return f"https://github.com/{first.repo}/tree/{first.commit}/{folder}"

    @property
    def by_hand(self) -> str:
        """How to make the benchmark from files that were downloaded in another way."""
        first, *more = (file.name for file in self.files)
        save = f"save {' and '.join((first, *more))} from {self.address}"
        then = "on them" if more else f"on {first}"
        return f"{save} and run `halfmoon data convert` {then}"


# -- what the files are --------------------------------------------------------------


def splits_file(path: Path) -> Raw:
    """A file of Chapelle and Zien: points, labels and ten splits."""
    content = loadmat(path)
    rows = {"idx_lab": "idxLabs", "idx_unl": "idxUnls"}
    extras = {name: _from_zero(content[key]) for name, key in rows.items()}
    return Raw(_points(content["X"]), _labels(content["y"]), extras=extras)


def book_file(data: Path, ten: Path, hundred: Path) -> Raw:
    """Files of the SSL book: points and labels, and twelve splits twice."""
    content = loadmat(data)
    extras = {
        "idx_lab_10": _from_zero(loadmat(ten)["idxLabs"]),
        "idx_lab_100": _from_zero(loadmat(hundred)["idxLabs"]),
    }
    return Raw(_points(content["X"]), _labels(content["y"]), extras=extras)


def secstr_file(data: Path, *splits: Path) -> Raw:
    """Secondary structure of the SSL book: the numbers of 15 letters, made 0 and 1."""
    content = loadmat(data)
    letters = content["T"].astype(np.int32)
    n, d = letters.shape
    columns = (letters + LETTERS * np.arange(d, dtype=np.int32)).ravel()
    starts = np.arange(0, n * d + 1, d, dtype=np.int32)
    ones = np.ones(n * d, dtype=np.float32)
    X = sp.csr_matrix((ones, columns, starts), shape=(n, LETTERS * d))
    rows = [_from_zero(loadmat(path)["idxLabs"]) for path in splits]
    extras = {f"idx_lab_{found.shape[1]}": found for found in rows}
    return Raw(X, _labels(content["y"]), extras=extras)


def coil_file(path: Path) -> Raw:
    """COIL-20 as a MATLAB file: pixels in columns, objects from 1."""
    content = loadmat(path)
    return Raw(_points(content["X"]), content["Y"].ravel().astype(np.uint8))


def svmlight(n_features: int, *, parts: bool = False) -> Callable[..., Raw]:
    """Files in the format of svmlight; with `parts` the second is the test part."""

    def convert(*paths: Path) -> Raw:
        read = [load_svmlight_file(str(p), n_features=n_features) for p in paths]
        X = np.vstack([points.toarray() for points, _ in read]).astype(np.float32)
        y = np.concatenate([labels for _, labels in read]).astype(np.int8)
        start = np.array(len(read[0][1]), dtype=np.int64)
        return Raw(X, y, extras={"test_start": start} if parts else {})

    return convert


def faces_file(path: Path) -> Raw:
    """Pairs of a small image and 1 or 0, pickled.

    A pickle is a program, and this one is not run: its instructions are listed, and the
    bytes of the images and the numbers behind them are taken from the list.
    """
    pairs = list(_images(path.read_bytes()))
    if not pairs:
        raise ValueError(f"it holds no images of {SIDE} x {SIDE} pixels")
    pixels = b"".join(image for image, _ in pairs)
    X = np.frombuffer(pixels, dtype=np.uint8).reshape(-1, SIDE * SIDE)
    y = np.array([1 if face else -1 for _, face in pairs], dtype=np.int8)
    return Raw(X, y)


def _images(content: bytes) -> Iterator[tuple[bytes, int]]:
    image = None
    for code, value, _ in pickletools.genops(content):
        if code.name == "BINBYTES" and len(value) == SIDE * SIDE:
            image = value
        elif code.name == "BININT1" and image is not None:
            yield image, value
            image = None


def _points(X: np.ndarray | sp.spmatrix) -> np.ndarray | sp.csr_matrix:
    if sp.issparse(X):
        X = sp.csr_matrix(X).astype(np.float32)
        X.sort_indices()
        return X
    return np.ascontiguousarray(X, dtype=np.float32)


def _labels(y: np.ndarray) -> np.ndarray:
    return y.ravel().astype(np.int8)


def _from_zero(rows: np.ndarray) -> np.ndarray:
    return rows.astype(np.int32) - 1


# -- where they are ------------------------------------------------------------------

STAR_SVM = ("edche/star_svm", "c96d22fd79e28287ed8b400b00d6251214cdf3e9")
SCIKIT_FEATURE = (
    "jundongl/scikit-feature",
    "48cffad4e88ff4b9d2f1c7baffb314d1b3303792",
)
FACE_DETECTION = (
    "aparande/FaceDetection",
    "62c76684c2543906186f350c260590bebd2eaaaa",
)
MACHINE_LEARNING = (
    "imwise/machineLearning",
    "fdc6fa02f01a7ccf06991b82cfcf7d132c9f9da4",
)
NODE_SVM = ("nicolaspanel/node-svm", "4575624d43ac733f41a6e68b60ba6fcce193dbf6")


def _book(
    number: int,
    title: str,
    content: str,
    *sums: tuple[int, str],
    counts: tuple[int, ...] = (10, 100),
    convert: Callable[..., Raw] = book_file,
    scaling: str = "none, as distributed",
) -> Original:
    names = ("data", *(f"splits,labeled={count}" for count in counts))
    files = (
        Pinned(*STAR_SVM, f"data/SSL,set={number},{name}.mat", *sizes)
        for name, sizes in zip(names, sums, strict=True)
    )
    title = f"{title}, benchmark of the book Semi-Supervised Learning"
    return Original(title, scaling, tuple(files), convert, content)


G50C = Original(
    "G50C: two Gaussians in 50 dimensions, Bayes error 5 %",
    "none",
    (
        Pinned(
            *STAR_SVM,
            "data/g50c.mat",
            232_472,
            "9f0d95cb5884d817c1165861b347a428bcc255566d1e74c871bd0de58b23423f",
        ),
    ),
    splits_file,
    "f3177d1e4e6d26c1f445f6e999023b57650f0c1032214fe358d07973114f33d9",
)
TEXT_PCMAC = Original(
    "20 newsgroups, mac and mswindows",
    "TF-IDF, rows of unit norm",
    (
        Pinned(
            *STAR_SVM,
            "data/text1.mat",
            1_772_784,
            "2254d508519ae589afd132a3d00cd6b6de0d29caacc00168daa9fa1984618c09",
        ),
    ),
    splits_file,
    "dbd37ddfcdd9d89baa6c3f0e7f23ecdcf0de62cead1f3463bf5df2fe199b6143",
)
USPST = Original(
    "USPST: 2007 digits of the US Postal Service",
    "pixels -0.9375 to 0.9375",
    (
        Pinned(
            *STAR_SVM,
            "data/uspst.mat",
            4_152_856,
            "53577dbe246b303b07e5a03bcd7ea93582c8c2bbfac1508040f829d24c4a4918",
        ),
    ),
    splits_file,
    "89cc88ef1356b1ebea83b370197f8305af52189aeb96a8476133406cf0a4e849",
)
COIL20 = Original(
    "COIL-20, 32 x 32 grey pixels in columns",
    "[0,1]",
    (
        Pinned(
            *SCIKIT_FEATURE,
            "skfeature/data/COIL20.mat",
            3_024_549,
            "4595ebdda07f47b0eb014fcfaddc22b452f9aed9c1d9261a0d5bc336c1ee1344",
        ),
    ),
    coil_file,
    "354c492ba76e4850600d280fdd3308001b564fc9bafcf20f714cb9b6dea3c485",
)
FACES = Original(
    "MIT CBCL faces, 19 x 19 pixels, original training part",
    "uint8 0..255",
    (
        Pinned(
            *FACE_DETECTION,
            "training.pkl",
            2_985_554,
            "aee7290f03da0c33257fef325eee3c81f2d05fec44d9e1851f2ef3aa05e4f7e3",
        ),
    ),
    faces_file,
    "9a98084d693ae8580571d7d175f0252f6b9259fd7b1dcbb80c54aebb9bb412c0",
)
FOURCLASS = Original(
    "Four class",
    "each feature to [-1,1]",
    (
        Pinned(
            *MACHINE_LEARNING,
            "svm/fourclass_scale",
            23_155,
            "b0d75d26036e2ebb274d8bbc9d49fef85561cbd273771a21b6d27721db634f14",
        ),
    ),
    svmlight(2),
    "1e63ebb9e56ccd5fec5167ff89b872725f515ef3b84f18278abfa28a6ddc8a0f",
)
SVMGUIDE4 = Original(
    "SVM guide 4: 300 traffic lights, then 312 for testing",
    "none",
    (
        Pinned(
            *NODE_SVM,
            "examples/datasets/svmguide4.ds",
            35_199,
            "7dc2209e8453447c39b58ffc8c1f0ce1aaa8b29caa13c6871eb4a6ec3838212f",
        ),
        Pinned(
            *NODE_SVM,
            "examples/datasets/svmguide4.t.ds",
            36_545,
            "f5a5839d955f3eb6e379f5b226869b79bf8245bcda891649105858e4cdc61695",
        ),
    ),
    svmlight(10, parts=True),
    "633de77bf60cf46f3bb35a6cd3e3ab09e69f7598619c59aad45d6f98a2f1a00f",
)
SSL_COIL2 = _book(
    3,
    "COIL in two classes",
    "aa3e7af87580951abe0337fd20b664fcd87088115b854175a8718f5166a2394e",
    (2_893_744, "8e58b95acec2fca5b5f1c00e787684ed21cdc03753a87e65643098ef83ae8d5b"),
    (36_256, "bd89c954958babc57172306bcc2a785f41e91a09155a402bf6f90fbfc60378a1"),
    (36_256, "86f893eeae99423d8734ed9cc800818e4b08822941c57cb56bc07bf1286e1dad"),
)
SSL_COIL = _book(
    6,
    "COIL in six classes",
    "e810652097f8b3326029ed6d7190cb7d7f4067c7307bbb004e8192ec969b3986",
    (2_893_744, "4363bc54b5f32e73ab77c01cb402bc46bfef63c7acc56918cd44acc3d92ee7f7"),
    (36_256, "906227c2b1ac8e85ddfd6ec2f762a5cfb4163821980fb33bb05cd1e301b1245f"),
    (36_256, "9fd9bd77f200a5c2bb4c743fd8aef49b24897872145fd7d95332a18cfcc19ba9"),
)
SSL_G241N = _book(
    7,
    "g241n",
    "81cacf669602c0113fe057972fd57bbd3463c04916b560c081f0155cf046affa",
    (2_895_240, "e6cdd9d6d27a2eb426346bc53c20319f95a982592d14f216dd816808a16da48d"),
    (36_256, "97a36e3ee53c788786f39eff391169b96993fc21e9fdf54a7fbaf856c09dbedd"),
    (36_256, "6ef0c0cf99ce61943f8f148dcc2943b813cb738753e6fc2c4d708f2c3ea3ac3b"),
)
SSL_TEXT = _book(
    9,
    "Text",
    "1eabdd24c126fef493aca267214e287d26f25d6d46c6674416cf2e8f45ba7453",
    (1_726_264, "1a763cbae64d4cde3b3595ee0872a055df7b613a93439646628d0a423112299b"),
    (36_256, "06c57dfddd7b4fa148f926094675d15aed621b5cb7157ab895885320377c7d8c"),
    (36_256, "8c03dffcc631fbf9b813901af7c7782429dfd6b3e7fe974319a8101007d32c6b"),
)
SSL_DIGIT1 = _book(
    1,
    "Digit1",
    "a10084f161bc84aea413b6fbf8e6fff61649e055cc456f16f8627c1a207b1db2",
    (2_895_240, "49aa23425965f0e40db8087d04be06a1888b72b9287f0e5b916847a84764050d"),
    (36_256, "a5485ce0adc6cc4fd8bf18cfa55222ccd5d3921511a62decbc52cff06abc5296"),
    (36_256, "314ed0b1511fcbf94afe84705a3268ad06375e1c0047b0fc2cbf052578c5eb23"),
)
SSL_USPS = _book(
    2,
    "USPS, 2 and 5 against the rest",
    "df21b130cdba7723cfb2158598356753c089e808deb70ffc59fa56a16be028b3",
    (2_895_240, "812b522414b4e744079e995c3f9516a663263254852c393e3b9dfac1b11ba620"),
    (36_256, "155238e71c8f53283dd658469c9abf94c9cd6b78f106343a9a378ab52abf96fe"),
    (36_256, "f3851cff60819b7fa280e43f7d1845ee44d57ba2643f7cdebad9de1e4e422239"),
)
SSL_BCI = _book(
    4,
    "BCI",
    "5cdb250502552c4f56ac50584b1b4bd47079d794fec67dedcfc06c678151560f",
    (375_440, "45170f338525e0542c0d1d132da9df8c6c6fbc773b1df803dcc98c0eb4fb369c"),
    (9_856, "21511ccd5a1ac2486ac2f0e428c9bcbd55e7c76007c67fec9f1f0325361580ce"),
    (9_856, "03aebf6fd4e402d244dde020328d2c64db0c934777eb5251d57b15a9e557bacc"),
)
SSL_G241C = _book(
    5,
    "g241c",
    "c370136dd5cb42c60b5eb2ee2caad8affc335e602488fcb301b28efcaf58220c",
    (2_895_240, "21e996d9c654ac91f32f5ba6af172b6f86034434b6cf17f059cfd2f821120e1e"),
    (36_256, "6560e5575bf4abd6f5d76bdb1396d009c867fc7f40e5bbb7f0aa5232cd17ac01"),
    (36_256, "449dcd8c2dc279c4380197154823abfd5001a74bacdc32115b18f035bcf8ddbe"),
)
SSL_SECSTR = _book(
    8,
    "SecStr, the labelled part",
    "d2cc0da8e12e67181ae6723dc5d7d6d6bf90b15cdd6aa61e7420ae6b8b0d509f",
    (1_339_112, "335b982f81fd3ea10a0dad1b696f91040f9e727aed72508be06dab0d3a67b420"),
    (3_347_416, "ae1d6bfa71a4c9044fb7b49368b8157ac301656dbf0dca17d5bb4858a6ea4f40"),
    (3_347_416, "ad6efe8f2e74b59146628149f548ade6ac0380ddd840e57ddcdb2ec3a187396e"),
    (3_347_416, "9542ab104c5bed937c1e1f0da1386dc7a69a68fc6858347317fc1bd276b8cea0"),
    counts=(100, 1000, 10_000),
    convert=secstr_file,
    scaling="0 and 1, one of 21 letters at each of 15 places",
)
