import { enumRule, flag, maybe, type ParameterRule, text, whole } from './parameter-rules.ts'

/** One call of Proxmox's API: its parameters besides those in the path, and the privileges that it needs. */
export interface ApiMethod {
  readonly parameters: Readonly<Record<string, ParameterRule>>
  /** The caller needs one of the privileges, at a path in which `{name}` is a parameter. Absent: any user may call it. */
  readonly needs?: readonly { readonly path: string; readonly anyOf: readonly string[] }[]
  /** Whether Proxmox sends the call on to the hypervisor in the path. */
  readonly isProxied?: true
}

const GUEST = '/nodes/{node}/qemu/{vmid}'
const vm = (...anyOf: readonly string[]) => [{ path: '/vms/{vmid}', anyOf }]
const vmid = whole(100, 999_999_999)
const dnsName = text({ pattern: /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i })
const storageId = text({ pattern: /^[a-z][a-z0-9\-_.]*[a-z0-9]$/i })
const poolId = text({ pattern: /^[\w.-]+(\/[\w.-]+){0,2}$/ })
const levels = enumRule('emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug', 'nolog')
const tagList = text({ pattern: /^[a-z0-9_][a-z0-9_\-+.]*([;, ][a-z0-9_][a-z0-9_\-+.]*)*$/i })

const netKeys = [
  ...['', 'model', 'macaddr', 'bridge', 'firewall', 'link_down', 'mtu', 'queues', 'rate', 'tag', 'trunks'],
  ...['e1000', 'e1000e', 'rtl8139', 'virtio', 'vmxnet3'],
]

/**
 * The calls that the provider makes, with the names, types, limits and privileges that Proxmox VE 9 documents (pve-docs 9.1.3, API viewer). Of
 * the options of guests, the table has those that the provider sets.
 */
export const apiMethods: Readonly<Record<string, ApiMethod>> = {
  'GET /version': { parameters: {} },
  'GET /access/permissions': { parameters: { path: maybe(text()), userid: maybe(text()) } },
  'GET /cluster/resources': { parameters: { type: maybe(enumRule('vm', 'storage', 'node', 'sdn')) } },
  'GET /cluster/ha/status/manager_status': { parameters: {}, needs: [{ path: '/', anyOf: ['Sys.Audit'] }] },
  'GET /cluster/firewall/groups': { parameters: {} },
  'GET /nodes/{node}/network': {
    parameters: { type: maybe(enumRule('bridge', 'bond', 'eth', 'alias', 'vlan', 'any_bridge', 'any_local_bridge')) },
    isProxied: true,
  },
  'GET /nodes/{node}/tasks/{upid}/status': { parameters: {}, isProxied: true },
  [`GET ${GUEST}/config`]: {
    parameters: { current: maybe(flag), snapshot: maybe(text({ maxLength: 40 })) },
    needs: vm('VM.Audit'),
    isProxied: true,
  },
  [`GET ${GUEST}/status/current`]: { parameters: {}, needs: vm('VM.Audit'), isProxied: true },
  [`POST ${GUEST}/clone`]: {
    parameters: {
      newid: vmid,
      name: maybe(dnsName),
      description: maybe(text()),
      full: maybe(flag),
      storage: maybe(storageId),
      pool: maybe(poolId),
      target: maybe(text()),
      bwlimit: maybe(whole(0)),
      format: maybe(enumRule('raw', 'qcow2', 'vmdk')),
      snapname: maybe(text({ maxLength: 40 })),
    },
    needs: [...vm('VM.Clone'), { path: '/vms/{newid}', anyOf: ['VM.Allocate'] }],
    isProxied: true,
  },
  [`PUT ${GUEST}/resize`]: {
    parameters: {
      disk: text({ pattern: /^(?:ide[0-3]|sata[0-5]|scsi(?:[12]?\d|30)|virtio(?:\d|1[0-5])|efidisk0|tpmstate0)$/ }),
      size: text({ pattern: /^\+?\d+(\.\d+)?[KMGT]?$/ }),
      digest: maybe(text({ maxLength: 40 })),
    },
    needs: vm('VM.Config.Disk'),
    isProxied: true,
  },
  [`PUT ${GUEST}/config`]: {
    parameters: {
      sockets: maybe(whole(1)),
      cores: maybe(whole(1)),
      memory: maybe(whole(16)),
      tags: maybe(tagList),
      smbios1: maybe(
        text({
          maxLength: 512,
          keys: ['uuid', 'version', 'serial', 'manufacturer', 'product', 'sku', 'family', 'base64'],
        }),
      ),
      'net[n]': maybe(text({ keys: netKeys })),
      delete: maybe(text()),
    },
    needs: [
      {
        path: '/vms/{vmid}',
        anyOf: ['VM.Config.CPU', 'VM.Config.Memory', 'VM.Config.Network', 'VM.Config.Options', 'VM.Config.HWType'],
      },
    ],
    isProxied: true,
  },
  [`PUT ${GUEST}/cloudinit`]: { parameters: {}, needs: vm('VM.Config.Cloudinit'), isProxied: true },
  [`POST ${GUEST}/status/start`]: {
    parameters: { skiplock: maybe(flag), timeout: maybe(whole(0)) },
    needs: vm('VM.PowerMgmt'),
    isProxied: true,
  },
  [`POST ${GUEST}/status/stop`]: {
    parameters: { skiplock: maybe(flag), timeout: maybe(whole(0)), 'overrule-shutdown': maybe(flag) },
    needs: vm('VM.PowerMgmt'),
    isProxied: true,
  },
  [`DELETE ${GUEST}`]: {
    parameters: { purge: maybe(flag), 'destroy-unreferenced-disks': maybe(flag), skiplock: maybe(flag) },
    needs: vm('VM.Allocate'),
    isProxied: true,
  },
  [`PUT ${GUEST}/firewall/options`]: {
    parameters: {
      enable: maybe(flag),
      dhcp: maybe(flag),
      policy_in: maybe(enumRule('ACCEPT', 'REJECT', 'DROP')),
      policy_out: maybe(enumRule('ACCEPT', 'REJECT', 'DROP')),
      log_level_in: maybe(levels),
      log_level_out: maybe(levels),
    },
    needs: vm('VM.Config.Network'),
    isProxied: true,
  },
  [`GET ${GUEST}/firewall/rules`]: { parameters: {}, needs: vm('VM.Audit'), isProxied: true },
  [`POST ${GUEST}/firewall/rules`]: {
    parameters: {
      type: enumRule('in', 'out', 'forward', 'group'),
      action: text({ maxLength: 20, pattern: /^[A-Za-z][A-Za-z0-9\-_]+$/ }),
      iface: maybe(text({ maxLength: 20 })),
      enable: maybe(whole(0)),
      pos: maybe(whole(0)),
      comment: maybe(text()),
    },
    needs: vm('VM.Config.Network'),
    isProxied: true,
  },
  [`DELETE ${GUEST}/firewall/rules/{pos}`]: {
    parameters: { digest: maybe(text({ maxLength: 64 })) },
    needs: vm('VM.Config.Network'),
    isProxied: true,
  },
  'PUT /pools': {
    parameters: {
      poolid: poolId,
      vms: maybe(text()),
      storage: maybe(text()),
      delete: maybe(flag),
      'allow-move': maybe(flag),
      comment: maybe(text()),
    },
    needs: [{ path: '/pool/{poolid}', anyOf: ['Pool.Allocate'] }],
  },
}
