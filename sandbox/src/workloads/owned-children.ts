import type { KubeObject, LabelSelector, ResourceKind } from '@kerf/apis'
import type { Informer, Source } from '@kerf/runtime'
import type { ClusterContext } from './context.ts'
import { Expectations } from './expectations.ts'
import { claimChildren, indexByController } from './ownership.ts'
import { childSource, ownSource } from './pod-source.ts'

/**
 * What a controller of objects with children keeps: the mirrors of both, the children that it has just made or deleted,
 * and whose changes trigger an owner.
 */
export class OwnedChildren<O extends KubeObject, C extends KubeObject> {
  readonly owners: Informer<O>
  readonly children: Informer<C>
  readonly expected: Expectations
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #kinds: { readonly owner: ResourceKind<O>; readonly child: ResourceKind<C> }

  constructor(context: ClusterContext, kinds: { readonly owner: ResourceKind<O>; readonly child: ResourceKind<C> }) {
    this.#context = context
    this.#kinds = kinds
    this.owners = context.informers.of(kinds.owner)
    this.children = context.informers.of(kinds.child)
    indexByController(this.children)
    this.expected = new Expectations(context.clock, this.children)
    this.sources = [ownSource(context, kinds.owner), childSource(context, kinds.child, kinds.owner)]
  }

  /** The owner's children after adoption and release; see `claimChildren`. */
  claim(owner: O, selector: LabelSelector | undefined): Promise<C[]> {
    return claimChildren(this.#context.client, this.children, this.#kinds, owner, selector)
  }
}
