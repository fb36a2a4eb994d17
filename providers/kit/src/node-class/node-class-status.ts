import {
  type ConditionSet,
  conditionEventReason,
  findCondition,
  groupVersion,
  karpenterKinds,
  type Milliseconds,
  READY,
  type ResourceKind,
  setCondition,
  withConditions,
} from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import {
  type Controller,
  done,
  isConflict,
  isNotFound,
  type Outcome,
  retry,
  retryAfter,
  type Source,
  source,
  specSource,
  textOfThrown,
} from '@kerf/runtime'
import { finalizeNodeClass, type NodeClassFinalizer, withFinalizer } from './node-class-finalizer.ts'
import { classOfClaim } from './node-class-ref.ts'
import { statusPatch } from './status-patch.ts'
import { type NodeClassObject, runStep, type Step, type StepCause } from './status-step.ts'

export interface NodeClassStatusOptions<T extends NodeClassObject> {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>
  readonly kind: ResourceKind<T>
  /** The controller's name. Default `nodeclass`. Required if a provider resolves several kinds. */
  readonly name?: string
  readonly conditions: ConditionSet
  /** The steps, in order. Each step receives the node class with the results of the earlier steps. */
  readonly steps: readonly Step<T>[]
  /** Returns the cause of a failed call, or undefined for an error that must not change a condition, such as throttling. */
  readonly causeOf: (error: unknown) => StepCause | undefined
  /** Absent if nothing is created in the cloud for a node class, so that the node class can be deleted at any time. */
  readonly finalizer?: NodeClassFinalizer<T>
  /** Called when a node class is gone or its finalizer has been removed. */
  readonly forget?: (name: string) => void
  /** Additional sources for the steps. Their keys are the names of the affected node classes. */
  readonly sources?: readonly Source[]
}

/**
 * Resolves node classes: the cloud resources that their selectors match, and whether instances can be launched with them
 * (`providers/aws/docs/spec/aws-controllers.md#node-class-status`, which applies to all providers). All steps run regardless of the results
 * of other steps, and the status is written once. The deletion of a node class waits until its NodeClaims are gone. Then Kerf deletes what
 * it created for the node class in the cloud.
 */
export class NodeClassStatus<T extends NodeClassObject> {
  readonly #options: NodeClassStatusOptions<T>
  readonly #classes

  constructor(options: NodeClassStatusOptions<T>) {
    this.#options = options
    this.#classes = options.context.informers.of(options.kind)
  }

  controller(): Controller {
    const { context, kind, name: controllerName = 'nodeclass', sources = [] } = this.#options
    return {
      name: controllerName,
      reconciles: kind,
      sources: [
        // Ignores changes of the status, because this controller itself writes the status.
        specSource(this.#classes, ({ before, after }) => {
          const name = (after ?? before)?.metadata.name
          return name === undefined ? [] : [name]
        }),
        // A node class that is being deleted waits for its last NodeClaim to disappear.
        source(context.informers.of(karpenterKinds.NodeClaim), ({ before, after }) =>
          after === undefined && before !== undefined ? classOfClaim(kind, before) : [],
        ),
        ...sources,
      ],
      concurrency: 10,
      // No event signals that the cloud allows a call again. This back-off ensures that a node class becomes ready at most one minute
      // later.
      backoff: { base: 100, max: 60_000 },
      reconcile: (name, signal) => this.#reconcile(name, signal),
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const { context, kind, finalizer, forget } = this.#options
    const nodeClass = this.#classes.get(name)
    if (nodeClass === undefined) {
      forget?.(name)
      return done()
    }
    try {
      if (nodeClass.metadata.deletionTimestamp === undefined) {
        const guarded =
          finalizer === undefined ? nodeClass : await withFinalizer(context, kind, nodeClass, finalizer.name, signal)
        return await this.#resolve(guarded, signal)
      }
      const outcome =
        finalizer === undefined ? undefined : await finalizeNodeClass(context, kind, nodeClass, finalizer, signal)
      if (outcome === undefined) forget?.(name)
      return outcome ?? done()
    } catch (error) {
      if (isConflict(error)) return retry()
      if (isNotFound(error)) return done()
      throw error
    }
  }

  async #resolve(stored: T, signal: AbortSignal): Promise<Outcome> {
    const { context, conditions: set, steps, causeOf } = this.#options
    let current = stored
    const waits: Milliseconds[] = []
    const failures: unknown[] = []
    for (const step of steps) {
      const { status, condition, invalidates = [], again, error } = await runStep(step, current, causeOf, signal)
      if (again !== undefined) waits.push(again)
      if (error !== undefined) failures.push(error)
      current = { ...current, status: { ...current.status, ...status } }
      for (const change of condition === undefined ? invalidates : [condition, ...invalidates])
        current = withConditions(current, setCondition(set, current, change, context.clock.now()))
    }
    await this.#write(stored, current, signal)
    if (failures.length === 1) throw failures[0]
    if (failures.length > 1) throw new AggregateError(failures, failures.map(textOfThrown).join('; '))
    return waits.length === 0 ? done() : retryAfter(Math.min(...waits))
  }

  async #write(before: T, after: T, signal: AbortSignal): Promise<void> {
    const { context, kind } = this.#options
    const status = statusPatch(before.status, after.status)
    if (status === undefined) return
    const { name = '', resourceVersion } = before.metadata
    const body = { metadata: { resourceVersion }, status }
    await context.client.patch(kind, { name }, { type: 'merge', body }, { subresource: 'status', signal })
    this.#report(before, after)
  }

  /** Publishes an Event for each condition with a new message. */
  #report(before: T, after: T): void {
    const { context, kind } = this.#options
    for (const { type, status, reason, message } of after.status?.conditions ?? []) {
      if (type === READY || (message ?? '') === '' || reason === 'AwaitingReconciliation') continue
      const known = findCondition(before, type)
      if (known?.status === status && known.message === message) continue
      context.events.publish({
        object: { ...after, apiVersion: groupVersion(kind), kind: kind.kind },
        type: 'Warning',
        reason: conditionEventReason(reason ?? type),
        message: message ?? '',
        dedupeValues: [after.metadata.uid ?? '', type, message ?? ''],
      })
    }
  }
}
