/** The API group of Karpenter's provider for Proxmox, and the domain of its labels. */
export const PROXMOX_GROUP = 'karpenter.proxmox.sinextra.dev'

/** Labels of Proxmox nodes (`providers/proxmox/docs/spec/proxmox.md#labels-identity`). */
export const proxmoxLabels = {
  /** The family in the type's name, for example `s1`. */
  family: `${PROXMOX_GROUP}/instance-family`,
  /** The emulated CPU. Only Nodes have this label, instance types do not. */
  cpuType: `${PROXMOX_GROUP}/instance-cpu-type`,
  /** The image of the template. Only Nodes have this label, instance types do not. */
  imageId: `${PROXMOX_GROUP}/instance-image-id`,
} as const
