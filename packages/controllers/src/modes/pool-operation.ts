import { formatTime, type Milliseconds, type NodePool, parseTime } from '@kerf/apis'
import { oncePerObject } from '@kerf/engine'

/** The temporary operations of a NodePool, with their annotations and conditions. */
export const poolOperations = {
  /** Kerf does not voluntarily disrupt the pool's nodes. */
  pause: { annotation: 'kerf.sh/pause', condition: 'Paused' },
  /** Kerf launches no nodes for the pool. */
  cordon: { annotation: 'kerf.sh/cordon', condition: 'Cordoned' },
  /** Kerf consolidates the pool as if its consolidateAfter were 0s. */
  consolidate: { annotation: 'kerf.sh/consolidate-now', condition: 'ConsolidatingNow' },
} as const

export type OperationName = keyof typeof poolOperations

/** The end time, owner and reason of an operation. */
export interface PoolOperation {
  readonly until: Milliseconds
  readonly owner: string
  readonly reason: string
}

/** Returns the operation as the value of its annotation. */
export const operationText = ({ until, owner, reason }: PoolOperation): string =>
  JSON.stringify({ until: formatTime(until), owner, reason })

/** Parses the value of an operation annotation. Returns undefined if it is invalid. A valid value has an end time and an owner. */
export const readOperation = (text: string): PoolOperation | undefined => {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof given !== 'object' || given === null) return undefined
  const { until, owner, reason } = given as Readonly<Record<string, unknown>>
  const end = typeof until === 'string' ? parseTime(until) : undefined
  if (end === undefined || Number.isNaN(end) || typeof owner !== 'string' || owner === '') return undefined
  return { until: end, owner, reason: typeof reason === 'string' ? reason : '' }
}

type Operations = Readonly<Partial<Record<OperationName, PoolOperation>>>

export const operationNames = Object.keys(poolOperations) as readonly OperationName[]

/**
 * Returns the operations of a NodePool. An operation that has ended is included until Kerf removes its annotation shortly afterwards. The
 * result is cached per object, because objects of informers are immutable.
 */
export const readOperations = oncePerObject((pool: NodePool): Operations => {
  const found: { [Name in OperationName]?: PoolOperation } = {}
  for (const name of operationNames) {
    const text = pool.metadata.annotations?.[poolOperations[name].annotation]
    const operation = text === undefined ? undefined : readOperation(text)
    if (operation !== undefined) found[name] = operation
  }
  return found
})
