import type { Pod } from '@kerf/apis'
import { type Amounts, minus, podRequests, sum } from './amounts.ts'
import { asDaemon } from './claim-check.ts'
import type { Harness } from './harness.ts'
import { podSelects } from './label-sets.ts'
import type { Kind, Place } from './most-worth.ts'
import { nodeLabels } from './new-node.ts'
import { untolerated } from './taint-check.ts'
import { computeBound } from './worth-bound.ts'

/** The maximum number of kinds of pods. With more, the linear program takes too long. */
const MOST_KINDS = 60
const MOST_PODS = 400
/**
 * Returns a lower bound, in dollars per hour, for the cost of any plan that places these pods. Returns undefined if there are too many
 * kinds. The bound considers amounts (including daemons and the number of pods), selectors, required node affinity, taints, requirements of
 * NodePools, the free capacity of existing nodes, and that a pod runs on exactly one node. It ignores limits, weights, minimum values,
 * topology and ports, which can only make plans more expensive. Each pod is assigned a value. If the pods that fit on a node are together
 * never worth more than the node costs, then no plan costs less than the value of all pods. The search looks for values with a large sum.
 * Afterwards, the rule is checked for each way to buy a node by trying all contents that the node could have. A mistake in the search
 * therefore cannot make the bound too high.
 */
export const costBound = (harness: Harness, placed: readonly Pod[]): number | undefined => {
  const read = placed.length > MOST_PODS ? undefined : kindsAndPlaces(harness, placed)
  return read === undefined ? undefined : computeBound(read.kinds, read.places)
}

const numbersOf = (amounts: Amounts, resources: readonly string[]): readonly number[] =>
  resources.map((name) => Number(amounts[name] ?? 0n))

const kindsAndPlaces = (
  harness: Harness,
  placed: readonly Pod[],
): { readonly kinds: readonly Kind[]; readonly places: readonly Place[] } | undefined => {
  const resources = [...new Set(placed.flatMap((pod) => Object.keys(podRequests(pod))))]
  const spots = [...newNodes(harness, resources), ...standingNodes(harness, resources)]
  const byText = new Map<
    string,
    { readonly requests: readonly number[]; count: number; readonly at: readonly number[] }
  >()
  const demands = new Map<string, readonly number[]>()
  for (const pod of placed) {
    const { nodeSelector, affinity, tolerations } = pod.spec
    const text = JSON.stringify([nodeSelector, affinity?.nodeAffinity, tolerations])
    const at = demands.get(text) ?? spots.flatMap(({ takes }, number) => (takes(pod) ? [number] : []))
    demands.set(text, at)
    const requests = numbersOf(podRequests(pod), resources)
    const key = JSON.stringify([requests, at])
    const known = byText.get(key)
    if (known === undefined) byText.set(key, { requests, count: 1, at })
    else known.count += 1
    if (byText.size > MOST_KINDS) return undefined
  }
  const kinds = [...byText.values()]
  const places = spots.map(({ price, isOnce, free }, number) => ({
    price,
    isOnce,
    free,
    kinds: kinds.flatMap(({ at }, kind) => (at.includes(number) ? [kind] : [])),
  }))
  return { kinds, places: cheapest(places) }
}

/** Of the ways to buy a node with the same capacity, returns the cheapest. */
const cheapest = (places: readonly Place[]): readonly Place[] => {
  const byText = new Map<string, Place>()
  const once = places.filter(({ isOnce, kinds }) => isOnce && kinds.length > 0)
  for (const place of places) {
    if (place.isOnce || place.kinds.length === 0) continue
    const text = JSON.stringify([place.free, place.kinds])
    const known = byText.get(text)
    if (known === undefined || place.price < known.price) byText.set(text, place)
  }
  return [...byText.values(), ...once]
}

type Spot = Omit<Place, 'kinds'> & { readonly takes: (pod: Pod) => boolean }

const newNodes = (harness: Harness, resources: readonly string[]): readonly Spot[] =>
  [...harness.pools.values()].flatMap((pool) => {
    const { taints = [] } = pool.spec.template.spec
    const anyLabels = nodeLabels(harness, pool, [], 'new')
    const ofPod = new Map<Pod, ReturnType<typeof nodeLabels>>()
    const podLabels = (pod: Pod) => {
      const known = ofPod.get(pod) ?? nodeLabels(harness, pool, [pod], 'new')
      ofPod.set(pod, known)
      return known
    }
    return [...harness.typesOf(pool).values()].flatMap((type) =>
      type.offerings.flatMap((offering): readonly Spot[] => {
        const ways = anyLabels(type, offering)
        if (ways.length === 0) return []
        // Counts only the daemons that would run on the node for every possible value of its undecided labels.
        const daemons = harness.daemons.filter(
          (daemon) =>
            untolerated(asDaemon(daemon), taints).length === 0 && ways.every((labels) => podSelects(daemon, labels)),
        )
        const free = numbersOf(minus(type.allocatable, sum(...daemons.map(podRequests))), resources)
        const takes = (pod: Pod): boolean =>
          untolerated(pod, taints).length === 0 && podLabels(pod)(type, offering).length > 0
        return [{ price: offering.price, isOnce: false, free, takes }]
      }),
    )
  })

const standingNodes = (harness: Harness, resources: readonly string[]): readonly Spot[] =>
  [...harness.standing.values()].map((node) => ({
    price: 0,
    isOnce: true,
    free: numbersOf(minus(node.allocatable, sum(...node.pods.map(podRequests))), resources),
    takes: (pod) => untolerated(pod, node.taints).length === 0 && podSelects(pod, node.labels, node.name),
  }))
