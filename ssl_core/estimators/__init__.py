"""All methods as scikit-learn classifiers, and bases for further ones."""

from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.estimators.baselines import (
    HarmonicClassifier,
    LabelPropagationClassifier,
    LabelSpreadingClassifier,
    PoissonClassifier,
    SelfTrainingClassifier,
)
from ssl_core.estimators.bases import GraphClassifier, KernelClassifier
from ssl_core.estimators.laplacian import (
    LapRLSClassifier,
    LapRLSPCGClassifier,
    LapSVMDualClassifier,
    LapSVMNewtonClassifier,
    LapSVMPCGClassifier,
    RLSClassifier,
    SVMClassifier,
)
from ssl_core.estimators.linear import (
    DAClassifier,
    L2SVMClassifier,
    LinearClassifier,
    TSVMClassifier,
)
from ssl_core.estimators.s3vm import (
    BranchAndBoundClassifier,
    CCCPClassifier,
    ConvexRelaxationClassifier,
    CS3VMClassifier,
    DAKernelClassifier,
    NablaDAClassifier,
    NablaS3VMClassifier,
    NewtonS3VMClassifier,
    S3VMLightClassifier,
)
from ssl_core.estimators.s3vm_graph import LapSVMS3VMClassifier
from ssl_core.estimators.s3vm_path import S3VMPathClassifier

__all__ = [
    "BranchAndBoundClassifier",
    "CCCPClassifier",
    "CS3VMClassifier",
    "ConvexRelaxationClassifier",
    "DAClassifier",
    "DAKernelClassifier",
    "GraphClassifier",
    "HarmonicClassifier",
    "KernelClassifier",
    "L2SVMClassifier",
    "LabelPropagationClassifier",
    "LabelSpreadingClassifier",
    "LapRLSClassifier",
    "LapRLSPCGClassifier",
    "LapSVMDualClassifier",
    "LapSVMNewtonClassifier",
    "LapSVMPCGClassifier",
    "LapSVMS3VMClassifier",
    "LinearClassifier",
    "NablaDAClassifier",
    "NablaS3VMClassifier",
    "NewtonS3VMClassifier",
    "PoissonClassifier",
    "RLSClassifier",
    "S3VMLightClassifier",
    "S3VMPathClassifier",
    "SVMClassifier",
    "SelfTrainingClassifier",
    "SemiSupervisedClassifier",
    "TSVMClassifier",
]
