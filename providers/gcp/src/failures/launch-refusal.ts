import type { Milliseconds } from '@kerf/apis'
import { GcpApiError } from '../api/gcp-api-error.ts'

const MINUTE: Milliseconds = 60_000

/** What a refused launch means for the other offerings of the NodeClaim. */
export interface LaunchRefusal {
  /**
   * `next`: try another offering. `exists`: an instance of that name is there, read it. `stop`: no other offering can help, or it is
   * unknown whether the instance was created.
   */
  readonly nextStep: 'next' | 'exists' | 'stop'
  /** Whether capacity, addresses or quota are missing. */
  readonly isShort: boolean
  /** How long the offering counts as unavailable. 0 if it does not. */
  readonly unavailableFor: Milliseconds
}

/** The codes for a lack of capacity, with the time for which upstream does not try the offering again. */
const SHORTAGES: ReadonlyMap<string, Milliseconds> = new Map([
  ['ZONE_RESOURCE_POOL_EXHAUSTED', 30 * MINUTE],
  ['ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS', 30 * MINUTE],
  ['IP_SPACE_EXHAUSTED', MINUTE / 2],
  ['IP_SPACE_EXHAUSTED_WITH_DETAILS', MINUTE / 2],
])
const QUOTAS: ReadonlySet<string> = new Set(['QUOTA_EXCEEDED', 'quotaExceeded'])

const stop: LaunchRefusal = { nextStep: 'stop', isShort: false, unavailableFor: 0 }

const shortage = (code: string): LaunchRefusal | undefined => {
  const unavailableFor = SHORTAGES.get(code)
  if (unavailableFor !== undefined) return { nextStep: 'next', isShort: true, unavailableFor }
  // The quota of one family or of spot instances may be exceeded, and another family may still be launched.
  return QUOTAS.has(code) ? { nextStep: 'next', isShort: true, unavailableFor: 0 } : undefined
}

/**
 * Returns what an insert that Compute Engine refused means (`providers/gcp/docs/spec/gcp.md#refused-launches`). Without a response, and
 * after an error of the service, the instance may exist: the next attempt finds it by its name.
 */
export const insertRefusal = (error: unknown): LaunchRefusal => {
  if (!(error instanceof GcpApiError)) return stop
  const { reason, status } = error
  if (status === 409) return { nextStep: 'exists', isShort: false, unavailableFor: 0 }
  const short = shortage(reason)
  // A full range of addresses is refused at once, for every type alike.
  return short !== undefined && reason.startsWith('IP_SPACE') ? { ...short, nextStep: 'stop' } : (short ?? stop)
}

/**
 * Returns what the errors of an operation mean. The first code that means a shortage counts. Any other error concerns this attempt
 * only: no instance was created, and another offering is tried.
 */
export const operationRefusal = (codes: readonly string[]): LaunchRefusal =>
  codes.map(shortage).find((each) => each !== undefined) ?? { nextStep: 'next', isShort: false, unavailableFor: 0 }
