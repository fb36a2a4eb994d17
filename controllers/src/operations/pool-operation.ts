import { formatTime, type Milliseconds, type NodePool, timeOf } from '@kerf/apis'
import { oncePerObject } from '@kerf/engine'

/** What a person asks of a NodePool for a while, with the annotation and the condition that say so. */
export const poolOperations = {
  /** No node of it is disrupted voluntarily. */
  pause: { annotation: 'kerf.sh/pause', condition: 'Paused' },
  /** It launches nothing. */
  cordon: { annotation: 'kerf.sh/cordon', condition: 'Cordoned' },
  /** As if its consolidateAfter was 0s. */
  consolidate: { annotation: 'kerf.sh/consolidate-now', condition: 'ConsolidatingNow' },
} as const

export type OperationName = keyof typeof poolOperations

/** Who asked, why, and until when. */
export interface PoolOperation {
  readonly until: Milliseconds
  readonly owner: string
  readonly reason: string
}

/** The value of the annotation. */
export const operationText = ({ until, owner, reason }: PoolOperation): string =>
  JSON.stringify({ until: formatTime(until), owner, reason })

/** What the annotation's text says; undefined when it cannot be read. An end and an owner are required. */
export const readOperation = (text: string): PoolOperation | undefined => {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof given !== 'object' || given === null) return undefined
  const { until, owner, reason } = given as Readonly<Record<string, unknown>>
  const end = typeof until === 'string' ? timeOf(until) : undefined
  if (end === undefined || Number.isNaN(end) || typeof owner !== 'string' || owner === '') return undefined
  return { until: end, owner, reason: typeof reason === 'string' ? reason : '' }
}

type Operations = Readonly<Partial<Record<OperationName, PoolOperation>>>

export const operationNames = Object.keys(poolOperations) as readonly OperationName[]

/**
 * The operations of a NodePool. One that has come to its end counts until its annotation is gone, which is a moment. Objects
 * of informers are never changed, so each pool is read once.
 */
export const operationsOf = oncePerObject((pool: NodePool): Operations => {
  const found: { [Name in OperationName]?: PoolOperation } = {}
  for (const name of operationNames) {
    const text = pool.metadata.annotations?.[poolOperations[name].annotation]
    const operation = text === undefined ? undefined : readOperation(text)
    if (operation !== undefined) found[name] = operation
  }
  return found
})
