import type { HostPort } from '../model/host-port.ts'
import type { RequirementsId, TolerationsId } from '../model/ids.ts'

/** What a pod asks of its node, as far as the node alone is concerned. */
export interface Demand {
  readonly row: Float64Array
  /** What the node must be like, in one of these ways: its requirements, and the domains its topology settled on. */
  readonly requirements: readonly RequirementsId[]
  readonly tolerations: TolerationsId
  /** Templates it may be on. */
  readonly templates: readonly number[]
  readonly ports: readonly HostPort[]
}

/**
 * Pod sets that ask the same of a node and differ only in what they mean for others on their host, and in the choice that
 * the first plan left them. Thousands of pod sets are often a hundred shapes: nodes are filled by shape, and which of its
 * pod sets a pod is taken from is settled then.
 */
export interface Shape extends Demand {
  readonly id: number
  /** Its pod sets, those that share a host with the fewest others first: they are the hardest to place later. */
  readonly podSets: readonly number[]
}

/** Equal for demands that any node meets or fails alike, whatever their size. */
export const admissionText = ({ requirements, tolerations, templates, ports }: Demand): string =>
  `${requirements.join()}|${tolerations}|${templates.join()}|${ports.length === 0 ? '' : JSON.stringify(ports)}`

/** The shapes of pod sets that are numbered in the order of the list; `hardness` ranks a pod set among those of its shape. */
export const shapesOf = (podSets: readonly Demand[], hardness: (podSet: number) => number): readonly Shape[] => {
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
