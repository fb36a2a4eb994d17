import { type ConditionRow, conditionRows } from './conditions.ts'
import type { PendingPod } from './pending-pods.ts'
import { fieldsAt, listAt, objectName, textAt } from './read.ts'

/** The fields of a policy's spec that choose NodePools. All other fields are sections. */
const TARGETS: ReadonlySet<string> = new Set(['targetRefs', 'targetSelector'])
const ACCEPTED = 'Accepted'

/** One section of a policy for one NodePool. */
export interface PolicyRow {
  readonly id: string
  readonly kind: string
  readonly policy: string
  readonly section: string
  /** Absent if the section applies to all NodePools together. */
  readonly pool?: string
  /** The `Accepted` condition. Absent until a controller has read the policy. */
  readonly accepted?: ConditionRow
  /** The messages of the other conditions, one sentence for each. */
  readonly now: readonly string[]
}

const sentence = ({ type, status, reason, message }: ConditionRow): string =>
  `${type}: ${status}${reason === '' ? '' : ` (${reason})`}${message === '' ? '' : `, ${message}`}`

const rowsFor = (policy: unknown, conditioned: unknown, pool: string | undefined): readonly PolicyRow[] => {
  const kind = textAt(policy, 'kind') ?? ''
  const name = objectName(policy)
  const conditions = conditionRows(conditioned)
  const accepted = conditions.find(({ type }) => type === ACCEPTED)
  const now = conditions.filter(({ type }) => type !== ACCEPTED).map(sentence)
  return Object.keys(fieldsAt(policy, 'spec'))
    .filter((section) => !TARGETS.has(section))
    .map((section) => ({
      ...{ id: [kind, name, section, pool ?? ''].join('/'), kind, policy: name, section, now },
      ...(pool === undefined ? {} : { pool }),
      ...(accepted === undefined ? {} : { accepted }),
    }))
}

/**
 * Returns a row for each section of each policy and each of its targets. A policy without targets applies to all NodePools together. The
 * rows with a NodePool come first, ordered by the name of the NodePool.
 */
export const policyRows = (policies: readonly unknown[]): readonly PolicyRow[] => {
  const rows = policies.flatMap((policy) => {
    if (!Object.keys(fieldsAt(policy, 'spec')).some((field) => TARGETS.has(field)))
      return rowsFor(policy, policy, undefined)
    const targets = listAt(policy, 'status', 'targets')
    // Until a controller has written the status, only the names in the spec are known.
    const named = listAt(policy, 'spec', 'targetRefs').filter(
      (ref) => !targets.some((target) => textAt(target, 'name') === textAt(ref, 'name')),
    )
    return [
      ...targets.flatMap((target) => rowsFor(policy, { status: target }, textAt(target, 'name') ?? '')),
      ...named.flatMap((ref) => rowsFor(policy, {}, textAt(ref, 'name') ?? '')),
    ]
  })
  const key = ({ pool, section, policy }: PolicyRow): string =>
    [pool === undefined ? '1' : '0', pool, section, policy].join('\0')
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** A ceiling in the status of the ClusterPolicy. The amounts have the format in which the controller writes them. */
export interface CeilingRow {
  readonly name: string
  readonly ceiling: string
  readonly used: string
  readonly headroom: string
  /** The state of the ceiling: nodes may be launched, nothing is left, or more is in use than it allows. */
  readonly state: 'open' | 'reached' | 'exceeded'
}

const ceilingState = (headroom: string): CeilingRow['state'] => {
  if (headroom.startsWith('-')) return 'exceeded'
  return /^0+(\.0+)?$/.test(headroom) ? 'reached' : 'open'
}

/** Returns the ceilings in the status of the policies. */
export const ceilingRows = (policies: readonly unknown[]): readonly CeilingRow[] =>
  policies.flatMap((policy) =>
    listAt(policy, 'status', 'ceilings').map((row) => {
      const headroom = textAt(row, 'headroom') ?? ''
      return {
        ...{ name: textAt(row, 'name') ?? '', ceiling: textAt(row, 'ceiling') ?? '', used: textAt(row, 'used') ?? '' },
        ...{ headroom, state: ceilingState(headroom) },
      }
    }),
  )

/** A prepaid commitment in the status of the ClusterPolicy. The amounts have the format in which the controller writes them. */
export interface CommitmentRow {
  readonly name: string
  readonly unit: string
  readonly covers: string
  readonly used: string
  readonly unused: string
  /** `Active`, `Pending` or `Ended`. Empty if a later version of the controller writes another state. */
  readonly state: 'Active' | 'Pending' | 'Ended' | ''
}

const COMMITMENT_STATES = ['Active', 'Pending', 'Ended'] as const

/** Returns the prepaid commitments in the status of the policies. */
export const commitmentRows = (policies: readonly unknown[]): readonly CommitmentRow[] =>
  policies.flatMap((policy) =>
    listAt(policy, 'status', 'commitments').map((row) => ({
      ...{ name: textAt(row, 'name') ?? '', unit: textAt(row, 'unit') ?? 'instances' },
      ...{ covers: textAt(row, 'covers') ?? '', used: textAt(row, 'used') ?? '', unused: textAt(row, 'unused') ?? '' },
      state: COMMITMENT_STATES.find((state) => state === textAt(row, 'state')) ?? '',
    })),
  )

/**
 * The words in the controller's Events about a ceiling. Users who cannot reach the controller see only these Events.
 */
const IN_EVENTS = 'would exceed the ceiling of the ClusterPolicy'

/** Returns the pods that a ceiling keeps pending. */
export const podsAtCeiling = (pods: readonly PendingPod[]): readonly PendingPod[] =>
  pods.filter(({ refusals, message }) =>
    refusals.length > 0 ? refusals.some(({ code }) => code === 'ceiling') : message.includes(IN_EVENTS),
  )
