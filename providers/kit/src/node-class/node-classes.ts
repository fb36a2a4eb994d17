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
} from '@kerf/provider-contract'
import { type Informer, isNotFound } from '@kerf/runtime'
import { isRefTo } from './node-class-ref.ts'
import type { NodeClassObject } from './status-step.ts'

type NodeClassRef = NodeClaim['spec']['nodeClassRef']

export interface NodeClassReading {
  /** The provider's name, for messages. */
  readonly provider: string
  /** What a class is that has no Ready condition. */
  readonly withoutReady: 'ready' | 'unknown'
}

/** The node classes of the kind that a provider serves, as pools and claims refer to them. */
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

  /** From memory when it is there: classes rarely change, and pools are asked for often. */
  async named(name: string, signal: AbortSignal): Promise<T | undefined> {
    return this.#classes.get(name) ?? (name === '' ? undefined : await this.#read(name, signal))
  }

  /** As `named`; nothing for a reference to a class that another provider serves. */
  async find(ref: NodeClassRef, signal: AbortSignal): Promise<T | undefined> {
    return isRefTo(this.#kind, ref) ? await this.named(ref.name, signal) : undefined
  }

  /**
   * The node class of the pool.
   *
   * @throws Error when there is none. The pool gets an event.
   */
  async ofPool(pool: NodePool, signal: AbortSignal): Promise<T> {
    const ref = pool.spec.template.spec.nodeClassRef
    const nodeClass = await this.find(ref, signal)
    if (nodeClass !== undefined) return nodeClass
    const problem = isRefTo(this.#kind, ref)
      ? `${this.#kind.kind} ${ref.name} does not exist`
      : `node classes of kind ${ref.kind}.${ref.group} are not served by the ${this.#reading.provider} provider`
    this.report(pool, problem)
    throw new Error(`nodepool ${pool.metadata.name}: ${problem}`)
  }

  /**
   * The class to launch a claim with, as it is now: read from the API server.
   *
   * @throws InsufficientCapacityError when it is gone or being deleted; the claim gets an event;
   *   NodeClassNotReadyError when it is not ready; CreateError when that is not known.
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

  /** Tells a pool or a claim what is the matter with its class. */
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
