"""The vector work of a conjugate gradient iteration, fused into two passes.

Arrays have one column per machine; machines that are not live are left alone. An
iteration at n = 4000 reads K once (64 MB in double precision): what is here moves
less than 1 MB, but as some forty array operations it cost a third of the product.
"""

import numpy as np

from ssl_core.linalg.compiled import compiled


@compiled(nogil=True)
def move(live, step, alpha, b, F, LF, d, d_b, Kd, LFd, sums):
    """One step along d, in place, with the sums the objective is made of.

        alpha += s d,   b += s d_b,   F += s (K d + d_b),   LF += s L (K d + d_b)

    ``sums`` of shape (3, k) receives alpha'F, 1'alpha and F'LF of the live machines.
    """
    n, k = alpha.shape
    for j in range(k):
        if not live[j]:
            continue
        s, shift = step[j], d_b[j]
        b[j] += s * shift
        alpha_F, alpha_sum, F_LF = 0.0, 0.0, 0.0
        for i in range(n):
            alpha[i, j] += s * d[i, j]
            F[i, j] += s * (Kd[i, j] + shift)
            LF[i, j] += s * LFd[i, j]
            alpha_F += alpha[i, j] * F[i, j]
            alpha_sum += alpha[i, j]
            F_LF += F[i, j] * LF[i, j]
        sums[0, j], sums[1, j], sums[2, j] = alpha_F, alpha_sum, F_LF


@compiled(nogil=True)
def turn(
    live,
    steepest,
    alpha,
    LF,
    G,
    g_b,
    KG,
    LFG,
    G_old,
    g_b_old,
    mixed,
    d,
    d_b,
    Kd,
    LFd,
    norms,
    terms,
    restarted,
):
    """New norms and the Polak-Ribiere direction, [MB11] Algorithm 1, in place.

    G is the preconditioned gradient (with g_b for the bias), KG the gradient, LFG
    = L (KG + g_b). Where ``steepest`` is set, where rho <= 0 and where rounding would
    make the direction climb, the search restarts at -G.

    ``mixed`` holds grad' P^-1 grad of the last point and receives this one's;
    ``norms`` (3, k) the gradient, preconditioned and mixed norms; ``terms`` (4, k) the
    regulariser's part of the next line search: alpha'K d, F_d'LF, d'K d, F_d'LF_d.
    """
    n, k = G.shape
    for j in range(k):
        if not live[j]:
            continue
        bias = g_b[j] * g_b[j]
        grad, precond, cross, change = bias, bias, bias, 0.0
        for i in range(n):
            grad += KG[i, j] * KG[i, j]
            precond += G[i, j] * G[i, j]
            cross += G[i, j] * KG[i, j]
            change += KG[i, j] * (G[i, j] - G_old[i, j])
        change += g_b[j] * (g_b[j] - g_b_old[j])
        rho = 0.0
        if not steepest[j] and mixed[j] > 0.0:
            rho = max(change / mixed[j], 0.0)
        if rho > 0.0:
            slope = -cross + rho * g_b[j] * d_b[j]
            for i in range(n):
                slope += rho * KG[i, j] * d[i, j]
            if slope >= 0.0:
                rho = 0.0
        restarted[j] = rho == 0.0
        mixed[j] = cross
        norms[0, j], norms[1, j] = np.sqrt(grad), np.sqrt(precond)
        norms[2, j] = np.sqrt(max(cross, 0.0))
        d_b[j] = rho * d_b[j] - g_b[j]
        shift = d_b[j]
        alpha_Kd, Fd_LF, d_Kd, Fd_LFd = 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            d[i, j] = rho * d[i, j] - G[i, j]
            Kd[i, j] = rho * Kd[i, j] - KG[i, j]
            LFd[i, j] = rho * LFd[i, j] - LFG[i, j]
            Fd = Kd[i, j] + shift
            alpha_Kd += alpha[i, j] * Kd[i, j]
            Fd_LF += Fd * LF[i, j]
            d_Kd += d[i, j] * Kd[i, j]
            Fd_LFd += Fd * LFd[i, j]
        terms[0, j], terms[1, j] = alpha_Kd, Fd_LF
        terms[2, j], terms[3, j] = d_Kd, Fd_LFd
