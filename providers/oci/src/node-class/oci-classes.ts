import type { KubeObject, NodeClaim, NodePool } from '@kerf/apis'
import { InsufficientCapacityError, type ProviderContext, providerErrors } from '@kerf/provider-contract'
import { NodeClasses } from '@kerf/provider-kit'
import { type Upstream, upstreamOfGroup } from '../names.ts'
import { type CommunityNodeClass, communityNodeClassKind } from './community-node-class.ts'
import { resolveCommunityClass } from './community-resolution.ts'
import { type OracleNodeClass, oracleNodeClassKind } from './oracle-node-class.ts'
import { resolveOracleClass } from './oracle-resolution.ts'
import type { ResolvedClass } from './resolved-class.ts'

type NodeClassRef = NodeClaim['spec']['nodeClassRef']

/** Looks up node classes of both kinds by the references in NodePools and NodeClaims, and translates them into one model. */
export class OciClasses {
  readonly #community: NodeClasses<CommunityNodeClass>
  readonly #oracle: NodeClasses<OracleNodeClass>
  /** The translated classes, by object. A changed object is a new object in the cache, so its entry is never stale. */
  readonly #resolved = new WeakMap<KubeObject, ResolvedClass>()

  constructor(context: ProviderContext) {
    const reading = { provider: 'oci', withoutReady: 'unknown' } as const
    this.#community = new NodeClasses(context, communityNodeClassKind, reading)
    this.#oracle = new NodeClasses(context, oracleNodeClassKind, reading)
  }

  /** Returns the classes of both kinds that the caches contain. */
  values(): readonly ResolvedClass[] {
    return [
      ...[...this.#community.values()].map((each) => this.#ofCommunity(each)),
      ...[...this.#oracle.values()].map((each) => this.#ofOracle(each)),
    ]
  }

  /** Returns the class, or undefined if it does not exist or belongs to another provider. */
  async find(ref: NodeClassRef, signal: AbortSignal): Promise<ResolvedClass | undefined> {
    switch (this.#upstream(ref)) {
      case 'community': {
        const found = await this.#community.find(ref, signal)
        return found === undefined ? undefined : this.#ofCommunity(found)
      }
      case 'oracle': {
        const found = await this.#oracle.find(ref, signal)
        return found === undefined ? undefined : this.#ofOracle(found)
      }
      case undefined:
        return undefined
    }
  }

  /**
   * Returns the NodePool's class.
   *
   * @throws KerfError `NodeClassMissing` if it does not exist. Also publishes an event on the pool.
   */
  async ofPool(pool: NodePool, signal: AbortSignal): Promise<ResolvedClass> {
    const ref = pool.spec.template.spec.nodeClassRef
    switch (this.#upstream(ref)) {
      case 'community':
        return this.#ofCommunity(await this.#community.ofPool(pool, signal))
      case 'oracle':
        return this.#ofOracle(await this.#oracle.ofPool(pool, signal))
      case undefined: {
        const problem = `node classes of kind ${ref.kind}.${ref.group} are not served by the oci provider`
        this.#oracle.report(pool, problem)
        throw providerErrors.NodeClassMissing({ pool: pool.metadata.name, problem })
      }
    }
  }

  /**
   * Returns the class with which a NodeClaim is launched, read from the API server.
   *
   * @throws InsufficientCapacityError if the class is gone or being deleted (also publishes an event on the claim); NodeClassNotReadyError
   * if it is not ready; CreateError if its readiness is unknown
   */
  async toLaunch(claim: NodeClaim, signal: AbortSignal): Promise<ResolvedClass> {
    const ref = claim.spec.nodeClassRef
    switch (this.#upstream(ref)) {
      case 'community':
        return this.#ofCommunity(await this.#community.toLaunch(claim, signal))
      case 'oracle':
        return this.#ofOracle(await this.#oracle.toLaunch(claim, signal))
      case undefined: {
        const problem = `node classes of kind ${ref.kind}.${ref.group} are not served by the oci provider`
        this.report(claim, problem)
        throw new InsufficientCapacityError(problem)
      }
    }
  }

  /** Publishes an event about a problem of the class on a NodePool or NodeClaim. */
  report(object: KubeObject, problem: string): void {
    this.#oracle.report(object, problem)
  }

  #upstream({ group }: NodeClassRef): Upstream | undefined {
    return upstreamOfGroup(group)
  }

  #ofCommunity(nodeClass: CommunityNodeClass): ResolvedClass {
    return this.#remembered(nodeClass, () => resolveCommunityClass(nodeClass))
  }

  #ofOracle(nodeClass: OracleNodeClass): ResolvedClass {
    return this.#remembered(nodeClass, () => resolveOracleClass(nodeClass))
  }

  #remembered(nodeClass: KubeObject, resolve: () => ResolvedClass): ResolvedClass {
    const known = this.#resolved.get(nodeClass)
    if (known !== undefined) return known
    const resolved = resolve()
    this.#resolved.set(nodeClass, resolved)
    return resolved
  }
}
