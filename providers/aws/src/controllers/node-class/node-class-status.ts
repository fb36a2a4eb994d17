import { isDeepStrictEqual } from 'node:util'
import {
  apiVersionOf,
  type ConditionSet,
  conditionSets,
  type EC2NodeClass,
  findCondition,
  karpenterKinds,
  setCondition,
} from '@kerf/apis'
import {
  type Controller,
  done,
  isConflict,
  isNotFound,
  type Milliseconds,
  type Outcome,
  retry,
  retryAfter,
  source,
} from '@kerf/runtime'
import type { AwsParts } from '../../aws-parts.ts'
import { classOfClaim } from '../../instances/claim-index.ts'
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

type Status = Readonly<Record<string, unknown>>

/** A status as it is stored: a list in which nothing was found is absent, as upstream leaves it. */
const storedStatus = (status: EC2NodeClass['status']): Status =>
  Object.fromEntries(
    Object.entries(JSON.parse(JSON.stringify(status ?? {})) as Status).filter(
      ([, value]) => !Array.isArray(value) || value.length > 0,
    ),
  )

/** What changes one status into the other, as a merge patch; nothing when it would change nothing. */
const statusPatch = (before: EC2NodeClass['status'], after: EC2NodeClass['status']): Status | undefined => {
  const [old, wanted] = [storedStatus(before), storedStatus(after)]
  // The API server keeps fields in an order of its own.
  if (isDeepStrictEqual(old, wanted)) return undefined
  const gone = Object.keys(before ?? {}).filter((field) => wanted[field] === undefined)
  return { ...wanted, ...Object.fromEntries(gone.map((field) => [field, null])) }
}

const RESERVATIONS = 'CapacityReservationsReady'

/** What AWS does not answer says nothing of the class: what was found before holds, and the condition says so. */
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
 * Resolves node classes: what their selectors find, and whether instances can be launched from it
 * (`docs/spec/aws-controllers.md#node-class-status`). All parts are looked at, whatever becomes of the others. A class
 * that is being deleted waits for its claims, then takes what was made for it along.
 */
export const nodeClassStatus = (parts: AwsParts): Controller => {
  const { context, options } = parts
  const { client, informers, clock, events } = context
  const kind = karpenterKinds.EC2NodeClass
  const classes = informers.of(kind)
  const claims = informers.of(karpenterKinds.NodeClaim)
  const set = conditionsOf(options.reservedCapacity)
  const validation = new ValidationStep(parts)
  const steps: readonly Step[] = [
    imagesStep(parts),
    ...(options.reservedCapacity ? [reservationsStep(parts)] : []),
    placementGroupStep(parts),
    subnetsStep(parts),
    securityGroupsStep(parts),
    instanceProfileStep(parts),
    validation,
  ]

  const runStep = async (step: Step, nodeClass: EC2NodeClass, signal: AbortSignal): Promise<StepResult> => {
    try {
      return heldTo(nodeClass, await step.run(nodeClass, signal))
    } catch (error) {
      signal.throwIfAborted()
      const cause = causeOf(error)
      if (cause === undefined) return { error }
      // A moment without name resolution says nothing of a class that was resolved before.
      if (cause.reason === 'EndpointNotFound' && isKnownGood(nodeClass, step.condition)) return { error }
      return heldTo(nodeClass, { error, unanswered: { type: step.condition, status: 'Unknown', ...cause } })
    }
  }

  /** Says what is wrong to whoever describes the object. */
  const report = (before: EC2NodeClass, after: EC2NodeClass): void => {
    for (const { type, status, reason, message } of after.status?.conditions ?? []) {
      if (type === 'Ready' || (message ?? '') === '' || reason === 'AwaitingReconciliation') continue
      const known = findCondition(before, type)
      if (known?.status === status && known.message === message) continue
      events.publish({
        object: { ...after, apiVersion: apiVersionOf(kind), kind: kind.kind },
        type: 'Warning',
        reason: reason ?? type,
        message: message ?? '',
        dedupeValues: [after.metadata.uid ?? '', type, message ?? ''],
      })
    }
  }

  const write = async (before: EC2NodeClass, after: EC2NodeClass, signal: AbortSignal): Promise<void> => {
    const status = statusPatch(before.status, after.status)
    if (status === undefined) return
    const { name = '', resourceVersion } = before.metadata
    const body = { metadata: { resourceVersion }, status }
    await client.patch(kind, { name }, { type: 'merge', body }, { subresource: 'status', signal })
    report(before, after)
  }

  const resolve = async (stored: EC2NodeClass, signal: AbortSignal): Promise<Outcome> => {
    let current = stored
    const waits: Milliseconds[] = []
    const failures: unknown[] = []
    for (const step of steps) {
      const result = await runStep(step, current, signal)
      if (result.again !== undefined) waits.push(result.again)
      if (result.error !== undefined) failures.push(result.error)
      current = { ...current, status: { ...current.status, ...result.status } }
      if (result.condition !== undefined) {
        const conditions = setCondition(set, current, result.condition, clock.now())
        current = { ...current, status: { ...current.status, conditions } }
      }
    }
    await write(stored, current, signal)
    if (failures.length === 1) throw failures[0]
    if (failures.length > 1)
      throw new AggregateError(
        failures,
        failures.map((error) => (error instanceof Error ? error.message : String(error))).join('; '),
      )
    return waits.length === 0 ? done() : retryAfter(Math.min(...waits))
  }

  const addFinalizer = async ({ metadata }: EC2NodeClass, signal: AbortSignal): Promise<EC2NodeClass> => {
    const finalizers = [...(metadata.finalizers ?? []), NODE_CLASS_FINALIZER]
    const body = { metadata: { resourceVersion: metadata.resourceVersion, finalizers } }
    return client.patch(kind, { name: metadata.name }, { type: 'merge', body }, { signal })
  }

  return {
    name: 'nodeclass',
    reconciles: kind,
    sources: [
      source(classes, ({ after }) => (after === undefined ? [] : [after.metadata.name])),
      // The last claim of a class that is being deleted lets it go.
      source(claims, ({ before, after }) => (after === undefined && before !== undefined ? classOfClaim(before) : [])),
      source(informers.of(karpenterKinds.NodePool), () => []),
    ],
    concurrency: 10,
    // A refusal ends without our noticing: classes are ready a minute after it at the latest.
    backoff: { base: 100, max: 60_000 },
    reconcile: async (name, signal) => {
      const nodeClass = classes.get(name)
      if (nodeClass === undefined) {
        validation.forget(name)
        parts.types.forget(name)
        return done()
      }
      try {
        if (nodeClass.metadata.deletionTimestamp !== undefined) {
          const outcome = await finalizeNodeClass(nodeClass, parts, signal)
          if (outcome === undefined) validation.forget(name)
          return outcome ?? done()
        }
        const isGuarded = nodeClass.metadata.finalizers?.includes(NODE_CLASS_FINALIZER) === true
        return await resolve(isGuarded ? nodeClass : await addFinalizer(nodeClass, signal), signal)
      } catch (error) {
        if (isConflict(error)) return retry()
        if (isNotFound(error)) return done()
        throw error
      }
    },
  }
}
