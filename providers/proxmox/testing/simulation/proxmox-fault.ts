import type { Milliseconds } from '@kerf/apis'

/** The faults that only Proxmox has. */
export type ProxmoxFault =
  /** The hypervisor does not answer the other hypervisors. Its guests keep running. */
  | { readonly kind: 'proxmox-unreachable'; readonly node: string; readonly duration: Milliseconds }
  /** The hypervisor is in maintenance. */
  | { readonly kind: 'proxmox-maintenance'; readonly node: string; readonly duration: Milliseconds }
  /** The storage of every hypervisor is full, and Kerf has not read that yet. */
  | { readonly kind: 'proxmox-storage-full'; readonly duration: Milliseconds }
  /** Another controller takes the IDs of the next clones while their tasks begin. */
  | { readonly kind: 'proxmox-ids-taken'; readonly times: number }
  /** Clones take this long. */
  | { readonly kind: 'proxmox-slow-clones'; readonly takes: Milliseconds; readonly duration: Milliseconds }
  /** The token has expired: every call is refused. */
  | { readonly kind: 'proxmox-token-expired'; readonly duration: Milliseconds }
