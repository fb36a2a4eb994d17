import type { LabelVocabulary } from '@kerf/apis'
import { instanceTypeFromJson, type InstanceTypeJson } from '@kerf/engine'
import type { InstanceTypesByPool } from './cluster-snapshot.ts'
import { type Prices, typePrices } from './prices.ts'
import { fieldsAt, listAt } from './read.ts'
import { reportedVocabulary } from './vocabulary.ts'

/** The instance types that the controller reports for each NodePool, and the meaning of their labels. */
export interface ReportedInstanceTypes {
  readonly instanceTypes: InstanceTypesByPool
  readonly vocabulary: LabelVocabulary
  readonly prices: Prices
}

/** Reads the controller's response about instance types. Returns undefined if the response is malformed or has no types. */
export const reportedInstanceTypes = (answer: unknown): ReportedInstanceTypes | undefined => {
  try {
    const lists = listAt(answer, 'lists').map((list) => (list as readonly InstanceTypeJson[]).map(instanceTypeFromJson))
    if (lists.length === 0) return undefined
    const pools = Object.entries(fieldsAt(answer, 'pools')).map(
      ([name, place]) => [name, lists[Number(place)] ?? []] as const,
    )
    const instanceTypes = new Map(pools)
    return { instanceTypes, vocabulary: reportedVocabulary(answer), prices: typePrices(instanceTypes) }
  } catch {
    return undefined
  }
}
