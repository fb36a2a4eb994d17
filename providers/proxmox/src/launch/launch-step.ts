import type { NodeClaim } from '@kerf/apis'
import { CreateError } from '@kerf/provider-contract'
import type { Parameters } from '../api/parameters.ts'
import type { FirewallRule, GuestConfig, GuestRef, ProxmoxApi, Upid } from '../api/proxmox-api.ts'
import { clusterTag } from '../names.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import type { Amount } from '../offers/free-capacity.ts'
import { templateFacts } from '../templates/template-facts.ts'
import { missingRules } from './firewall.ts'
import { diskGibibytes, guestOptions } from './guest-options.ts'

const GIB = 1024 ** 3

/** The steps of a launch, in their order. */
export type LaunchStep =
  | { readonly name: 'resize'; readonly disk: string; readonly size: number }
  | { readonly name: 'configure'; readonly options: Parameters; readonly hasCloudInitDrive: boolean }
  | { readonly name: 'firewall'; readonly rules: readonly Omit<FirewallRule, 'pos'>[] }
  | { readonly name: 'start' }

export interface GuestPlan {
  readonly claim: NodeClaim
  readonly nodeClass: ProxmoxNodeClass
  readonly cluster: string
  readonly guest: GuestRef & { readonly region: string }
  readonly type: string
  readonly amount: Amount
  /** Bytes of the type's ephemeral storage. */
  readonly diskBytes: number
}

const hasTag = (config: GuestConfig, tag: string): boolean =>
  String(config['tags'] ?? '')
    .split(/[;, ]/)
    .includes(tag)

/**
 * Returns the next step of a launch. It depends only on the state of the guest, so another process can continue the launch. Undefined if
 * the guest runs. Kerf sets a guest's tags together with its size, so a guest with these tags is configured.
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
    const options = guestOptions(plan.claim, nodeClass, { ...plan, vmid: guest.vmid, config })
    return { name: 'configure', options, hasCloudInitDrive: facts.hasCloudInitDrive }
  }
  const groups = nodeClass.spec?.securityGroups ?? []
  if (groups.length > 0) {
    const rules = missingRules(groups, await api.firewallRules(guest, signal))
    if (rules.length > 0) return { name: 'firewall', rules }
  }
  const { status } = await api.status(guest, signal)
  return status === 'running' ? undefined : { name: 'start' }
}

/** Takes a step. Returns the task that it began, if any. */
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
    case 'start':
      return api.start(guest, signal)
  }
}
