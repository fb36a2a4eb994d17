import type { Seconds } from '@kerf/apis'
/** Who is calling; the loopback token and in-process clients are cluster administrators. */
export interface Identity {
  readonly username: string
  readonly groups: readonly string[]
}

export const administrator: Identity = {
  username: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
}

/** What a write says about itself besides the object. */
export interface WriteRequest {
  readonly identity: Identity
  /** Recorded in `managedFields`; a write without one is not recorded. */
  readonly fieldManager?: string
  readonly dryRun?: boolean
  /** What happens to fields the schema does not know: dropped, dropped with a warning, or refused. Default `Ignore`. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict'
  /** Receives warnings for the person at the other end. */
  readonly warn?: (message: string) => void
}

export interface DeleteRequest extends WriteRequest {
  readonly gracePeriodSeconds?: Seconds
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'
}

export interface Selection {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export interface ListRequest extends Selection {
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: string
}

export interface WatchRequest extends Selection {
  /** Absent or `'0'`: the present objects come first, as `ADDED`. */
  readonly resourceVersion?: string
  readonly timeoutSeconds?: Seconds
  readonly allowBookmarks?: boolean
  readonly sendInitialEvents?: boolean
  readonly signal?: AbortSignal
}
