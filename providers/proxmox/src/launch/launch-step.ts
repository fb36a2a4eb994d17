import type { NodeClaim } from '@kerf/apis'
import { CreateError } from '@kerf/provider-contract'
import type { GuestAddresses } from '../addresses/address-pool.ts'
import type { Parameters } from '../api/parameters.ts'
import type { FirewallRule, GuestConfig, GuestRef, NetworkInterface, ProxmoxApi, Upid } from '../api/proxmox-api.ts'
import { CLOUD_INIT_OPTION, diskFile, diskVolume } from '../cloud-init/disk-names.ts'
import { CLOUD_INIT_TAG, clusterTag } from '../names.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import type { Amount } from '../offers/free-capacity.ts'
import { templateFacts } from '../templates/template-facts.ts'
import { type GuestPins, pinOptions } from '../topology/guest-pins.ts'
import { addressOptions } from './address-options.ts'
import { missingRules } from './firewall.ts'
import { diskGibibytes, guestOptions } from './guest-options.ts'

const GIB = 1024 ** 3

/** The steps of a launch, in order. */
export type LaunchStep =
  | { readonly name: 'resize'; readonly disk: string; readonly size: number }
  | { readonly name: 'configure'; readonly options: Parameters; readonly hasCloudInitDrive: boolean }
  | { readonly name: 'firewall'; readonly rules: readonly Omit<FirewallRule, 'pos'>[] }
  /** Uploads the cloud-init disk. Its content includes a token. */
  | { readonly name: 'upload'; readonly storage: string; readonly image: () => Promise<Buffer> }
  | { readonly name: 'attach'; readonly volume: string; readonly tags: string }
  | { readonly name: 'start' }

export interface GuestPlan {
  readonly claim: NodeClaim
  readonly nodeClass: ProxmoxNodeClass
  readonly cluster: string
  readonly guest: GuestRef & { readonly region: string }
  readonly type: string
  readonly amount: Amount
  /** The CPUs and NUMA nodes to which the guest is pinned, if any. */
  readonly pins: GuestPins | undefined
  /** The ephemeral storage of the instance type in bytes. */
  readonly diskBytes: number
  /** The guest's addresses from the pools of its template. */
  readonly addresses: GuestAddresses
  readonly bridges: () => Promise<readonly NetworkInterface[]>
  /** The guest's cloud-init disk and its storage. Absent if the guest gets none. */
  readonly cloudInit?: {
    readonly storage: string
    readonly isUploaded: boolean
    readonly image: (config: GuestConfig) => Promise<Buffer>
  }
}

const hasTag = (config: GuestConfig, tag: string): boolean =>
  String(config['tags'] ?? '')
    .split(/[;, ]/)
    .includes(tag)

/** Returns the step that gives a guest its cloud-init disk. Returns undefined if the guest already has the disk or gets none. */
const diskStep = ({ guest, cloudInit }: GuestPlan, config: GuestConfig): LaunchStep | undefined => {
  if (cloudInit === undefined) return undefined
  const { storage, isUploaded, image } = cloudInit
  const volume = diskVolume(storage, guest.vmid)
  if (String(config[CLOUD_INIT_OPTION] ?? '').startsWith(volume)) return undefined
  // After a restart, an existing file with this name may belong to an earlier guest. So each process uploads its own file.
  if (!isUploaded) return { name: 'upload', storage, image: () => image(config) }
  return { name: 'attach', volume, tags: `${String(config['tags'] ?? '')};${CLOUD_INIT_TAG}` }
}

/**
 * Returns the next step of a launch, or undefined if the guest is running. The step depends only on the state of the guest, so another
 * process can continue the launch. Kerf sets a guest's tags together with its size, so a guest with these tags is configured.
 */
export const nextStep = async (
  plan: GuestPlan,
  config: GuestConfig,
  api: ProxmoxApi,
  signal: AbortSignal,
): Promise<LaunchStep | undefined> => {
  const { guest, nodeClass, cluster, diskBytes } = plan
  if (!hasTag(config, clusterTag(cluster))) {
    const facts = templateFacts(guest.region, guest, config)
    if (typeof facts === 'string')
      throw new CreateError('TemplateUnusable', `guest ${guest.vmid} cannot be used: ${facts}; correct the template`)
    const size = diskGibibytes(nodeClass, diskBytes)
    if (facts.bootDisk.size < size * GIB) return { name: 'resize', disk: facts.bootDisk.option, size }
    const needsAddresses = Object.entries(config).some(
      ([option, value]) => option.startsWith('ipconfig') && String(value).includes('/'),
    )
    const options = {
      ...guestOptions(plan.claim, nodeClass, { ...plan, vmid: guest.vmid, config }),
      ...(plan.pins === undefined ? {} : pinOptions(plan.pins)),
      ...(needsAddresses ? addressOptions(config, plan.addresses, await plan.bridges()) : {}),
    }
    return { name: 'configure', options, hasCloudInitDrive: facts.cloudInitDrive !== undefined }
  }
  const groups = nodeClass.spec?.securityGroups ?? []
  if (groups.length > 0) {
    const rules = missingRules(groups, await api.firewallRules(guest, signal))
    if (rules.length > 0) return { name: 'firewall', rules }
  }
  const disk = diskStep(plan, config)
  if (disk !== undefined) return disk
  const { status } = await api.status(guest, signal)
  return status === 'running' ? undefined : { name: 'start' }
}

/** Executes a step. Returns the task that it started, if any. */
export const takeStep = async (
  step: LaunchStep,
  guest: GuestRef,
  api: ProxmoxApi,
  signal: AbortSignal,
): Promise<Upid | undefined> => {
  switch (step.name) {
    case 'resize':
      return api.resize(guest, step.disk, step.size, signal)
    case 'configure':
      await api.configure(guest, step.options, signal)
      if (step.hasCloudInitDrive) await api.regenerateCloudInit(guest, signal)
      return undefined
    case 'firewall':
      await api.enableFirewall(guest, signal)
      for (const rule of step.rules) await api.addFirewallRule(guest, rule, signal)
      return undefined
    case 'upload':
      return api.uploadIso(
        guest.node,
        step.storage,
        { name: diskFile(guest.vmid), content: await step.image() },
        signal,
      )
    case 'attach':
      await api.attachDisk(guest, step.volume, step.tags, signal)
      return undefined
    case 'start':
      return api.start(guest, signal)
  }
}
