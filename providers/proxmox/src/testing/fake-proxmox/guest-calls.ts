import { FAKE_USER, type FakeCluster } from './fake-cluster.ts'
import { FakeRefusal } from './fake-refusal.ts'
import type { FakeConfig, FakeGuest } from './fake-state.ts'

/** A call to the fake: its path parameters, and its query or form parameters. */
export interface FakeCall {
  readonly cluster: FakeCluster
  readonly path: Readonly<Record<string, string>>
  readonly given: ReadonlyMap<string, string>
  /** The content of an uploaded file. */
  readonly file?: Buffer | undefined
  /** @throws FakeRefusal if the token lacks the privilege at the path */
  readonly require: (path: string, privilege: string) => void
  /** Whether the caller is `root@pam` with a ticket. */
  readonly isRoot: boolean
}

const guestIn = ({ cluster, path }: FakeCall): FakeGuest =>
  cluster.guest(path['node'] ?? '', Number(path['vmid'] ?? Number.NaN))
const isOn = (value: string | undefined): boolean => /^(?:1|on|yes|true)$/i.test(value ?? '')
const node = ({ path }: FakeCall): string => path['node'] ?? ''

const begin = ({ cluster, path }: FakeCall, type: string, duration: number, finish: () => string): string =>
  cluster.tasks.begin({ node: path['node'] ?? '', type, vmid: Number(path['vmid']), user: FAKE_USER }, duration, finish)

const digits = (vmid: number): string => vmid.toString(16).padStart(12, '0')

/** Returns the options of a clone: the template's options, with new disks, addresses and identity. */
const clonedConfig = (template: FakeGuest, given: ReadonlyMap<string, string>, storage: string): FakeConfig => {
  const vmid = Number(given.get('newid'))
  const config: FakeConfig = {}
  for (const [option, value] of Object.entries(template.config)) {
    if (option === 'template' || option === 'meta' || option === 'description') continue
    const text = String(value)
    if (/^net\d+$/.test(option)) config[option] = text.replace(/=[0-9A-F:]{17}/, `=BC:24:11:${(vmid % 90) + 10}:00:01`)
    else if (/base-\d+-disk/.test(text)) config[option] = text.replace(/^[^:]+:base-\d+/, `${storage}:vm-${vmid}`)
    else config[option] = value
  }
  const description = given.get('description')
  return {
    ...config,
    name: given.get('name') ?? `VM ${vmid}`,
    ...(description === undefined ? {} : { description: `${description}\n` }),
    smbios1: `uuid=00000000-0000-4000-8000-${digits(vmid)}`,
    meta: `creation-qemu=9.2.0,ctime=${Math.floor(template.createdAt / 1_000)}`,
  }
}

const bridgesOf = ({ config }: FakeGuest): readonly string[] =>
  Object.entries(config).flatMap(([option, value]) =>
    /^net\d+$/.test(option) ? (/bridge=([^,]+)/.exec(String(value))?.[1] ?? []) : [],
  )

/** The privilege that each kind of option requires. The call itself requires at least one of them. */
const OPTION_PRIVILEGES: readonly (readonly [RegExp, string])[] = [
  [/^(?:cores|sockets|cpu|numa\d*)$/, 'VM.Config.CPU'],
  [/^(?:memory|balloon)$/, 'VM.Config.Memory'],
  [/^(?:net|ipconfig)\d+$|^nameserver$/, 'VM.Config.Network'],
  [/^(?:smbios1|machine|vga|serial\d|hostpci\d)$/, 'VM.Config.HWType'],
  [/^(?:tags|description|onboot|agent|boot)$/, 'VM.Config.Options'],
]

const TAKEN = (vmid: number): string => `unable to create VM ${vmid}: config file already exists`

export const cloneGuest = (call: FakeCall): string => {
  const { cluster, given } = call
  const template = guestIn(call)
  cluster.checkLock(template)
  const vmid = Number(given.get('newid'))
  if (cluster.guests.has(vmid)) throw new FakeRefusal(500, TAKEN(vmid))
  const pool = given.get('pool')
  if (pool !== undefined && !cluster.pools.includes(pool))
    throw new FakeRefusal(403, `Permission check failed (pool '${pool}' does not exist)`)
  const isFull = isOn(given.get('full') ?? (template.config['template'] === 1 ? '0' : '1'))
  const own = String(template.config['scsi0'] ?? '').split(':')[0] ?? ''
  if (!isFull && given.has('storage')) throw new FakeRefusal(500, "parameter 'storage' not allowed for linked clones")
  const storage = given.get('storage') ?? own
  const target = cluster.storages.find((each) => each.name === storage)
  if (target === undefined) throw new FakeRefusal(500, `storage '${storage}' does not exist`)
  if (!target.contents.includes('images'))
    throw new FakeRefusal(500, `storage '${storage}' is not configured for content-type 'images'`)
  call.require(`/storage/${storage}`, 'Datastore.AllocateSpace')
  for (const bridge of bridgesOf(template)) call.require(`/sdn/zones/localnetwork/${bridge}`, 'SDN.Use')
  cluster.onClone(vmid)
  const isRaced = cluster.guests.has(vmid)
  if (!isRaced) cluster.put({ vmid, node: node(call), config: { lock: 'clone' }, pool }, 0)
  return begin(call, 'qmclone', isFull ? cluster.times.clone : 0, () => {
    const made = cluster.guests.get(vmid)
    if (isRaced || made === undefined) return TAKEN(vmid)
    const problem = cluster.guests.has(template.vmid)
      ? cluster.spaceProblem(node(call), storage, given.get('description') ?? '')
      : `clone failed: volume '${own}:base-${template.vmid}-disk-0' does not exist`
    if (problem !== undefined) {
      cluster.guests.delete(vmid)
      return problem
    }
    delete made.config['lock']
    Object.assign(made.config, clonedConfig(template, given, storage))
    return 'OK'
  })
}

export const configureGuest = (call: FakeCall): null => {
  const guest = guestIn(call)
  call.cluster.checkLock(guest)
  for (const option of call.given.keys()) {
    if (option === 'affinity' && !call.isRoot) throw new FakeRefusal(500, `only root can set '${option}' config`)
    const [, privilege] = OPTION_PRIVILEGES.find(([pattern]) => pattern.test(option)) ?? []
    if (privilege !== undefined) call.require(`/vms/${guest.vmid}`, privilege)
  }
  const disc = call.given.get('ide2')?.split(',')[0] ?? 'none'
  const [discStorage = ''] = disc.split(':')
  if (call.given.has('ide2')) call.require(`/vms/${guest.vmid}`, 'VM.Config.CDROM')
  if (disc !== 'none' && !call.cluster.volumesOn(node(call), discStorage).has(disc))
    throw new FakeRefusal(500, `volume '${disc}' does not exist`)
  for (const [option, value] of call.given) {
    if (option === 'delete') for (const gone of value.split(',')) delete guest.config[gone]
    else guest.config[option] = /^(?:cores|sockets|memory)$/.test(option) ? Number(value) : value
  }
  return null
}

const GIBIBYTES = /size=(\d+)G/

export const resizeDisk = (call: FakeCall): string => {
  const guest = guestIn(call)
  call.cluster.checkLock(guest)
  const [disk, size] = [call.given.get('disk') ?? '', call.given.get('size') ?? '']
  const value = String(guest.config[disk] ?? '')
  if (value === '') throw new FakeRefusal(500, `disk '${disk}' does not exist`)
  return begin(call, 'resize', 0, () => {
    const [before, wanted] = [Number(GIBIBYTES.exec(value)?.[1]), Number.parseInt(size, 10)]
    if (wanted < before) return 'shrinking disks is not supported'
    guest.config[disk] = value.replace(GIBIBYTES, `size=${size}`)
    return 'OK'
  })
}

/** Returns the reason why Proxmox does not start a guest with these NUMA nodes (`PVE::QemuServer::Memory::config`). */
const numaProblem = ({ config }: FakeGuest, hostNodes: readonly number[]): string | undefined => {
  const nodes = Object.entries(config).flatMap(([option, value]) => (/^numa\d+$/.test(option) ? [String(value)] : []))
  const missing = nodes.map((node) => Number(/hostnodes=(\d+)/.exec(node)?.[1])).find((id) => !hostNodes.includes(id))
  if (missing !== undefined) return `host NUMA node${missing} doesn't exist`
  const total = nodes.reduce((sum, node) => sum + Number(/memory=(\d+)/.exec(node)?.[1] ?? 0), 0)
  return nodes.length > 0 && total !== config['memory']
    ? 'total memory for NUMA nodes must be equal to vm static memory'
    : undefined
}

export const startGuest = (call: FakeCall): string => {
  const guest = guestIn(call)
  call.cluster.checkLock(guest)
  // Proxmox performs this check only in the task (`PVE::QemuServer::vm_start`).
  return begin(call, 'qmstart', call.cluster.times.start, () => {
    if (guest.status === 'running') return `VM ${guest.vmid} already running`
    const problem = numaProblem(guest, call.cluster.nodes.find(({ name }) => name === guest.node)?.numaNodes ?? [])
    if (problem !== undefined) return problem
    guest.status = 'running'
    call.cluster.onStarted(guest)
    return 'OK'
  })
}

export const stopGuest = (call: FakeCall): string => {
  const guest = guestIn(call)
  call.cluster.checkLock(guest)
  call.cluster.onStopping(guest)
  return begin(call, 'qmstop', call.cluster.times.stop, () => {
    guest.status = 'stopped'
    return 'OK'
  })
}

export const destroyGuest = (call: FakeCall): string => {
  const guest = guestIn(call)
  const { cluster } = call
  cluster.checkLock(guest)
  if (guest.status === 'running') throw new FakeRefusal(500, `VM ${guest.vmid} is running - destroy failed`)
  if (guest.config['protection'] === 1)
    throw new FakeRefusal(500, `can't remove VM ${guest.vmid} - protection mode enabled`)
  guest.isEnding = true
  return begin(call, 'qmdestroy', cluster.times.destroy, () => {
    const problem = cluster.onDestroy(guest)
    if (problem !== undefined) {
      guest.isEnding = false
      return problem
    }
    cluster.guests.delete(guest.vmid)
    cluster.onDestroyed(guest)
    return 'OK'
  })
}

export const guestStatus = (call: FakeCall): object => {
  const { status, config, vmid } = guestIn(call)
  const { lock } = config
  return { status, vmid, ...(lock === undefined ? {} : { lock }) }
}

export const guestConfig = (call: FakeCall): object => ({ ...guestIn(call).config, digest: '0'.repeat(40) })

export const firewallRules = (call: FakeCall): readonly object[] =>
  guestIn(call).rules.map((rule, pos) => ({ ...rule, pos }))

export const addRule = (call: FakeCall): null => {
  const { given } = call
  const rule = {
    ...{ type: given.get('type') ?? '', action: given.get('action') ?? '' },
    ...{ iface: given.get('iface') ?? '', enable: Number(given.get('enable') ?? 0) },
  }
  // Without a position, Proxmox inserts a new rule at the beginning.
  guestIn(call).rules.unshift(rule)
  return null
}

export const removeRule = (call: FakeCall): null => {
  guestIn(call).rules.splice(Number(call.path['pos']), 1)
  return null
}

export const setFirewall = (call: FakeCall): null => {
  guestIn(call).hasFirewall = isOn(call.given.get('enable'))
  return null
}

export const changePool = ({ cluster, given }: FakeCall): null => {
  const pool = given.get('poolid') ?? ''
  if (!cluster.pools.includes(pool)) throw new FakeRefusal(500, `pool '${pool}' does not exist`)
  for (const vmid of (given.get('vms') ?? '').split(',').map(Number)) {
    const guest = cluster.guests.get(vmid)
    if (guest === undefined) throw new FakeRefusal(500, `VM ${vmid} does not exist`)
    guest.pool = isOn(given.get('delete')) ? undefined : pool
  }
  return null
}
