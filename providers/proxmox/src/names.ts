import type { HashAnnotations } from '@kerf/provider-kit'
import { PROXMOX_GROUP } from './label-names.ts'

/** The hash annotations, on ProxmoxNodeClass and NodeClaim. */
export const nodeClassHashAnnotations: HashAnnotations = {
  hash: `${PROXMOX_GROUP}/proxmoxnodeclass-hash`,
  version: `${PROXMOX_GROUP}/proxmoxnodeclass-hash-version`,
}

/** The NodeClaim annotations that record which in-place fields Kerf has applied to the guest. */
export const inPlaceAnnotations = {
  hash: `${PROXMOX_GROUP}/proxmoxnodeinplaceupdate-hash`,
  /** The resource pool of the guest. */
  pool: `${PROXMOX_GROUP}/proxmoxnodeclass-pool`,
} as const

/** The hash annotations of ProxmoxTemplate. */
export const templateAnnotations = {
  hash: `${PROXMOX_GROUP}/proxmoxtemplate-hash`,
  version: `${PROXMOX_GROUP}/proxmoxtemplate-hash-version`,
  inPlace: `${PROXMOX_GROUP}/proxmoxtemplateinplaceupdate-hash`,
} as const

/** The annotations of a NodeClaim whose guest has a cloud-init disk. */
export const cloudInitAnnotations = {
  /** The ID of the guest's bootstrap token. */
  token: `${PROXMOX_GROUP}/proxmoxcloudinit-token`,
  /** Set after the disk and the token have been removed. */
  status: `${PROXMOX_GROUP}/proxmoxcloudinit-status`,
} as const

/** The label of Secrets with bootstrap tokens. */
export const BOOTSTRAP_TOKEN_LABEL = `${PROXMOX_GROUP}/bootstrap-token`

/** The tag of a guest with a cloud-init disk. Karpenter's provider sets the same tag. */
export const CLOUD_INIT_TAG = 'go-proxmox+cloud-init'

/** The finalizer of ProxmoxNodeClasses and ProxmoxTemplates. */
export const NODE_CLASS_FINALIZER = `${PROXMOX_GROUP}/termination`

/** The tag of every guest that Kerf launches. */
export const KARPENTER_TAG = 'karpenter'

/** Returns the tag of the guests of one Kubernetes cluster. Tags may contain lower-case letters, digits and `-_+.`. */
export const clusterTag = (cluster: string): string =>
  `${KARPENTER_TAG}-${cluster.toLowerCase().replaceAll(/[^a-z0-9_.+-]/g, '-')}`

/** Matches the tags that Proxmox accepts, in upper or lower case. */
export const PROXMOX_TAG = /^[a-z0-9_][a-z0-9_\-+.]*$/i

/** A guest of one Proxmox cluster. */
export interface GuestId {
  readonly region: string
  readonly vmid: number
}

/** Returns the provider ID that Proxmox's cloud controller manager writes on the Node. */
export const providerId = ({ region, vmid }: GuestId): string => `proxmox://${region}/${vmid}`

/** Returns the guest in a provider ID, or undefined for any other text. */
export const parseProviderId = (providerID: string): GuestId | undefined => {
  const [, region, vmid] = /^proxmox:\/\/([^/]+)\/([1-9]\d{2,8})$/.exec(providerID) ?? []
  return region === undefined || vmid === undefined ? undefined : { region, vmid: Number(vmid) }
}

/** Returns a text that identifies the guest across all regions. */
export const guestKey = ({ region, vmid }: GuestId): string => `${region}/${vmid}`
