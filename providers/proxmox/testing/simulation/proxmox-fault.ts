import type { Milliseconds } from '@kerf/apis'

/** The faults that are specific to Proxmox. */
export type ProxmoxFault =
  /** The other hypervisors cannot reach the hypervisor. Its guests keep running. */
  | { readonly kind: 'proxmox-unreachable'; readonly node: string; readonly duration: Milliseconds }
  /** The hypervisor is in maintenance. */
  | { readonly kind: 'proxmox-maintenance'; readonly node: string; readonly duration: Milliseconds }
  /** The storage of every hypervisor is full, but Kerf has not noticed yet. */
  | { readonly kind: 'proxmox-storage-full'; readonly duration: Milliseconds }
  /** Another controller takes the IDs of the next clones while their tasks start. */
  | { readonly kind: 'proxmox-ids-taken'; readonly times: number }
  /** Clones take this long. */
  | { readonly kind: 'proxmox-slow-clones'; readonly takes: Milliseconds; readonly duration: Milliseconds }
  /** The token has expired, so Proxmox refuses every call. */
  | { readonly kind: 'proxmox-token-expired'; readonly duration: Milliseconds }
