interface PoolClaims {
  readonly active: Set<string>
  readonly deleting: Set<string>
  readonly pendingDisruption: Set<string>
  reserved: number
}

/** The number of claims of a pool by state. */
export interface ClaimCounts {
  readonly active: number
  readonly deleting: number
  readonly pendingDisruption: number
}

/**
 * Tracks claims by NodePool and state, and the reservations for claims that are about to be created. Static pools use it to count their
 * replicas and to check their node limit (`docs/spec/static-pools-buffers-overlays.md#static-nodepools`).
 */
export class ClaimIndex {
  readonly #pools = new Map<string, PoolClaims>()
  readonly #poolOf = new Map<string, string>()

  /** Records a claim of `pool`. A claim with a pending disruption remains in that state until it is deleted. */
  put(pool: string, claim: string, isDeleting: boolean): void {
    const before = this.#poolOf.get(claim)
    if (before !== undefined && before !== pool) this.remove(claim)
    this.#poolOf.set(claim, pool)
    const claims = this.#of(pool)
    if (isDeleting) {
      claims.active.delete(claim)
      claims.pendingDisruption.delete(claim)
      claims.deleting.add(claim)
    } else if (!claims.pendingDisruption.has(claim)) {
      claims.deleting.delete(claim)
      claims.active.add(claim)
    }
  }

  /** Records that Kerf is starting to replace the claim. From now on, the claim counts as a node but not as a replica. */
  markPendingDisruption(claim: string): void {
    const claims = this.#pools.get(this.#poolOf.get(claim) ?? '')
    if (claims?.active.delete(claim) === true) claims.pendingDisruption.add(claim)
  }

  unmarkPendingDisruption(claim: string): void {
    const claims = this.#pools.get(this.#poolOf.get(claim) ?? '')
    if (claims?.pendingDisruption.delete(claim) === true) claims.active.add(claim)
  }

  remove(claim: string): void {
    const pool = this.#poolOf.get(claim)
    if (pool === undefined) return
    this.#poolOf.delete(claim)
    const claims = this.#of(pool)
    claims.active.delete(claim)
    claims.deleting.delete(claim)
    claims.pendingDisruption.delete(claim)
    this.#dropIfEmpty(pool, claims)
  }

  isActive(pool: string, claim: string): boolean {
    return this.#pools.get(pool)?.active.has(claim) ?? false
  }

  /** Returns the names of the pool's claims that are being deleted or are marked for deletion. Claims can also be unmarked. */
  deletingClaims(pool: string): readonly string[] {
    return [...(this.#pools.get(pool)?.deleting ?? [])]
  }

  counts(pool: string): ClaimCounts {
    const claims = this.#pools.get(pool)
    return {
      active: claims?.active.size ?? 0,
      deleting: claims?.deleting.size ?? 0,
      pendingDisruption: claims?.pendingDisruption.size ?? 0,
    }
  }

  /**
   * Reserves up to `wanted` new nodes below `limit`, and returns how many it reserved. Existing claims and unreleased reservations count
   * towards the limit.
   */
  reserve(pool: string, limit: number, wanted: number): number {
    const claims = this.#of(pool)
    const { active, deleting, pendingDisruption } = this.counts(pool)
    const left = Math.max(0, limit - (active + deleting + pendingDisruption) - claims.reserved)
    const granted = Math.max(0, Math.min(wanted, left))
    claims.reserved += granted
    this.#dropIfEmpty(pool, claims)
    return granted
  }

  release(pool: string, count: number): void {
    const claims = this.#pools.get(pool)
    if (claims === undefined) return
    claims.reserved = Math.max(0, claims.reserved - count)
    this.#dropIfEmpty(pool, claims)
  }

  #of(pool: string): PoolClaims {
    let claims = this.#pools.get(pool)
    if (claims === undefined) {
      claims = { active: new Set(), deleting: new Set(), pendingDisruption: new Set(), reserved: 0 }
      this.#pools.set(pool, claims)
    }
    return claims
  }

  #dropIfEmpty(pool: string, claims: PoolClaims): void {
    if (claims.reserved > 0) return
    if (claims.active.size + claims.deleting.size + claims.pendingDisruption.size === 0) this.#pools.delete(pool)
  }
}
