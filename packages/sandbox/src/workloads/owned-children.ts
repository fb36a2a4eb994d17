import type { KubeObject, LabelSelector, ResourceKind } from '@kerf/apis'
import { type Informer, informerKey, isNotFound, type Key, parseKey, type Source } from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { claimChildren, indexByController } from '../objects/ownership.ts'
import { childSource, ownSource } from '../objects/sources.ts'
import { Expectations } from './expectations.ts'

/**
 * The common state of controllers whose objects own children: the informers of both kinds, recent creations and deletions of children, and
 * the sources that trigger an owner.
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

  /** Returns the owner's children after adoption and release. See `claimChildren`. */
  claim(owner: O, selector: LabelSelector | undefined): Promise<C[]> {
    return claimChildren(this.#context.client, this.children, this.#kinds, owner, selector)
  }

  /** Deletes a child of the owner, and adds the expectation that the informer will show the removal. Returns whether the child existed. */
  async delete(owner: Key, child: C): Promise<boolean> {
    const key = informerKey(child)
    const { uid } = child.metadata
    this.expected.deleted(owner, key, child)
    try {
      const preconditions = uid === undefined ? {} : { preconditions: { uid } }
      await this.#context.client.delete(this.#kinds.child, parseKey(key), preconditions)
      return true
    } catch (error) {
      if (isNotFound(error)) return false
      this.expected.forget(owner)
      throw error
    }
  }
}
