import { NoResponseError } from '@kerf/provider-kit'
import { ProxmoxApiError } from '../api/proxmox-api-error.ts'

/** The kinds of refused calls and failed tasks (`providers/proxmox/docs/spec/proxmox.md#errors`). */
export type FailureKind =
  /** Proxmox does not accept the token or the password. */
  | 'credentials'
  /** The token lacks a privilege. */
  | 'privilege'
  /** Proxmox allows the option only to the user `root@pam`. */
  | 'root-only'
  /** A storage, or the memory of the hypervisor, is full. */
  | 'full'
  /** The ID of the new guest is already used. */
  | 'id-taken'
  | 'not-found'
  /** Another task has locked the guest. */
  | 'locked'
  /** The guest is already running, so Proxmox refuses to start it. */
  | 'running'
  /** The Proxmox node that received the request cannot reach the hypervisor. */
  | 'unreachable'
  /** The node class refers to something that does not exist, or contains a value that Proxmox does not accept. */
  | 'configuration'
  /** Proxmox did not respond, or had an internal error. */
  | 'server'
  | 'other'

/** Patterns of Proxmox's messages, with the failure kind of each. The first match applies. */
const TEXTS: readonly (readonly [RegExp, FailureKind])[] = [
  [/config file already exists|VM \d+ already exists/, 'id-taken'],
  [/no space left|not enough (?:free )?(?:space|memory)|out of space|insufficient free space|quota exceeded/i, 'full'],
  [/cannot allocate memory|insufficient memory/i, 'full'],
  [/Configuration file '[^']*' does not exist|unable to find configuration file/, 'not-found'],
  [/only root can set '[^']*' config/, 'root-only'],
  [/VM \d+ already running/, 'running'],
  [/VM is locked|can't lock file|got lock timeout|trying to acquire lock/, 'locked'],
  [/pool '[^']*' does not exist|storage '[^']*' does not exist|bridge '[^']*' does not exist/, 'configuration'],
  [/is not configured for content-type|is not available on node|Linked clone feature/, 'configuration'],
]

/** Returns the failure kind of a Proxmox message, for example of the exit status of a task. */
export const kindOfText = (text: string): FailureKind => TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'

/** Returns the failure kind of a refused API call. */
const kindOfRefusal = ({ status, detail }: ProxmoxApiError): FailureKind => {
  const said = kindOfText(detail)
  if (said !== 'other') return said
  if (status === 401) return 'credentials'
  if (status === 403) return 'privilege'
  if (status === 404) return 'not-found'
  if (status === 400) return 'configuration'
  return status === 595 || status === 596 ? 'unreachable' : 'server'
}

/** Returns the failure kind of a failed call. */
export const kindOfError = (error: unknown): FailureKind => {
  if (error instanceof ProxmoxApiError) return kindOfRefusal(error)
  return error instanceof NoResponseError ? 'server' : 'other'
}

/** Returns true only if the error proves that the guest does not exist. */
export const isGuestGone = (error: unknown): boolean => kindOfError(error) === 'not-found'
