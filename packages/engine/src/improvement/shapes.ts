import type { HostPort } from '../model/host-port.ts'
import type { RequirementsId, TolerationsId } from '../model/ids.ts'

/** The requirements and requests that a pod has for its node, regardless of other pods. */
export interface Demand {
  readonly row: Float64Array
  /** The alternative requirements on the node. Each includes the domains that the first pass chose for the pod's topology. */
  readonly requirements: readonly RequirementsId[]
  readonly tolerations: TolerationsId
  /** The templates on whose nodes the pod may run. */
  readonly templates: readonly number[]
  readonly ports: readonly HostPort[]
}

/**
 * Pod sets with the same demand. They differ only in their effect on other pods of their host, and in the flexibility that they had in the
 * first plan. Thousands of pod sets often have only a hundred shapes. So nodes are filled by shape, and the pod set of each added pod is
 * chosen afterwards.
 */
export interface Shape extends Demand {
  readonly id: number
  /** The pod sets of the shape. Those that can share a host with the fewest other pods come first, because they become hardest to place. */
  readonly podSets: readonly number[]
}

/** Returns a key. Demands with equal keys are allowed on the same nodes, if their requests fit. */
export const admissionText = ({ requirements, tolerations, templates, ports }: Demand): string =>
  `${requirements.join()}|${tolerations}|${templates.join()}|${ports.length === 0 ? '' : JSON.stringify(ports)}`

/**
 * Returns the shapes of pod sets; the pod sets are numbered in the order of the list. `hardness` determines the order of the pod sets in a
 * shape.
 */
export const computeShapes = (podSets: readonly Demand[], hardness: (podSet: number) => number): readonly Shape[] => {
  const byText = new Map<string, { demand: Demand; podSets: number[] }>()
  for (const [number, demand] of podSets.entries()) {
    const text = `${demand.row.join()}|${admissionText(demand)}`
    const known = byText.get(text)
    if (known === undefined) byText.set(text, { demand, podSets: [number] })
    else known.podSets.push(number)
  }
  return Array.from(byText.values(), ({ demand, podSets: own }, id) => {
    const { row, requirements, tolerations, templates, ports } = demand
    const rank = new Map(own.map((number) => [number, hardness(number)]))
    const sorted = own.sort((a, b) => (rank.get(b) ?? 0) - (rank.get(a) ?? 0) || a - b)
    return { id, row, requirements, tolerations, templates, ports, podSets: sorted }
  })
}
