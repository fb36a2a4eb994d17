import { type NodeClaim, parseQuantity, toNumber } from '@kerf/apis'
import type { Parameters } from '../api/parameters.ts'
import { formatProperties, parseProperties } from '../api/property-string.ts'
import type { GuestConfig } from '../api/proxmox-api.ts'
import { clusterTag, KARPENTER_TAG } from '../names.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import type { Amount } from '../offers/free-capacity.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
/** The maximum number of queues of a network interface in Proxmox. */
const MOST_QUEUES = 64

/** Returns the tags of a guest: the class's tags in their order, followed by Kerf's own, without duplicates. */
export const guestTags = ({ spec }: Pick<ProxmoxNodeClass, 'spec'>, cluster: string): string =>
  [...new Set([...(spec?.tags ?? []), KARPENTER_TAG, clusterTag(cluster)])].join(';')

/** Returns the size of the boot disk in GiB, rounded up. It is the larger one of the class's size and the type's size. */
export const diskGibibytes = ({ spec }: Pick<ProxmoxNodeClass, 'spec'>, typeBytes: number): number => {
  const { size } = spec?.bootDevice ?? {}
  return Math.ceil(Math.max(typeBytes, size === undefined ? 0 : toNumber(parseQuantity(size))) / GIB)
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Returns the SMBIOS data from which a guest reads its name, ID and type. Keeps the UUID of the clone. */
const smbios = (config: GuestConfig, name: string, vmid: number, type: string): string => {
  const uuid = parseProperties(String(config['smbios1'] ?? ''), 'uuid').get('uuid')
  return formatProperties(
    new Map([
      ...(uuid === undefined ? [] : [['uuid', uuid] as const]),
      ...([
        ['base64', '1'],
        ['serial', base64(`h=${name};i=${vmid}`)],
        ['sku', base64(type)],
      ] as const),
    ]),
  )
}

/** Returns the options that make a clone an instance of its type (`providers/proxmox/docs/spec/proxmox.md#api-calls`). */
export const guestOptions = (
  claim: Pick<NodeClaim, 'metadata'>,
  nodeClass: Pick<ProxmoxNodeClass, 'spec'>,
  {
    vmid,
    type,
    amount,
    config,
    cluster,
  }: {
    readonly vmid: number
    readonly type: string
    readonly amount: Amount
    /** The configuration of the clone. */
    readonly config: GuestConfig
    readonly cluster: string
  },
): Parameters => ({
  sockets: 1,
  cores: amount.cpus,
  memory: Math.floor(amount.memory / MIB),
  tags: guestTags(nodeClass, cluster),
  smbios1: smbios(config, claim.metadata.name, vmid, type),
  ...Object.fromEntries(
    Object.entries(config)
      .filter(([option]) => /^net\d+$/.test(option))
      .map(([option, value]) => {
        const properties = new Map(parseProperties(String(value), 'model'))
        properties.set('queues', String(Math.min(MOST_QUEUES, amount.cpus)))
        return [option, formatProperties(properties, 'model')]
      }),
  ),
})
