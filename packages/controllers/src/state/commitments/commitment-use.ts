import { labels, type NodeClaim } from '@kerf/apis'
import type { Commitment, CommitmentPart, InstanceType, NodeState } from '@kerf/engine'
import { inBillionths, isInPlace, ONE, savingOnType, unitsOfType } from './commitment-units.ts'
import type { PrepaidTerms } from './prepaid-terms.ts'

/** The instance types of all NodePools by name. */
export type TypesByName = ReadonlyMap<string, InstanceType>

type Amounts = Commitment['units']

/** A prepaid commitment and the nodes that use it. */
export interface CommitmentUse {
  readonly terms: PrepaidTerms
  /** How much each node uses of the commitment, or would use if the commitment covered more, keyed by node name. */
  readonly nodes: ReadonlyMap<string, CommitmentPart>
  /** How much of the commitment claims without a known instance may use, in billionths of its unit. */
  readonly starting: bigint
}

/** The fields of a node that determine its use of commitments. */
type BilledNode = Pick<NodeState, 'name' | 'labels' | 'markedForDeletion' | 'nodeClaim'>

/** An instance that may use commitments. */
interface Instance {
  readonly name: string
  readonly isStarting: boolean
  /** Returns how much of a commitment is used if it covers the whole instance. Undefined if the commitment does not apply. */
  units(terms: PrepaidTerms): bigint | undefined
  /** Returns the fraction that the commitment saves (see `savingOnType`). */
  saving(terms: PrepaidTerms): number
}

/**
 * Returns the node as an instance that may use commitments. Nodes that Kerf does not manage also use commitments, because the bill makes no
 * difference. They have no capacity type label, so they count as on-demand.
 */
const nodeInstance = ({ name, labels: own }: BilledNode, types: TypesByName): Instance => {
  const typeName = own[labels.instanceType]
  const type = types.get(typeName ?? '')
  const isOnDemand = (own[labels.capacityType] ?? 'on-demand') === 'on-demand'
  return {
    name,
    isStarting: false,
    units: (terms) =>
      isOnDemand && typeName !== undefined && isInPlace(terms, own) ? unitsOfType(terms, typeName, type) : undefined,
    saving: (terms) => savingOnType(terms, typeName ?? '', type),
  }
}

/**
 * Returns the claim as an instance that may use commitments. It uses the most that the claim may need with any of its types and offerings.
 */
const claimInstance = ({ metadata, spec: { requirements } }: NodeClaim, types: TypesByName): Instance => {
  const allows = (key: string, value: string | undefined): boolean =>
    value === undefined ||
    requirements.every((each) => each.key !== key || each.operator !== 'In' || each.values?.includes(value) !== false)
  const listed = requirements.find(({ key, operator }) => key === labels.instanceType && operator === 'In')?.values
  const typeNames = (terms: PrepaidTerms): readonly string[] =>
    // A commitment to instances covers one type, which might not be among the known types.
    listed ?? (terms.unit === 'instances' ? (terms.instanceTypes ?? []) : [...types.keys()])
  return {
    name: metadata.name,
    isStarting: true,
    units: (terms) => {
      const isPossible =
        allows(labels.capacityType, 'on-demand') &&
        allows(labels.zone, terms.zone) &&
        allows(labels.region, terms.region)
      if (!isPossible) return undefined
      const amounts = typeNames(terms).flatMap((name) => unitsOfType(terms, name, types.get(name)) ?? [])
      return amounts.length === 0 ? undefined : amounts.reduce((a, b) => (a > b ? a : b))
    },
    saving: () => 0,
  }
}

/** Returns how much a commitment covers now, in its unit. */
export const coversNow = ({ covers, state }: PrepaidTerms): number => (state === 'Active' ? covers : 0)

const demand = ({ nodes, starting }: CommitmentUse): bigint =>
  [...nodes.values()].reduce((sum, { units }) => sum + units, starting)

/** Returns how much of a commitment the nodes use, in its unit. */
export const usedAmount = (use: CommitmentUse): number => Math.min(coversNow(use.terms), Number(demand(use)) / 1e9)

/** Returns how much of a commitment no node uses, in its unit. */
export const unusedAmount = (use: CommitmentUse): number => Number((coversNow(use.terms) - usedAmount(use)).toFixed(9))

/** Returns the amortised price of a part of a commitment in US dollars per hour, or undefined if the policy does not contain the price. */
export const amortisedPrice = ({ unit, usdPerHour }: PrepaidTerms, amount: number): number | undefined => {
  if (unit === 'usdPerHour') return amount
  return usdPerHour === undefined ? undefined : usdPerHour * amount
}

interface Demand {
  readonly instance: Instance
  readonly units: bigint
}

/** Returns the instances in the order in which the bill applies a commitment to them (`docs/spec/policies.md#order-of-use`). */
const inBillOrder = (terms: PrepaidTerms, demands: readonly Demand[]): readonly Demand[] => {
  const byUnits = (a: Demand, b: Demand): number => (a.units < b.units ? -1 : a.units > b.units ? 1 : 0)
  if (terms.unit === 'normalizedUnits') return demands.toSorted(byUnits)
  if (terms.unit !== 'usdPerHour') return demands
  const saving = new Map(demands.map(({ instance }) => [instance, instance.saving(terms)]))
  return demands.toSorted((a, b) => (saving.get(b.instance) ?? 0) - (saving.get(a.instance) ?? 0) || byUnits(a, b))
}

/**
 * Returns how much the nodes use of each commitment (`docs/spec/policies.md#order-of-use`). `all` has the order of the bill. If the rest of
 * a commitment is too small for an instance, it covers a part of the instance, and the next commitments cover further parts. The uncovered
 * part counts as excess of the last commitment that could cover the instance. Nodes that are being removed use no commitment. `unlaunched`
 * contains the claims whose instance is not known yet. `types` may be empty if all commitments are for instances.
 */
export const commitmentUse = (
  all: readonly PrepaidTerms[],
  nodes: Iterable<BilledNode>,
  unlaunched: readonly NodeClaim[] = [],
  types: TypesByName = NO_TYPES,
): readonly CommitmentUse[] => {
  const claims = new Map(unlaunched.map((claim) => [claim.metadata.name, claim]))
  const instances = Array.from(nodes)
    .filter(({ markedForDeletion, nodeClaim }) => !markedForDeletion && !claims.has(nodeClaim ?? ''))
    .map((view) => nodeInstance(view, types))
  for (const claim of claims.values()) instances.push(claimInstance(claim, types))
  instances.sort((a, b) => (a.name < b.name ? -1 : 1))
  const demands = all.map((terms): readonly Demand[] =>
    terms.state === 'Active'
      ? instances.flatMap((instance) => {
          const units = instance.units(terms)
          return units === undefined ? [] : [{ instance, units }]
        })
      : [],
  )
  const last = new Map<Instance, number>()
  for (const [place, own] of demands.entries()) for (const { instance } of own) last.set(instance, place)
  /** The fraction of each instance that no commitment covers yet. */
  const open = new Map<Instance, number>()
  return all.map((terms, place) => {
    let left = inBillionths(terms.covers)
    let starting = 0n
    const users = new Map<string, CommitmentPart>()
    for (const { instance, units } of inBillOrder(terms, demands[place] ?? [])) {
      const needed = open.get(instance) ?? 1
      const whole = needed === 1 ? units : BigInt(Math.ceil(Number(units) * needed))
      const taken = left < whole && last.get(instance) !== place ? left : whole
      if (taken <= 0n || needed <= 0) continue
      left = left > taken ? left - taken : 0n
      const share = taken === whole ? needed : needed * (Number(taken) / Number(whole))
      open.set(instance, taken === whole ? 0 : needed - share)
      if (instance.isStarting) starting += taken
      else users.set(instance.name, { units: taken, share })
    }
    return { terms, nodes: users, starting }
  })
}

const NO_TYPES: TypesByName = new Map()

/**
 * Cached results of `unitsByType`. The keys are the instance types, then the rates of a plan (or the types, if there are none), then the
 * other terms as text.
 */
const knownUnits = new WeakMap<TypesByName, WeakMap<object, Map<string, Amounts>>>()

/**
 * Returns how much one instance of each type uses of a commitment. Returns the same object for the same types and terms, because the engine
 * caches by object identity.
 */
const unitsByType = (terms: PrepaidTerms, types: TypesByName): Amounts => {
  if (terms.unit === 'instances') return new Map((terms.instanceTypes ?? []).map((name) => [name, ONE]))
  const byRates = knownUnits.get(types) ?? new WeakMap<object, Map<string, Amounts>>()
  knownUnits.set(types, byRates)
  const byText = byRates.get(terms.rates ?? types) ?? new Map<string, Amounts>()
  byRates.set(terms.rates ?? types, byText)
  const text = JSON.stringify([terms.unit, terms.instanceTypes ?? null])
  let units = byText.get(text)
  if (units === undefined) {
    units = new Map(
      [...types].flatMap(([name, type]) => {
        const amount = unitsOfType(terms, name, type)
        return amount === undefined ? [] : [[name, amount] as const]
      }),
    )
    byText.set(text, units)
  }
  return units
}

/** Returns the commitments in the form that the engine uses. Omits commitments that are not active. */
export const plannedCommitments = (
  uses: readonly CommitmentUse[],
  types: TypesByName = NO_TYPES,
): readonly Commitment[] =>
  uses.flatMap((use): readonly Commitment[] => {
    const { name, region, zone, covers, state } = use.terms
    if (state !== 'Active') return []
    return [
      {
        ...{ name, units: unitsByType(use.terms, types) },
        ...(region === undefined ? {} : { region }),
        ...(zone === undefined ? {} : { zone }),
        free: inBillionths(covers) - demand(use),
        uses: use.nodes,
      },
    ]
  })
