import { enumRule, flag, maybe, type ParameterRule, text, whole } from './parameter-rules.ts'

/** One call of Proxmox's API: its parameters (except those in the path), and the privileges that it needs. */
export interface ApiMethod {
  readonly parameters: Readonly<Record<string, ParameterRule>>
  /** The caller needs one of these privileges at the path, in which `{name}` is a parameter. If absent, any user may call the method. */
  readonly needs?: readonly { readonly path: string; readonly anyOf: readonly string[] }[]
  /** Whether Proxmox forwards the call to the hypervisor in the path. */
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

const diskKeys = ['', 'file', 'format', 'import-from', 'iothread', 'media', 'size', 'cache', 'discard', 'ssd']

/** The options of guests. */
const guestOptions: ApiMethod['parameters'] = {
  acpi: maybe(flag),
  affinity: maybe(text({ pattern: /^\s*\d+(?:-\d+)?(?:\s*,\s*\d+(?:-\d+)?)*\s*$/ })),
  agent: maybe(
    text({
      keys: ['', 'enabled', 'type', 'freeze-fs', 'freeze-fs-on-backup', 'fstrim_cloned_disks', 'guest-fsfreeze'],
    }),
  ),
  balloon: maybe(whole(0)),
  bios: maybe(enumRule('seabios', 'ovmf')),
  boot: maybe(text({ pattern: /^order=[a-z]+\d+(?:;[a-z]+\d+)*$/ })),
  cores: maybe(whole(1)),
  cpu: maybe(text({ keys: ['', 'cputype', 'flags', 'hidden', 'hv-vendor-id', 'phys-bits', 'reported-model'] })),
  description: maybe(text({ maxLength: 8_192 })),
  machine: maybe(text({ keys: ['', 'type', 'viommu', 'aw-bits', 'enable-s3', 'enable-s4'] })),
  memory: maybe(whole(16)),
  name: maybe(dnsName),
  nameserver: maybe(text({ pattern: /^[0-9A-Fa-f.:]+(?:[ ,;][0-9A-Fa-f.:]+)*$/ })),
  numa: maybe(flag),
  onboot: maybe(flag),
  ostype: maybe(enumRule('other', 'l24', 'l26')),
  scsihw: maybe(enumRule('lsi', 'virtio-scsi-pci', 'virtio-scsi-single')),
  smbios1: maybe(
    text({
      maxLength: 512,
      keys: ['uuid', 'version', 'serial', 'manufacturer', 'product', 'sku', 'family', 'base64'],
    }),
  ),
  sockets: maybe(whole(1)),
  tablet: maybe(flag),
  tags: maybe(tagList),
  vga: maybe(text({ keys: ['', 'type', 'memory', 'clipboard'], pattern: /^(?!.*memory=(?!\d{1,3}(?:,|$)))/ })),
  tpmstate0: maybe(text({ keys: ['', 'file', 'size', 'version', 'format', 'import-from'] })),
  efidisk0: maybe(text({ keys: ['', 'file', 'efitype', 'format', 'size', 'pre-enrolled-keys', 'import-from'] })),
  'hostpci[n]': maybe(
    text({ keys: ['', 'host', 'mapping', 'mdev', 'pcie', 'x-vga', 'rombar', 'romfile', 'legacy-igd', 'ramfb'] }),
  ),
  'ide[n]': maybe(text({ keys: diskKeys })),
  'ipconfig[n]': maybe(text({ keys: ['ip', 'gw', 'ip6', 'gw6'] })),
  'net[n]': maybe(text({ keys: netKeys })),
  'numa[n]': maybe(text({ keys: ['cpus', 'hostnodes', 'memory', 'policy'] })),
  'scsi[n]': maybe(text({ keys: diskKeys })),
  'serial[n]': maybe(text({ pattern: /^(?:\/dev\/[^,]+|socket)$/ })),
}

/**
 * The calls that the provider makes, with the names, types, limits and privileges from the documentation of Proxmox VE 9 (pve-docs 9.1.3,
 * API viewer). The table contains only the guest options that the provider sets.
 */
export const apiMethods: Readonly<Record<string, ApiMethod>> = {
  'GET /version': { parameters: {} },
  'GET /access/permissions': { parameters: { path: maybe(text()), userid: maybe(text()) } },
  'GET /cluster/resources': { parameters: { type: maybe(enumRule('vm', 'storage', 'node', 'sdn')) } },
  'GET /cluster/ha/status/manager_status': { parameters: {}, needs: [{ path: '/', anyOf: ['Sys.Audit'] }] },
  'GET /cluster/firewall/groups': { parameters: {} },
  'POST /access/ticket': { parameters: { username: text(), password: text() } },
  'GET /nodes/{node}/status': {
    parameters: {},
    needs: [{ path: '/nodes/{node}', anyOf: ['Sys.Audit'] }],
    isProxied: true,
  },
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
    parameters: { ...guestOptions, delete: maybe(text()) },
    needs: [
      {
        path: '/vms/{vmid}',
        anyOf: [
          ...['VM.Config.CPU', 'VM.Config.Memory', 'VM.Config.Network', 'VM.Config.Options', 'VM.Config.HWType'],
          ...['VM.Config.Disk', 'VM.Config.CDROM', 'VM.Config.Cloudinit'],
        ],
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
  'GET /nodes/{node}/storage/{storage}/content': {
    parameters: { content: maybe(text()), vmid: maybe(vmid) },
    needs: [{ path: '/storage/{storage}', anyOf: ['Datastore.Audit', 'Datastore.AllocateSpace'] }],
    isProxied: true,
  },
  'POST /nodes/{node}/storage/{storage}/download-url': {
    parameters: {
      content: enumRule('iso', 'vztmpl', 'import'),
      filename: text({ maxLength: 255 }),
      url: text({ pattern: /^https?:\/\/.*/ }),
      checksum: maybe(text()),
      'checksum-algorithm': maybe(enumRule('md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512')),
      compression: maybe(text()),
      'verify-certificates': maybe(flag),
    },
    needs: [
      { path: '/storage/{storage}', anyOf: ['Datastore.AllocateTemplate'] },
      { path: '/nodes/{node}', anyOf: ['Sys.AccessNetwork'] },
    ],
    isProxied: true,
  },
  'POST /nodes/{node}/storage/{storage}/upload': {
    parameters: {
      content: enumRule('iso', 'vztmpl', 'import'),
      filename: text({ maxLength: 255 }),
      checksum: maybe(text()),
      'checksum-algorithm': maybe(enumRule('md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512')),
    },
    needs: [{ path: '/storage/{storage}', anyOf: ['Datastore.AllocateTemplate'] }],
    isProxied: true,
  },
  'DELETE /nodes/{node}/storage/{storage}/content/{volume}': {
    parameters: { delay: maybe(whole(1, 30)) },
    // Proxmox checks this privilege only in the task.
    needs: [{ path: '/storage/{storage}', anyOf: ['Datastore.Allocate'] }],
    isProxied: true,
  },
  'POST /nodes/{node}/qemu': {
    parameters: { ...guestOptions, vmid, pool: maybe(poolId), storage: maybe(storageId), template: maybe(flag) },
    isProxied: true,
  },
  [`POST ${GUEST}/template`]: { parameters: { disk: maybe(text()) }, needs: vm('VM.Allocate'), isProxied: true },
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
