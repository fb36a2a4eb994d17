import { isDeepStrictEqual } from 'node:util'
import {
  apiVersionOf,
  type ConditionSet,
  conditionSets,
  type EC2NodeClass,
  findCondition,
  karpenterKinds,
  type Milliseconds,
  setCondition,
} from '@kerf/apis'
import { type Controller, done, isConflict, isNotFound, type Outcome, retry, retryAfter, source } from '@kerf/runtime'
import type { AwsParts } from '../../aws-parts.ts'
import { classOfOwnClaim } from '../../instances/claim-index.ts'
import { NODE_CLASS_FINALIZER } from '../../labels.ts'
import {
  imagesStep,
  instanceProfileStep,
  placementGroupStep,
  reservationsStep,
  securityGroupsStep,
  subnetsStep,
} from './discovery-steps.ts'
import { finalizeNodeClass } from './finalize-node-class.ts'
import { causeOf, isKnownGood, type Step, type StepResult } from './step.ts'
import { ValidationStep } from './validation-step.ts'

const KIND = karpenterKinds.EC2NodeClass

type Status = Readonly<Record<string, unknown>>

/** The status as it is stored. Empty lists are absent, as in upstream. */
const storedStatus = (status: EC2NodeClass['status']): Status =>
  Object.fromEntries(
    Object.entries(JSON.parse(JSON.stringify(status ?? {})) as Status).filter(
      ([, value]) => !Array.isArray(value) || value.length > 0,
    ),
  )

/** The merge patch from one status to the other, or `undefined` when they are equal. */
const statusPatch = (before: EC2NodeClass['status'], after: EC2NodeClass['status']): Status | undefined => {
  const [old, wanted] = [storedStatus(before), storedStatus(after)]
  // The API server keeps fields in an order of its own.
  if (isDeepStrictEqual(old, wanted)) return undefined
  const gone = Object.keys(before ?? {}).filter((field) => wanted[field] === undefined)
  return { ...wanted, ...Object.fromEntries(gone.map((field) => [field, null])) }
}

const RESERVATIONS = 'CapacityReservationsReady'

/** When AWS does not respond, nothing new is known about the class: earlier findings stay valid, and the condition says so. */
const heldTo = (nodeClass: EC2NodeClass, { unanswered, ...result }: StepResult): StepResult => {
  if (unanswered === undefined) return result
  const { type, message = '' } = unanswered
  const isKnown = isKnownGood(nodeClass, type)
  const condition = isKnown
    ? ({ type, status: 'True', message: `what was found before stays in use: ${message}` } as const)
    : unanswered
  return { ...result, condition }
}

const conditionsOf = (reservedCapacity: boolean): ConditionSet => ({
  ...conditionSets.EC2NodeClass,
  dependents: conditionSets.EC2NodeClass.dependents.filter((type) => reservedCapacity || type !== RESERVATIONS),
})

/**
 * Resolves node classes: what their selectors find, and whether instances can be launched from them
 * (`docs/spec/aws-controllers.md#node-class-status`). Every step runs, whatever the result of the others. A class that
 * is being deleted waits for its NodeClaims; then what was created for it is deleted too.
 */
export class NodeClassStatus {
  readonly #parts: AwsParts
  readonly #classes
  readonly #conditions: ConditionSet
  readonly #validation: ValidationStep
  readonly #steps: readonly Step[]

  constructor(parts: AwsParts) {
    const { reservedCapacity } = parts.options
    this.#parts = parts
    this.#classes = parts.context.informers.of(KIND)
    this.#conditions = conditionsOf(reservedCapacity)
    this.#validation = new ValidationStep(parts)
    this.#steps = [
      imagesStep(parts),
      ...(reservedCapacity ? [reservationsStep(parts)] : []),
      placementGroupStep(parts),
      subnetsStep(parts),
      securityGroupsStep(parts),
      instanceProfileStep(parts),
      this.#validation,
    ]
  }

  controller(): Controller {
    const { informers } = this.#parts.context
    return {
      name: 'nodeclass',
      reconciles: KIND,
      sources: [
        source(this.#classes, ({ after }) => (after === undefined ? [] : [after.metadata.name])),
        // A class that is being deleted waits for its last NodeClaim.
        source(informers.of(karpenterKinds.NodeClaim), ({ before, after }) =>
          after === undefined && before !== undefined ? classOfOwnClaim(before) : [],
        ),
        source(informers.of(karpenterKinds.NodePool), () => []),
      ],
      concurrency: 10,
      // Nothing reports that AWS grants a call again: classes are ready at most a minute later.
      backoff: { base: 100, max: 60_000 },
      reconcile: (name, signal) => this.#reconcile(name, signal),
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const nodeClass = this.#classes.get(name)
    if (nodeClass === undefined) {
      this.#validation.forget(name)
      this.#parts.types.forget(name)
      return done()
    }
    try {
      if (nodeClass.metadata.deletionTimestamp !== undefined) {
        const outcome = await finalizeNodeClass(nodeClass, this.#parts, signal)
        if (outcome === undefined) this.#validation.forget(name)
        return outcome ?? done()
      }
      const isGuarded = nodeClass.metadata.finalizers?.includes(NODE_CLASS_FINALIZER) === true
      return await this.#resolve(isGuarded ? nodeClass : await this.#addFinalizer(nodeClass, signal), signal)
    } catch (error) {
      if (isConflict(error)) return retry()
      if (isNotFound(error)) return done()
      throw error
    }
  }

  async #resolve(stored: EC2NodeClass, signal: AbortSignal): Promise<Outcome> {
    let current = stored
    const waits: Milliseconds[] = []
    const failures: unknown[] = []
    for (const step of this.#steps) {
      const result = await this.#runStep(step, current, signal)
      if (result.again !== undefined) waits.push(result.again)
      if (result.error !== undefined) failures.push(result.error)
      current = { ...current, status: { ...current.status, ...result.status } }
      if (result.condition !== undefined) {
        const conditions = setCondition(this.#conditions, current, result.condition, this.#parts.context.clock.now())
        current = { ...current, status: { ...current.status, conditions } }
      }
    }
    await this.#write(stored, current, signal)
    if (failures.length === 1) throw failures[0]
    if (failures.length > 1)
      throw new AggregateError(
        failures,
        failures.map((error) => (error instanceof Error ? error.message : String(error))).join('; '),
      )
    return waits.length === 0 ? done() : retryAfter(Math.min(...waits))
  }

  async #runStep(step: Step, nodeClass: EC2NodeClass, signal: AbortSignal): Promise<StepResult> {
    try {
      return heldTo(nodeClass, await step.run(nodeClass, signal))
    } catch (error) {
      signal.throwIfAborted()
      const cause = causeOf(error)
      if (cause === undefined) return { error }
      // A short failure of name resolution does not invalidate a class that was resolved before.
      if (cause.reason === 'EndpointNotFound' && isKnownGood(nodeClass, step.condition)) return { error }
      return heldTo(nodeClass, { error, unanswered: { type: step.condition, status: 'Unknown', ...cause } })
    }
  }

  /** Publishes an event for each condition whose message is new. */
  #report(before: EC2NodeClass, after: EC2NodeClass): void {
    for (const { type, status, reason, message } of after.status?.conditions ?? []) {
      if (type === 'Ready' || (message ?? '') === '' || reason === 'AwaitingReconciliation') continue
      const known = findCondition(before, type)
      if (known?.status === status && known.message === message) continue
      this.#parts.context.events.publish({
        object: { ...after, apiVersion: apiVersionOf(KIND), kind: KIND.kind },
        type: 'Warning',
        reason: reason ?? type,
        message: message ?? '',
        dedupeValues: [after.metadata.uid ?? '', type, message ?? ''],
      })
    }
  }

  async #write(before: EC2NodeClass, after: EC2NodeClass, signal: AbortSignal): Promise<void> {
    const status = statusPatch(before.status, after.status)
    if (status === undefined) return
    const { name = '', resourceVersion } = before.metadata
    const body = { metadata: { resourceVersion }, status }
    await this.#parts.context.client.patch(KIND, { name }, { type: 'merge', body }, { subresource: 'status', signal })
    this.#report(before, after)
  }

  async #addFinalizer({ metadata }: EC2NodeClass, signal: AbortSignal): Promise<EC2NodeClass> {
    const finalizers = [...(metadata.finalizers ?? []), NODE_CLASS_FINALIZER]
    const body = { metadata: { resourceVersion: metadata.resourceVersion, finalizers } }
    return this.#parts.context.client.patch(KIND, { name: metadata.name }, { type: 'merge', body }, { signal })
  }
}
