import {
  CONDITION_EVENT_PREFIX,
  type Condition,
  conditionEventReason,
  DISRUPTION_BLOCKED,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  nodeClassLabel,
  ownValue,
  parseTime,
  type ResourceKind,
} from '@kerf/apis'
import {
  type Controller,
  defineMetrics,
  done,
  type Gauge,
  type Labels,
  type MetricDefinition,
  type Outcome,
  source,
} from '@kerf/runtime'
import { concurrency, type Deps } from '../deps.ts'
import { eventObject } from '../event-object.ts'
import { CONDITION_BUCKETS, DEFAULT_BUCKETS } from '../metric-buckets.ts'

/** The transition time of a condition that has none. The age of the condition is then 0. */
const NEVER = Number.POSITIVE_INFINITY

interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

/** A set of metrics with a common prefix: `operator_<kind>_…` for one kind, or `operator_…` for all kinds except Node. */
interface Family {
  readonly prefix: string
  readonly buckets: readonly number[]
  /** The additional labels of this family, and a function that returns their values for an object. */
  readonly extra: readonly string[]
  extraOf(object: KubeObject): Labels
}

/** The metric series of one condition in one family. */
interface Written {
  readonly type: string
  readonly count: Gauge
  readonly current: Gauge
  readonly labels: Labels
}

interface Seen {
  readonly conditions: ReadonlyMap<string, Condition>
  readonly written: readonly Written[]
  readonly finalizers: ReadonlySet<string>
  readonly object: Conditioned
}

/**
 * Converts the key of a Kubernetes label to the name of a metric label, for example `karpenter.sh/nodepool` to
 * `karpenter_sh_nodepool`.
 */
const labelName = (key: string): string => key.replaceAll(/[/.-]/g, '_')

const secondsSince = (time: string | undefined, now: Milliseconds): number => {
  const at = parseTime(time)
  return at === undefined ? 0 : Math.max(0, now - at) / 1000
}

/** How the condition metrics of one resource kind differ from those of other kinds. */
interface KindRule {
  /** Object labels that become metric labels in the kind's own family. */
  readonly keys?: readonly string[]
  readonly buckets?: readonly number[]
  /** Whether conditions of this kind are also reported under `operator_…`. Default true. */
  readonly isShared?: boolean
  /**
   * Whether another kind with the same lower-case name comes earlier, for example a node class of another group. If so, conditions of this
   * kind are reported only under `operator_…`, because those metrics have the group as a label. Default false.
   */
  readonly isNamesake?: boolean
}

const metricFamilies = (
  kind: ResourceKind,
  { keys = [], buckets = CONDITION_BUCKETS, isShared = true, isNamesake = false }: KindRule,
): readonly Family[] => {
  const own: Family = {
    prefix: `operator_${kind.kind.toLowerCase()}`,
    buckets,
    extra: keys.map(labelName),
    extraOf: ({ metadata }) =>
      Object.fromEntries(keys.map((key) => [labelName(key), ownValue(metadata.labels, key) ?? ''])),
  }
  const shared: Family = {
    prefix: 'operator',
    buckets: DEFAULT_BUCKETS,
    extra: ['group', 'kind'],
    extraOf: () => ({ group: kind.group, kind: kind.kind }),
  }
  if (isNamesake) return [shared]
  return isShared ? [own, shared] : [own]
}

const familyMetrics = ({ prefix, buckets, extra }: Omit<Family, 'extraOf'>) => {
  const each = ['namespace', 'name', 'type', 'status', 'reason', ...extra]
  return defineMetrics({
    count: { name: `${prefix}_status_condition_count`, type: 'gauge', help: 'Conditions of objects.', labels: each },
    current: {
      name: `${prefix}_status_condition_current_status_seconds`,
      type: 'gauge',
      help: 'How long a condition has had its status.',
      labels: each,
    },
    transitions: {
      name: `${prefix}_status_condition_transitions_total`,
      type: 'counter',
      help: 'Changes of conditions.',
      labels: ['type', 'status', 'reason', ...extra],
    },
    lasted: {
      name: `${prefix}_status_condition_transition_seconds`,
      type: 'histogram',
      help: 'How long a condition had its previous status.',
      labels: ['type', 'status', ...extra],
      buckets,
    },
    terminating: {
      name: `${prefix}_termination_current_time_seconds`,
      type: 'gauge',
      help: 'How long an object that is being deleted has waited for its finalizers.',
      labels: ['namespace', 'name', ...extra],
    },
    terminated: {
      name: `${prefix}_termination_duration_seconds`,
      type: 'histogram',
      help: 'From the deletion request of an object until it was removed.',
      labels: [...extra],
      buckets,
    },
  })
}

const isSameLabels = (one: Labels, other: Labels): boolean =>
  Object.entries(one).every(([name, value]) => ownValue(other, name) === value)

const remove = ({ count, current, labels }: Written): void => {
  count.remove(labels)
  current.remove(labels)
}

/** Reports metrics and Events about the conditions of one kind (`docs/spec/metrics.md#status-condition-metrics`). */
class ConditionMetrics<T extends Conditioned> {
  readonly #seen = new Map<string, Seen>()
  readonly #kind: ResourceKind<T>
  readonly #objects
  readonly #deps: Deps
  readonly #families
  readonly #events
  readonly #clock
  readonly #name: string

  constructor(deps: Deps, kind: ResourceKind<T>, rule: KindRule = {}) {
    const { informers, clock, events } = deps
    this.#objects = informers.of(kind)
    this.#families = metricFamilies(kind, rule).map((family) => ({
      family,
      ...familyMetrics(family).register(deps.metrics),
    }))
    const title = kind.kind.toLowerCase()
    this.#name = rule.isNamesake === true ? `${title}.${kind.group}` : title
    this.#kind = kind
    this.#deps = deps
    this.#events = events
    this.#clock = clock
    deps.metrics.showAges(
      this.#families.flatMap(({ current, terminating }) => [current, terminating]),
      clock,
    )
  }

  controller(): Controller {
    return {
      name: `operatorpkg.${this.#name}.status`,
      sources: [
        source(this.#objects, ({ before, after }) => {
          const { namespace, name = '' } = (after ?? before)?.metadata ?? {}
          return [namespace === undefined ? name : `${namespace}/${name}`]
        }),
      ],
      concurrency: concurrency(this.#deps.settings, 10, 100),
      reconcile: (key) => this.#reconcile(key),
    }
  }

  #seriesOf(object: Conditioned, condition: Condition, family: Family): Labels {
    return {
      namespace: object.metadata.namespace ?? '',
      name: object.metadata.name,
      type: condition.type,
      status: condition.status,
      reason: condition.reason ?? '',
      ...family.extraOf(object),
    }
  }

  /** Writes the series of the object's conditions. Removes the series of conditions that the object no longer has. */
  #write(object: Conditioned, conditions: Iterable<Condition>, before: readonly Written[] = []): readonly Written[] {
    const written: Written[] = []
    for (const condition of conditions) {
      for (const { family, count, current } of this.#families) {
        const labels = this.#seriesOf(object, condition, family)
        const known = before.find((one) => one.count === count && one.type === condition.type)
        const kept = known !== undefined && isSameLabels(known.labels, labels) ? known.labels : labels
        count.set(1, kept)
        current.set(parseTime(condition.lastTransitionTime) ?? NEVER, kept)
        written.push({ type: condition.type, count, current, labels: kept })
      }
    }
    const kept = new Set(written.map(({ labels }) => labels))
    for (const one of before) if (!kept.has(one.labels)) remove(one)
    return written
  }

  #writeTermination(object: Conditioned): void {
    const { namespace = '', name, deletionTimestamp } = object.metadata
    if (deletionTimestamp === undefined) return
    for (const { family, terminating } of this.#families) {
      terminating.set(parseTime(deletionTimestamp) ?? NEVER, { namespace, name, ...family.extraOf(object) })
    }
  }

  #transitioned(object: T, before: Condition | undefined, after: Condition): void {
    for (const { family, transitions, lasted } of this.#families) {
      const { type, status, reason = '' } = after
      transitions.inc({ type, status, reason, ...family.extraOf(object) })
      if (before === undefined) continue
      const [from, to] = [parseTime(before.lastTransitionTime), parseTime(after.lastTransitionTime)]
      if (from !== undefined && to !== undefined) {
        lasted.observe(Math.max(0, to - from) / 1000, { type, status: before.status, ...family.extraOf(object) })
      }
    }
    if (before === undefined) return
    const message = after.message === undefined || after.message === '' ? '' : `, Message: ${after.message}`
    this.#events.publish({
      object: eventObject(this.#kind, object),
      type: 'Normal',
      reason: conditionEventReason(after.type),
      message: `${CONDITION_EVENT_PREFIX}, Type: ${after.type}, Status: ${before.status} -> ${after.status}, Reason: ${after.reason ?? ''}${message}`,
    })
  }

  #finalized(object: Conditioned, finalizers: Iterable<string>): void {
    for (const finalizer of finalizers) {
      const message = `Finalized ${finalizer}`
      this.#events.publish({ object: eventObject(this.#kind, object), type: 'Normal', reason: 'Finalized', message })
    }
  }

  #gone(key: string): Outcome {
    const previous = this.#seen.get(key)
    if (previous === undefined) return done()
    this.#seen.delete(key)
    for (const one of previous.written) remove(one)
    const { metadata } = previous.object
    // An object disappears when its last finalizer is removed, so there is no watch event for that removal.
    if (metadata.deletionTimestamp !== undefined) this.#finalized(previous.object, previous.finalizers)
    for (const { family, terminating, terminated } of this.#families) {
      terminating.remove({
        namespace: metadata.namespace ?? '',
        name: metadata.name,
        ...family.extraOf(previous.object),
      })
      if (metadata.deletionTimestamp === undefined) continue
      terminated.observe(secondsSince(metadata.deletionTimestamp, this.#clock.now()), family.extraOf(previous.object))
    }
    return done()
  }

  async #reconcile(key: string): Promise<Outcome> {
    const object = this.#objects.get(key)
    if (object === undefined) return this.#gone(key)
    // A series of this condition for each node would be too many series. Another metric has a series for each pool and reason.
    const counted = (object.status?.conditions ?? []).filter(({ type }) => type !== DISRUPTION_BLOCKED)
    const conditions = new Map(counted.map((condition) => [condition.type, condition]))
    const previous = this.#seen.get(key)
    const isSame = previous?.object.metadata.uid === object.metadata.uid
    const written = this.#write(object, conditions.values(), previous?.written)
    this.#writeTermination(object)
    for (const condition of conditions.values()) {
      const before = isSame ? previous?.conditions.get(condition.type) : undefined
      // When an object is first seen, each of its conditions counts as a transition, unless its initial status is Unknown. A new condition
      // of a known object always counts.
      const isFirst = before === undefined && condition.status !== 'Unknown' && !isSame
      const isNew = before === undefined && isSame
      if (isFirst || isNew || (before !== undefined && before.status !== condition.status)) {
        this.#transitioned(object, before, condition)
      }
    }
    const finalizers = new Set(object.metadata.finalizers)
    if (isSame && object.metadata.deletionTimestamp !== undefined) {
      this.#finalized(object, previous?.finalizers.difference(finalizers) ?? finalizers)
    }
    this.#seen.set(key, { conditions, written, finalizers, object })
    return done()
  }
}

interface ReportedKind {
  readonly kind: ResourceKind<Conditioned>
  readonly rule: KindRule
}

const isNamesake = (one: ResourceKind, other: ResourceKind): boolean =>
  one.kind.toLowerCase() === other.kind.toLowerCase()

/** Returns the kinds whose conditions Kerf reports for a provider with these node classes. */
const reportedKinds = (nodeClasses: readonly ResourceKind[], hasBuffers: boolean): readonly ReportedKind[] => {
  const classes = nodeClasses.map(nodeClassLabel)
  return [
    { kind: karpenterKinds.NodeClaim, rule: { keys: [...classes, labels.nodePool] } },
    { kind: karpenterKinds.NodePool, rule: {} },
    { kind: kinds.Node, rule: { keys: [...classes, labels.nodePool, labels.initialized], isShared: false } },
    ...nodeClasses.map((kind, at) => ({
      kind,
      rule: { buckets: DEFAULT_BUCKETS, isNamesake: nodeClasses.slice(0, at).some((other) => isNamesake(kind, other)) },
    })),
    ...(hasBuffers ? [{ kind: karpenterKinds.CapacityBuffer, rule: {} }] : []),
  ]
}

/** Returns the condition metrics for a provider with these node classes. Assumes that every feature gate is enabled. */
export const conditionMetrics = (nodeClasses: readonly ResourceKind[]): readonly MetricDefinition[] => {
  const families = reportedKinds(nodeClasses, true).flatMap(({ kind, rule }) => metricFamilies(kind, rule))
  const byPrefix = new Map(families.map((family) => [family.prefix, family]))
  return [...byPrefix.values()].flatMap((family) => familyMetrics(family).definitions)
}

/** Returns the controllers that report conditions, one for each kind. */
export const allConditionMetrics = (deps: Deps): readonly Controller[] =>
  reportedKinds(deps.provider.nodeClasses, deps.settings.featureGates.CapacityBuffer).map(({ kind, rule }) =>
    new ConditionMetrics(deps, kind, rule).controller(),
  )
