import { ownValue, setOwnValue } from '@kerf/apis'

/**
 * Kerf's data in the description of a guest. The clone request contains the description, so every guest that Kerf cloned has it
 * (`providers/proxmox/docs/spec/proxmox.md#labels-identity`).
 */
export interface GuestDescription {
  readonly cluster: string
  readonly nodeClass: string
  readonly nodePool: string
  readonly nodeClaim: string
  readonly nodeClaimUid: string
  readonly instanceType: string
  readonly capacityType: string
  readonly cpus: number
  readonly memoryMiB: number
  /** The CPUs of the hypervisor to which the guest is pinned, such as `0-3,8`. Absent if it is not pinned. */
  readonly affinity?: string | undefined
  /** The NUMA nodes to which the guest is pinned, in the format of `formatPinnedNodes`. */
  readonly numa?: string | undefined
  readonly imageId: string
  /** The storage of the cloud-init disk. Absent if Kerf has not created one for the guest. */
  readonly diskStorage?: string | undefined
  /** The guest's addresses from pools, in the format of `formatAddresses`. */
  readonly addresses?: string | undefined
  /** In RFC 3339. */
  readonly createdAt: string
}

const KEYS = {
  cluster: 'cluster',
  nodePool: 'nodepool',
  nodeClaim: 'nodeclaim',
  nodeClaimUid: 'nodeclaim-uid',
  instanceType: 'instance-type',
  cpus: 'cpus',
  memoryMiB: 'memory',
  numa: 'numa',
  imageId: 'image',
  diskStorage: 'cloud-init-storage',
  addresses: 'addresses',
  createdAt: 'created',
} as const

/** The first line of a description. Karpenter's provider writes the same line. */
const UPSTREAM = 'Karpenter managed instance'

/** Returns the description of a new guest: upstream's line, followed by Kerf's lines. */
export const formatDescription = (guest: GuestDescription): string => {
  const { nodeClass, capacityType, affinity, ...own } = guest
  const entries = Object.entries(own).flatMap(([field, value]) =>
    value === undefined ? [] : [`${ownValue(KEYS, field)}=${value}`],
  )
  const pinned = affinity === undefined ? '' : `, affinity=${affinity}`
  return `${UPSTREAM}, class=${nodeClass}, capacity-type=${capacityType}${pinned}\n${entries.join(', ')}`
}

/** Returns the `key=value` entries of a description by Karpenter's provider or Kerf. Returns undefined for any other description. */
const entriesIn = (description: string): Readonly<Record<string, string>> | undefined => {
  if (!description.startsWith(UPSTREAM)) return undefined
  const entries: Record<string, string> = {}
  for (const entry of description.split(/[,\n]/).map((each) => each.trim())) {
    const at = entry.indexOf('=')
    if (at > 0) setOwnValue(entries, entry.slice(0, at), entry.slice(at + 1))
  }
  return entries
}

/**
 * Parses the description of a guest. Descriptions by Karpenter's provider contain only the node class, the capacity type, and the CPUs of a
 * pinned guest. Returns undefined for any other description.
 */
export const parseDescription = (description: string): Partial<GuestDescription> | undefined => {
  const entries = entriesIn(description.trim())
  if (entries === undefined) return undefined
  const { class: nodeClass, 'capacity-type': capacityType } = entries
  const entry = (key: string): string | undefined => ownValue(entries, key)
  const amount = (key: string): number | undefined => {
    const value = Number(entry(key) ?? Number.NaN)
    return Number.isInteger(value) && value > 0 ? value : undefined
  }
  const fields: { readonly [Field in keyof GuestDescription]: GuestDescription[Field] | undefined } = {
    ...{ nodeClass, capacityType },
    ...{ cluster: entry(KEYS.cluster), nodePool: entry(KEYS.nodePool), nodeClaim: entry(KEYS.nodeClaim) },
    ...{ nodeClaimUid: entry(KEYS.nodeClaimUid), instanceType: entry(KEYS.instanceType) },
    ...{ cpus: amount(KEYS.cpus), memoryMiB: amount(KEYS.memoryMiB), numa: entry(KEYS.numa) },
    // The value contains commas, unlike all others.
    affinity: /, affinity=([\d,-]+)/.exec(description)?.[1],
    ...{
      imageId: entry(KEYS.imageId),
      diskStorage: entry(KEYS.diskStorage),
      addresses: entry(KEYS.addresses),
      createdAt: entry(KEYS.createdAt),
    },
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
