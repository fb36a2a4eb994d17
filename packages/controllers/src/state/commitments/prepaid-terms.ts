import { CLUSTER_POLICY, type ClusterPolicy, type ClusterPolicySpec, type Milliseconds, parseTime } from '@kerf/apis'

/** One entry of `spec.commitments`. */
export type CommitmentSpec = NonNullable<ClusterPolicySpec['commitments']>[number]

/** Whether a commitment covers instances now. */
export type CommitmentState = 'Active' | 'Pending' | 'Ended'

/** Prepaid instances of a ClusterPolicy. */
export interface PrepaidTerms {
  readonly name: string
  readonly instanceType: string
  readonly region?: string
  readonly zone?: string
  /** How many instances this cluster may use, rounded down. */
  readonly covers: number
  /** The amortised price of one instance in US dollars per hour. */
  readonly usdPerHour?: number
  readonly state: CommitmentState
  /** When the state changes next. */
  readonly changesAt: Milliseconds
}

/**
 * Returns the number in a text of the policy. Returns `otherwise` if the text is not a valid number, which can happen in a file without
 * validation.
 */
const numberFrom = (text: string | undefined, otherwise: number | undefined): number | undefined => {
  const value = text === undefined || !/^\d+(\.\d+)?$/.test(text) ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : otherwise
}

const stateAt = (
  start: Milliseconds | undefined,
  end: Milliseconds | undefined,
  now: Milliseconds,
): Pick<PrepaidTerms, 'state' | 'changesAt'> => {
  if (end !== undefined && now >= end) return { state: 'Ended', changesAt: Number.POSITIVE_INFINITY }
  if (start !== undefined && now < start) return { state: 'Pending', changesAt: start }
  return { state: 'Active', changesAt: end ?? Number.POSITIVE_INFINITY }
}

const prepaidTerms = ({ name, prepaid }: CommitmentSpec, now: Milliseconds): readonly PrepaidTerms[] => {
  if (prepaid === undefined) return []
  const { instanceType, count, region, zone } = prepaid
  const share = numberFrom(prepaid.share ?? '1', 0) ?? 0
  const usdPerHour = numberFrom(prepaid.usdPerHour, undefined)
  return [
    {
      ...{ name, instanceType },
      ...(region === undefined ? {} : { region }),
      ...(zone === undefined ? {} : { zone }),
      // The product of decimal fractions may be slightly too low, for example for 0.29 of 100. So a tiny amount is added before it is
      // rounded down.
      covers: Math.floor(count * Math.min(1, share) + 1e-6),
      ...(usdPerHour === undefined ? {} : { usdPerHour }),
      ...stateAt(parseTime(prepaid.start), parseTime(prepaid.end), now),
    },
  ]
}

/** Returns the entries of `spec.commitments`. Without the policy, there are none. */
export const commitmentSpecs = (
  policy: Pick<ClusterPolicy, 'metadata' | 'spec'> | undefined,
): readonly CommitmentSpec[] =>
  policy === undefined || policy.metadata.name !== CLUSTER_POLICY || policy.metadata.deletionTimestamp !== undefined
    ? []
    : (policy.spec?.commitments ?? [])

/**
 * Returns the prepaid commitments of a policy in the order in which nodes use them. As on the bill, commitments of one zone come first.
 * Otherwise they have the order of the list (`docs/spec/policies.md#commitments`).
 */
export const readPrepaid = (specs: readonly CommitmentSpec[], now: Milliseconds): readonly PrepaidTerms[] => {
  const all = specs.flatMap((spec) => prepaidTerms(spec, now))
  return [...all.filter(({ zone }) => zone !== undefined), ...all.filter(({ zone }) => zone === undefined)]
}
