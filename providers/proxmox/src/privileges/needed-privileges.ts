import type { ProxmoxApi } from '../api/proxmox-api.ts'

/** Kerf's capabilities in Proxmox. If privileges are missing, only the capabilities that need them fail. */
export const proxmoxCapabilities = {
  see: 'see hypervisors, storages and guests; without it, Kerf plans and launches nothing',
  launch: 'clone templates, and configure and start guests',
  destroy: 'stop and destroy guests',
  pools: 'put guests into resource pools',
  'cloud-init': 'give guests a cloud-init disk (metadataOptions.type cdrom)',
  templates: 'make templates from disk images (ProxmoxTemplate)',
} as const
export type ProxmoxCapability = keyof typeof proxmoxCapabilities

/** The optional capabilities. */
export const OPTIONAL_CAPABILITIES = [
  'cloud-init',
  'pools',
  'templates',
] as const satisfies readonly ProxmoxCapability[]
export type OptionalCapability = (typeof OPTIONAL_CAPABILITIES)[number]

/** The paths at which the controller needs privileges in Proxmox. */
export const PRIVILEGE_PATHS = ['/', '/mapping/pci', '/nodes', '/pool', '/sdn/zones', '/storage', '/vms'] as const
type PrivilegePath = (typeof PRIVILEGE_PATHS)[number]

export interface NeededPrivilege {
  readonly path: PrivilegePath
  readonly privilege: string
  readonly capability: ProxmoxCapability
}

const at =
  (path: PrivilegePath, capability: ProxmoxCapability) =>
  (...privileges: readonly string[]): readonly NeededPrivilege[] =>
    privileges.map((privilege) => ({ path, privilege, capability }))

const audit = at('/vms', 'see')('VM.Audit')
const launching = at('/vms', 'launch')
const making = at('/vms', 'templates')

/**
 * The privileges that each of Kerf's calls needs, including those that Proxmox checks only in the task. A call without an entry is a type
 * error.
 */
const privileges: Readonly<Record<keyof ProxmoxApi, readonly NeededPrivilege[]>> = {
  permissions: [],
  resources: [...audit, ...at('/nodes', 'see')('Sys.Audit'), ...at('/storage', 'see')('Datastore.Audit')],
  haStatus: at('/', 'see')('Sys.Audit'),
  securityGroups: [],
  nodeStatus: at('/nodes', 'see')('Sys.Audit'),
  bridges: at('/nodes', 'see')('Sys.Audit'),
  config: audit,
  status: audit,
  task: [],
  // Proxmox checks the storage of the clone. It also checks the bridges of the network interfaces, which belong to the SDN zone
  // localnetwork.
  clone: [
    ...launching('VM.Allocate', 'VM.Clone'),
    ...at('/storage', 'launch')('Datastore.AllocateSpace'),
    ...at('/sdn/zones', 'launch')('SDN.Use'),
  ],
  resize: launching('VM.Config.Disk'),
  configure: launching(
    ...['VM.Config.CPU', 'VM.Config.HWType', 'VM.Config.Memory', 'VM.Config.Network', 'VM.Config.Options'],
  ),
  attachDisk: at('/vms', 'cloud-init')('VM.Config.CDROM', 'VM.Config.Options'),
  regenerateCloudInit: launching('VM.Config.Cloudinit'),
  start: launching('VM.PowerMgmt'),
  stop: at('/vms', 'destroy')('VM.PowerMgmt'),
  destroy: at('/vms', 'destroy')('VM.Allocate'),
  firewallRules: audit,
  addFirewallRule: launching('VM.Config.Network'),
  removeFirewallRule: launching('VM.Config.Network'),
  enableFirewall: launching('VM.Config.Network'),
  addToPool: at('/pool', 'pools')('Pool.Allocate', 'Pool.Audit'),
  removeFromPool: at('/pool', 'pools')('Pool.Allocate', 'Pool.Audit'),
  volumes: at('/storage', 'templates')('Datastore.Audit'),
  downloadImage: [
    ...at('/storage', 'templates')('Datastore.AllocateTemplate'),
    ...at('/nodes', 'templates')('Sys.AccessNetwork'),
  ],
  deleteVolume: [
    ...at('/storage', 'templates')('Datastore.Allocate'),
    ...at('/storage', 'cloud-init')('Datastore.Allocate'),
  ],
  uploadIso: at('/storage', 'cloud-init')('Datastore.AllocateTemplate'),
  createGuest: [
    ...making('VM.Allocate', 'VM.Config.CPU', 'VM.Config.Cloudinit', 'VM.Config.Disk', 'VM.Config.HWType'),
    ...making('VM.Config.Memory', 'VM.Config.Network', 'VM.Config.Options'),
    ...at('/storage', 'templates')('Datastore.AllocateSpace'),
    ...at('/sdn/zones', 'templates')('SDN.Use'),
    ...at('/mapping/pci', 'templates')('Mapping.Use'),
  ],
  convertToTemplate: making('VM.Allocate'),
}

/**
 * Returns the privileges that the controller needs, sorted. Each combination of path, privilege and capability occurs once. `without` lists
 * the capabilities that the cluster does not use.
 */
export const neededPrivileges = (without: readonly OptionalCapability[] = []): readonly NeededPrivilege[] => {
  const byText = new Map(
    Object.values(privileges)
      .flat()
      .filter(({ capability }) => !without.some((each) => each === capability))
      .map((each) => [`${each.path} ${each.privilege} ${each.capability}`, each]),
  )
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}
