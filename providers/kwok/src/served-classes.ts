import type { NodeClaim, NodePool, ResourceKind } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { ProviderContext } from '@kerf/provider-contract'
import { isRefTo, NodeClasses, type NodeClassObject } from '@kerf/provider-kit'
import { type KWOKNodeClass, kwokNodeClassKind } from './node-class/kwok-node-class.ts'

/** A node class kind of another provider whose instances this provider simulates. */
export interface StandIn {
  readonly kind: ResourceKind<NodeClassObject>
  /**
   * Returns the instance types of a node class. Returns the same array for the same node class. `problems` contains the reasons why the
   * other provider would launch no nodes.
   */
  offered(
    nodeClass: NodeClassObject,
  ): Promise<{ readonly types: readonly InstanceType[]; readonly problems: readonly string[] }>
}

type NodeClassRef = NodeClaim['spec']['nodeClassRef']

/**
 * The node classes that the provider serves: its own, which offer all instance types, and those of other providers whose instances it
 * simulates.
 */
export class ServedClasses {
  readonly kinds: readonly ResourceKind[]
  readonly #own: NodeClasses<KWOKNodeClass>
  readonly #types: readonly InstanceType[]
  readonly #standIns: readonly { readonly standIn: StandIn; readonly classes: NodeClasses<NodeClassObject> }[]

  constructor(
    context: ProviderContext,
    provider: string,
    { types, standIns }: { readonly types: readonly InstanceType[]; readonly standIns: readonly StandIn[] },
  ) {
    this.#types = types
    // A node class without the Ready condition counts as ready, because a client created it without the default, and no controller would set
    // the condition later.
    this.#own = new NodeClasses(context, kwokNodeClassKind, { provider, withoutReady: 'ready' })
    this.#standIns = standIns.map((standIn) => ({
      standIn,
      classes: new NodeClasses(context, standIn.kind, { provider, withoutReady: 'unknown' }),
    }))
    this.kinds = [kwokNodeClassKind, ...standIns.map(({ kind }) => kind)]
  }

  /** Returns the instance types that the NodePool may launch. Throws like `NodeClasses.ofPool`. */
  async ofPool(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const other = this.#standInFor(pool.spec.template.spec.nodeClassRef)
    if (other !== undefined) return (await other.standIn.offered(await other.classes.ofPool(pool, signal))).types
    await this.#own.ofPool(pool, signal)
    return this.#types
  }

  /** Returns the instance types that the NodeClaim may be launched with. Throws like `NodeClasses.toLaunch`. */
  async toLaunch(claim: NodeClaim, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const other = this.#standInFor(claim.spec.nodeClassRef)
    if (other !== undefined) return (await other.standIn.offered(await other.classes.toLaunch(claim, signal))).types
    await this.#own.toLaunch(claim, signal)
    return this.#types
  }

  #standInFor(ref: NodeClassRef) {
    return this.#standIns.find(({ standIn }) => isRefTo(standIn.kind, ref))
  }
}
