import { NoResponseError } from '@kerf/provider-kit'
import { ProxmoxApiError } from '../api/proxmox-api-error.ts'

/** What a refused call or a failed task means (`providers/proxmox/docs/spec/proxmox.md#errors`). */
export type FailureKind =
  /** Proxmox does not accept the token or the password. */
  | 'credentials'
  /** The token lacks a privilege. */
  | 'privilege'
  /** A storage, or the memory of the hypervisor, is full. */
  | 'full'
  /** The ID of the new guest is already used. */
  | 'id-taken'
  | 'not-found'
  /** Another task holds the guest. */
  | 'locked'
  /** The guest to start runs already. */
  | 'running'
  /** The hypervisor does not answer to the one that was asked. */
  | 'unreachable'
  /** The node class names something that does not exist, or a value that Proxmox does not accept. */
  | 'configuration'
  /** Proxmox did not answer, or it failed. */
  | 'server'
  | 'other'

/** Texts of Proxmox by kind. The first match applies. */
const TEXTS: readonly (readonly [RegExp, FailureKind])[] = [
  [/config file already exists|VM \d+ already exists/, 'id-taken'],
  [/no space left|not enough (?:free )?(?:space|memory)|out of space|insufficient free space|quota exceeded/i, 'full'],
  [/cannot allocate memory|insufficient memory/i, 'full'],
  [/Configuration file '[^']*' does not exist|unable to find configuration file/, 'not-found'],
  [/VM \d+ already running/, 'running'],
  [/VM is locked|can't lock file|got lock timeout|trying to acquire lock/, 'locked'],
  [/pool '[^']*' does not exist|storage '[^']*' does not exist|bridge '[^']*' does not exist/, 'configuration'],
  [/is not configured for content-type|is not available on node|Linked clone feature/, 'configuration'],
]

/** Returns what a text of Proxmox means, for example the exit status of a task. */
export const kindOfText = (text: string): FailureKind => TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'

/** Returns what a refusal of the API means. */
const kindOfRefusal = ({ status, detail }: ProxmoxApiError): FailureKind => {
  const said = kindOfText(detail)
  if (said !== 'other') return said
  if (status === 401) return 'credentials'
  if (status === 403) return 'privilege'
  if (status === 404) return 'not-found'
  if (status === 400) return 'configuration'
  return status === 595 || status === 596 ? 'unreachable' : 'server'
}

/** Returns what a failed call means. */
export const kindOfError = (error: unknown): FailureKind => {
  if (error instanceof ProxmoxApiError) return kindOfRefusal(error)
  return error instanceof NoResponseError ? 'server' : 'other'
}

/** Returns true if the error certainly means that the guest does not exist. */
export const isGuestGone = (error: unknown): boolean => kindOfError(error) === 'not-found'
