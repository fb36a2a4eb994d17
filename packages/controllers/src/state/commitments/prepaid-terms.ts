import { CLUSTER_POLICY, type ClusterPolicy, type ClusterPolicySpec, type Milliseconds, parseTime } from '@kerf/apis'

/** One entry of `spec.commitments`. */
export type CommitmentSpec = NonNullable<ClusterPolicySpec['commitments']>[number]

type PrepaidSpec = NonNullable<CommitmentSpec['prepaid']>

/** Whether a commitment currently covers nodes. */
export type CommitmentState = 'Active' | 'Pending' | 'Ended'

/** The unit of a commitment. `usdPerHour` means US dollars per hour at the rates of a savings plan. */
export type CommitmentUnit = 'instances' | 'normalizedUnits' | 'vcpus' | 'usdPerHour'

/** The rates at which instances consume a savings plan. */
export interface PlanRates {
  /** The rate as a fraction of the on-demand price. If absent, only the types in `byType` have a rate. */
  readonly factor?: number
  /** The rate in US dollars per hour, keyed by instance type name. */
  readonly byType: ReadonlyMap<string, number>
}

/** Prepaid capacity of a ClusterPolicy. */
export interface PrepaidTerms {
  readonly name: string
  readonly unit: CommitmentUnit
  /** Names of instance types, or prefixes of names followed by `*`. If absent, every instance type. */
  readonly instanceTypes?: readonly string[]
  readonly region?: string
  readonly zone?: string
  /** How much of the commitment this cluster may use, in the unit of the commitment. Instances are rounded down. */
  readonly covers: number
  /** The amortised price of one unit in US dollars per hour. */
  readonly usdPerHour?: number
  /** Present if the unit is `usdPerHour`. */
  readonly rates?: PlanRates
  readonly state: CommitmentState
  /** The time of the next change of the state. */
  readonly changesAt: Milliseconds
}

/**
 * Parses a number in the policy. Returns `otherwise` if the text is not a valid number, which is possible in a file that was not validated.
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

const knownRates = new WeakMap<object, PlanRates>()

/** Returns the rates of a plan. The result is cached per object, because a plan may have a thousand rates. */
const readRates = (rates: NonNullable<PrepaidSpec['rates']>): PlanRates => {
  let known = knownRates.get(rates)
  if (known === undefined) {
    const { factor, instanceTypes = [] } = rates
    const factorOfPrice = numberFrom(factor, undefined)
    known = {
      ...(factorOfPrice === undefined ? {} : { factor: factorOfPrice }),
      byType: new Map(
        instanceTypes.flatMap(({ instanceType, usdPerHour }) => {
          const rate = numberFrom(usdPerHour, undefined)
          return rate === undefined || rate <= 0 ? [] : [[instanceType, rate] as const]
        }),
      ),
    }
    knownRates.set(rates, known)
  }
  return known
}

/** Returns the unit and the amount of a commitment. Undefined if it has none, which is possible in a file that was not validated. */
const readAmount = ({
  count,
  normalizedUnits,
  vcpus,
  committedUsdPerHour,
}: PrepaidSpec): readonly [CommitmentUnit, number] | undefined => {
  if (count !== undefined) return ['instances', count]
  if (normalizedUnits !== undefined) return ['normalizedUnits', numberFrom(normalizedUnits, 0) ?? 0]
  if (vcpus !== undefined) return ['vcpus', vcpus]
  return committedUsdPerHour === undefined ? undefined : ['usdPerHour', numberFrom(committedUsdPerHour, 0) ?? 0]
}

const prepaidTerms = ({ name, prepaid }: CommitmentSpec, now: Milliseconds): readonly PrepaidTerms[] => {
  const amount = prepaid === undefined ? undefined : readAmount(prepaid)
  if (prepaid === undefined || amount === undefined) return []
  const [unit, whole] = amount
  const { instanceType, region, zone, rates } = prepaid
  const instanceTypes = unit === 'instances' ? [instanceType ?? ''] : prepaid.instanceTypes
  const share = numberFrom(prepaid.share ?? '1', 0) ?? 0
  const usdPerHour = numberFrom(prepaid.usdPerHour, undefined)
  const covers = whole * Math.min(1, share)
  return [
    {
      ...{ name, unit },
      ...(instanceTypes === undefined ? {} : { instanceTypes }),
      ...(region === undefined ? {} : { region }),
      ...(zone === undefined ? {} : { zone }),
      // The product of decimal fractions may be slightly too small, for example for 0.29 of 100.
      covers: unit === 'instances' ? Math.floor(covers + 1e-6) : Number(covers.toFixed(9)),
      ...(usdPerHour === undefined ? {} : { usdPerHour }),
      ...(unit === 'usdPerHour' ? { rates: readRates(rates ?? {}) } : {}),
      ...stateAt(parseTime(prepaid.start), parseTime(prepaid.end), now),
    },
  ]
}

const readFromSource = ({ spec, status }: Pick<ClusterPolicy, 'spec' | 'status'>): readonly CommitmentSpec[] =>
  spec?.commitmentSource === undefined ? [] : (status?.commitmentSource?.commitments ?? [])

/** Returns the names of the commitments of the source that do not apply, because `spec.commitments` has the same names. */
export const overriddenCommitments = (
  policy: Pick<ClusterPolicy, 'spec' | 'status'> | undefined,
): readonly string[] => {
  if (policy === undefined) return []
  const names = new Set(policy.spec?.commitments?.map(({ name }) => name))
  return readFromSource(policy).flatMap(({ name }) => (names.has(name) ? [name] : []))
}

/**
 * Returns the entries of `spec.commitments`, followed by those that were read from `spec.commitmentSource` and whose names are not in
 * `spec.commitments`. Empty if there is no policy.
 */
export const commitmentSpecs = (
  policy: Pick<ClusterPolicy, 'metadata' | 'spec' | 'status'> | undefined,
): readonly CommitmentSpec[] => {
  if (policy?.metadata.name !== CLUSTER_POLICY || policy.metadata.deletionTimestamp !== undefined) return []
  const own = policy.spec?.commitments ?? []
  const read = readFromSource(policy)
  if (read.length === 0) return own
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...read.filter(({ name }) => !names.has(name))]
}

/** Returns the position of a commitment on the bill. Lower positions are used first. */
const billPosition = ({ unit, zone, instanceTypes }: PrepaidTerms): number => {
  if (unit === 'instances') return zone === undefined ? 1 : 0
  if (unit === 'normalizedUnits') return 2
  if (unit === 'vcpus') return 3
  return instanceTypes === undefined ? 5 : 4
}

/**
 * Returns the prepaid commitments of a policy in the order of the bill (`docs/spec/policies.md#order-of-use`). Commitments with the same
 * position keep their list order.
 */
export const readPrepaid = (specs: readonly CommitmentSpec[], now: Milliseconds): readonly PrepaidTerms[] =>
  specs.flatMap((spec) => prepaidTerms(spec, now)).sort((a, b) => billPosition(a) - billPosition(b))
