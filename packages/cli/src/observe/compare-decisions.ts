import type { Milliseconds, UsdPerHour } from '@kerf/apis'
import type { ObservedDecision } from '@kerf/controllers'
import type { NodeFact, ObservedFacts, PodFact } from './observed-facts.ts'

type Launch = ObservedDecision & { readonly kind: 'launch' }
type Placement = ObservedDecision & { readonly kind: 'place' }

/** The node that an autoscaler chose for a pod, and when it chose the node. */
export interface Choice {
  readonly at: Milliseconds
  readonly node: string | undefined
  /** Whether the node was launched for the pod. */
  readonly isNew: boolean
  readonly instanceType: string | undefined
  readonly zone: string | undefined
  readonly capacityType: string | undefined
  /** The hourly price of the whole node, or undefined if it is unknown. */
  readonly price: UsdPerHour | undefined
}

/** A pod with the decisions of both autoscalers about it. */
export interface ComparedPod {
  readonly uid: string
  readonly name: string
  readonly kerf: Choice | undefined
  readonly acting: Choice | undefined
  /**
   * The number of seconds by which Kerf decided later. Negative if Kerf decided earlier. Times in the API have a resolution of one second.
   */
  readonly secondsLater: number | undefined
}

/** A disruption that Kerf decided in observe mode, and what happened to each of its nodes. */
export interface ComparedDisruption {
  readonly at: Milliseconds
  readonly reason: string
  readonly savings: UsdPerHour | undefined
  readonly nodes: readonly { readonly name: string; readonly actingAt: Milliseconds | undefined }[]
}

/** The number of pods, by the kind of node that Kerf chose for them. */
export interface KerfPlaces {
  /** Pods for which Kerf would have launched a node. */
  readonly launched: number
  /** Pods for which Kerf chose a node that the active autoscaler had launched for the same pods. */
  readonly onTheOthers: number
  /** Pods for which Kerf chose a node that already existed when the pods were created. */
  readonly onOlder: number
}

/** A number of nodes and their cost per hour. `cost` does not include nodes whose price is unknown. */
export interface Bought {
  readonly nodes: number
  readonly cost: UsdPerHour
  readonly unpriced: number
}

export interface Comparison {
  readonly from: Milliseconds | undefined
  readonly until: Milliseconds | undefined
  readonly pods: readonly ComparedPod[]
  /** The number of pods that were bound without a decision of Kerf or of the active autoscaler. */
  readonly undecided: number
  readonly places: KerfPlaces
  readonly disruptions: readonly ComparedDisruption[]
  /** The number of nodes that the active autoscaler removed although Kerf would have kept them. */
  readonly removedByOthers: number
  readonly kerf: Bought
  readonly acting: Bought
}

export type PriceOf = (
  of: Pick<NodeFact, 'nodePool' | 'instanceType' | 'zone' | 'capacityType'>,
) => UsdPerHour | undefined

/** The API truncates times to seconds. So a claim can seem up to one second older than the pod for which it was created. */
const SECOND: Milliseconds = 1_000

const kerfChoice = (decision: Launch | Placement, facts: ObservedFacts, priceOf: PriceOf): Choice => {
  if (decision.kind === 'launch') {
    const { at, instanceType, zone, capacityType, price } = decision
    return { at, node: undefined, isNew: true, instanceType, zone, capacityType, price }
  }
  const node = facts.node(decision.node)
  const isNew = false
  return { at: decision.at, node: node?.name ?? decision.node, isNew, ...nodeOffering(node, priceOf) }
}

const nodeOffering = (
  node: NodeFact | undefined,
  priceOf: PriceOf,
): Pick<Choice, 'instanceType' | 'zone' | 'capacityType' | 'price'> =>
  node === undefined
    ? { instanceType: undefined, zone: undefined, capacityType: undefined, price: undefined }
    : {
        instanceType: node.instanceType,
        zone: node.zone,
        capacityType: node.capacityType,
        price: priceOf(node),
      }

/**
 * Returns the decision of the active autoscaler about a pod. Its time is the time of the Event that names the node or, without an Event,
 * the time at which the autoscaler requested the node. A pod that was bound to an existing node needed no decision. It is compared only if
 * Kerf decided about it (`isAsked`), with the time of its binding.
 */
const actingChoice = (pod: PodFact, facts: ObservedFacts, priceOf: PriceOf, isAsked: boolean): Choice | undefined => {
  const name = pod.target ?? pod.node
  if (name === undefined) return undefined
  const node = facts.node(name)
  const isNew = node !== undefined && pod.created !== undefined && node.created >= pod.created - SECOND
  const at = pod.nominated ?? (isNew ? node.created : isAsked ? pod.bound : undefined)
  return at === undefined ? undefined : { at, node: node?.name ?? name, isNew, ...nodeOffering(node, priceOf) }
}

const bought = (prices: readonly (UsdPerHour | undefined)[]): Bought => ({
  nodes: prices.length,
  cost: prices.reduce<number>((sum, price) => sum + (price ?? 0), 0),
  unpriced: prices.filter((price) => price === undefined).length,
})

const podPlaces = (pods: readonly ComparedPod[], facts: ObservedFacts): KerfPlaces => {
  const places = { launched: 0, onTheOthers: 0, onOlder: 0 }
  for (const { uid, kerf } of pods) {
    if (kerf === undefined) continue
    const created = facts.pod(uid)?.created
    const node = kerf.node === undefined ? undefined : facts.node(kerf.node)
    if (kerf.isNew) places.launched++
    else if (node !== undefined && created !== undefined && node.created >= created - SECOND) places.onTheOthers++
    else places.onOlder++
  }
  return places
}

/** Returns a function that returns prices of nodes. Prices in Kerf's own decisions take precedence, because Kerf used them to decide. */
const pricesByDecision = (launches: readonly Launch[], others: PriceOf): PriceOf => {
  const key = (of: Parameters<PriceOf>[0]): string => `${of.instanceType} ${of.zone} ${of.capacityType}`
  const named = new Map(launches.map((launch) => [key({ nodePool: '', ...launch }), launch.price]))
  return (of) => named.get(key(of)) ?? others(of)
}

/**
 * Compares Kerf's decisions with the active autoscaler's decisions, from Kerf's first decision to its last. If there are several decisions
 * about one pod, only the first is compared, because the later ones repeat it.
 */
export const compareDecisions = (facts: ObservedFacts, listPrice: PriceOf): Comparison => {
  const { decisions } = facts
  const launches = decisions.filter((each): each is Launch => each.kind === 'launch')
  const priceOf = pricesByDecision(launches, listPrice)
  const from = decisions[0]?.at
  const until = decisions.at(-1)?.at
  const first = new Map<string, Choice>()
  const counted = new Set<Launch>()
  for (const decision of decisions) {
    if (decision.kind === 'disrupt') continue
    for (const uid of decision.pods) {
      if (first.has(uid)) continue
      first.set(uid, kerfChoice(decision, facts, priceOf))
      if (decision.kind === 'launch') counted.add(decision)
    }
  }
  const isWithin = (at: Milliseconds): boolean =>
    from !== undefined && until !== undefined && at >= from - SECOND && at <= until + SECOND
  const uids = new Set([
    ...first.keys(),
    ...facts.pods.filter(({ created }) => created !== undefined && isWithin(created)).map(({ uid }) => uid),
  ])
  const all = [...uids].map((uid): ComparedPod => {
    const kerf = first.get(uid)
    const fact = facts.pod(uid)
    const acting = fact === undefined ? undefined : actingChoice(fact, facts, priceOf, kerf !== undefined)
    const secondsLater = kerf === undefined || acting === undefined ? undefined : (kerf.at - acting.at) / SECOND
    return { uid, name: fact?.name ?? uid, kerf, acting, secondsLater }
  })
  const pods = all.filter(({ kerf, acting }) => kerf !== undefined || acting !== undefined)
  const disruptions = decisions.flatMap((each): readonly ComparedDisruption[] =>
    each.kind === 'disrupt'
      ? [
          {
            at: each.at,
            reason: each.reason,
            savings: each.savings,
            nodes: each.nodes.map((name) => ({ name, actingAt: facts.node(name)?.removed })),
          },
        ]
      : [],
  )
  const wanted = new Set(disruptions.flatMap(({ nodes }) => nodes.map(({ name }) => facts.node(name)?.name ?? name)))
  const removed = facts.launched.filter(({ name }) => {
    const at = facts.node(name)?.removed
    return at !== undefined && isWithin(at)
  })
  return {
    ...{ from, until, pods, disruptions },
    undecided: all.length - pods.length,
    places: podPlaces(pods, facts),
    removedByOthers: removed.filter(({ name }) => !wanted.has(name)).length,
    kerf: bought([...counted].map(({ price }) => price)),
    acting: bought(facts.launched.filter(({ created }) => isWithin(created)).map(priceOf)),
  }
}
