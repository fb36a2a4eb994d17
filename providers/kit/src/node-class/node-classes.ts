import {
  type CoreEventReason,
  findCondition,
  type KubeObject,
  type NodeClaim,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'
import {
  CreateError,
  InsufficientCapacityError,
  NodeClassNotReadyError,
  type ProviderContext,
  providerErrors,
} from '@kerf/provider-contract'
import { type Informer, isNotFound } from '@kerf/runtime'
import { isRefTo } from './node-class-ref.ts'
import type { NodeClassObject } from './status-step.ts'

type NodeClassRef = NodeClaim['spec']['nodeClassRef']

export interface NodeClassReading {
  /** The provider's name in messages. */
  readonly provider: string
  /** The assumed state of a node class without a Ready condition. */
  readonly withoutReady: 'ready' | 'unknown'
}

/** Looks up node classes by the references in NodePools and NodeClaims. Supports only the node class kind that the provider serves. */
export class NodeClasses<T extends NodeClassObject> {
  readonly #context: ProviderContext
  readonly #kind: ResourceKind<T>
  readonly #reading: NodeClassReading
  readonly #classes: Informer<T>

  constructor(context: ProviderContext, kind: ResourceKind<T>, reading: NodeClassReading) {
    this.#context = context
    this.#kind = kind
    this.#reading = reading
    this.#classes = context.informers.of(kind)
  }

  values(): Iterable<T> {
    return this.#classes.values()
  }

  /** Returns the node class, preferably from the informer's cache, because node classes rarely change and are read often. */
  async named(name: string, signal: AbortSignal): Promise<T | undefined> {
    return this.#classes.get(name) ?? (name === '' ? undefined : await this.#read(name, signal))
  }

  /** Returns the node class like `named`, or undefined if the reference is to a kind of another provider. */
  async find(ref: NodeClassRef, signal: AbortSignal): Promise<T | undefined> {
    return isRefTo(this.#kind, ref) ? await this.named(ref.name, signal) : undefined
  }

  /**
   * Returns the NodePool's node class.
   *
   * @throws KerfError `NodeClassMissing` if it does not exist. Also publishes an Event on the pool.
   */
  async ofPool(pool: NodePool, signal: AbortSignal): Promise<T> {
    const ref = pool.spec.template.spec.nodeClassRef
    const nodeClass = await this.find(ref, signal)
    if (nodeClass !== undefined) return nodeClass
    const problem = isRefTo(this.#kind, ref)
      ? `${this.#kind.kind} ${ref.name} does not exist`
      : `node classes of kind ${ref.kind}.${ref.group} are not served by the ${this.#reading.provider} provider`
    this.report(pool, problem)
    throw providerErrors.NodeClassMissing({ pool: pool.metadata.name, problem })
  }

  /**
   * Returns the node class with which a NodeClaim is launched, read from the API server.
   *
   * @throws InsufficientCapacityError if the node class is gone or being deleted (also publishes an Event on the claim);
   * NodeClassNotReadyError if it is not ready; CreateError if it is unknown whether it is ready.
   */
  async toLaunch(claim: NodeClaim, signal: AbortSignal): Promise<T> {
    const ref = claim.spec.nodeClassRef
    const nodeClass = isRefTo(this.#kind, ref) ? await this.#read(ref.name, signal) : undefined
    if (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined) {
      const problem = `${ref.kind} ${ref.name} ${nodeClass === undefined ? 'does not exist' : 'is being deleted'}`
      this.report(claim, problem)
      throw new InsufficientCapacityError(problem)
    }
    const title = `${this.#kind.kind} ${ref.name}`
    const ready = findCondition(nodeClass, 'Ready')
    if (ready?.status === 'False') throw new NodeClassNotReadyError(ready.message ?? `${title} is not ready`)
    const isReady = ready === undefined ? this.#reading.withoutReady === 'ready' : ready.status === 'True'
    if (isReady) return nodeClass
    throw new CreateError('NodeClassReadinessUnknown', `it is not known yet whether ${title} is ready`)
  }

  /** Publishes an Event on a NodePool or NodeClaim about a problem of its node class. */
  report(object: KubeObject, problem: string): void {
    this.#context.events.publish({
      object,
      type: 'Warning',
      reason: 'NodeClassResolutionError' satisfies CoreEventReason,
      message: problem,
      dedupeValues: [object.metadata.uid ?? object.metadata.name, problem],
    })
  }

  async #read(name: string, signal: AbortSignal): Promise<T | undefined> {
    try {
      return await this.#context.client.get(this.#kind, { name }, { signal })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }
}
