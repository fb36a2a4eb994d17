import type { Seconds } from '@kerf/apis'
/** The identity of a caller. The loopback token and in-process clients are cluster administrators. */
export interface Identity {
  readonly username: string
  readonly groups: readonly string[]
}

export const administrator: Identity = {
  username: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
}

/** The options of a write. */
export interface WriteRequest {
  readonly identity: Identity
  /** The manager that the write records in `managedFields`. If absent, the write records none. */
  readonly fieldManager?: string
  readonly dryRun?: boolean
  /** How fields outside the schema are handled: dropped, dropped with a warning, or refused. Default `Ignore`. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict'
  /** Receives warnings that the server sends to the client's user. */
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
  /** If absent or `'0'`, the watch starts with the existing objects as `ADDED`. */
  readonly resourceVersion?: string
  readonly timeoutSeconds?: Seconds
  readonly allowBookmarks?: boolean
  readonly sendInitialEvents?: boolean
  readonly signal?: AbortSignal
}
