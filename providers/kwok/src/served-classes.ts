import { type KWOKNodeClass, karpenterKinds, type NodeClaim, type NodePool, type ResourceKind } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { ProviderContext } from '@kerf/provider-contract'
import { isRefTo, NodeClasses, type NodeClassObject } from '@kerf/provider-kit'

/** A kind of another provider's node classes whose instances are simulated here, and what a class of it offers. */
export interface StandIn {
  readonly kind: ResourceKind<NodeClassObject>
  /** The same array for the same class. `problems` say why the other provider would launch nothing by it. */
  offered(
    nodeClass: NodeClassObject,
  ): Promise<{ readonly types: readonly InstanceType[]; readonly problems: readonly string[] }>
}

type NodeClassRef = NodeClaim['spec']['nodeClassRef']

/** The node classes that the provider serves: its own, of which each offers all types, and those it stands in for. */
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
    // A class without the condition was applied by a client that left the default out; nothing else would ever set it.
    this.#own = new NodeClasses(context, karpenterKinds.KWOKNodeClass, { provider, withoutReady: 'ready' })
    this.#standIns = standIns.map((standIn) => ({
      standIn,
      classes: new NodeClasses(context, standIn.kind, { provider, withoutReady: 'unknown' }),
    }))
    this.kinds = [karpenterKinds.KWOKNodeClass, ...standIns.map(({ kind }) => kind)]
  }

  /** What the pool may launch. Throws as `NodeClasses.ofPool` does. */
  async ofPool(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const other = this.#standInFor(pool.spec.template.spec.nodeClassRef)
    if (other !== undefined) return (await other.standIn.offered(await other.classes.ofPool(pool, signal))).types
    await this.#own.ofPool(pool, signal)
    return this.#types
  }

  /** What the claim may be launched as. Throws as `NodeClasses.toLaunch` does. */
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
