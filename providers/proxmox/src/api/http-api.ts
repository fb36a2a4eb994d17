import { providerErrors } from '@kerf/provider-contract'
import type { GuestRef, ProxmoxApi } from './proxmox-api.ts'
import type { Transport } from './transport.ts'
import { upidNode } from './upid.ts'

const guestPath = ({ node, vmid }: GuestRef): string => `/nodes/${encodeURIComponent(node)}/qemu/${vmid}`

const storagePath = (node: string, storage: string): string =>
  `/nodes/${encodeURIComponent(node)}/storage/${encodeURIComponent(storage)}`

/** Returns the ID of the task that a call started, or undefined if there was nothing to do. */
const upidIn = (data: unknown): string | undefined => (typeof data === 'string' && data !== '' ? data : undefined)

const begun = (data: unknown, call: string): string => {
  const upid = upidIn(data)
  if (upid === undefined) throw providerErrors.IncompleteAnswer({ problem: `Proxmox returned no task for ${call}` })
  return upid
}

/** Returns a client for one Proxmox cluster (`providers/proxmox/docs/spec/proxmox.md#api-calls`). */
export const httpApi = (transport: Transport): ProxmoxApi => {
  // The types of the responses come from Proxmox's schema.
  const get = async <T>(path: string, signal: AbortSignal, parameters = {}): Promise<T> =>
    (await transport.call('GET', path, parameters, signal)) as T
  const list = async <T>(path: string, signal: AbortSignal, parameters = {}): Promise<readonly T[]> =>
    (await get<readonly T[] | undefined>(path, signal, parameters)) ?? []
  const { call } = transport
  return {
    permissions: async (signal) => (await get('/access/permissions', signal)) ?? {},
    resources: (signal) => list('/cluster/resources', signal),
    haStatus: async (signal) => (await get('/cluster/ha/status/manager_status', signal)) ?? {},
    securityGroups: (signal) => list('/cluster/firewall/groups', signal),
    nodeStatus: (node, signal) => get(`/nodes/${encodeURIComponent(node)}/status`, signal),
    bridges: (node, signal) => list(`/nodes/${encodeURIComponent(node)}/network`, signal, { type: 'any_bridge' }),
    config: (guest, signal) => get(`${guestPath(guest)}/config`, signal),
    status: (guest, signal) => get(`${guestPath(guest)}/status/current`, signal),
    clone: async (template, request, signal) =>
      begun(await call('POST', `${guestPath(template)}/clone`, { ...request }, signal), 'clone'),
    resize: async (guest, disk, size, signal) =>
      upidIn(await call('PUT', `${guestPath(guest)}/resize`, { disk, size: `${size}G` }, signal)),
    configure: async (guest, options, signal) => {
      await call('PUT', `${guestPath(guest)}/config`, options, signal)
    },
    attachDisk: async (guest, volume = 'none', tags, signal) => {
      await call('PUT', `${guestPath(guest)}/config`, { ide2: `${volume},media=cdrom`, tags }, signal)
    },
    regenerateCloudInit: async (guest, signal) => {
      await call('PUT', `${guestPath(guest)}/cloudinit`, {}, signal)
    },
    start: async (guest, signal) => begun(await call('POST', `${guestPath(guest)}/status/start`, {}, signal), 'start'),
    stop: async (guest, signal) => begun(await call('POST', `${guestPath(guest)}/status/stop`, {}, signal), 'stop'),
    destroy: async (guest, signal) =>
      begun(
        await call('DELETE', guestPath(guest), { purge: true, 'destroy-unreferenced-disks': true }, signal),
        'delete',
      ),
    task: (upid, signal) =>
      get(`/nodes/${encodeURIComponent(upidNode(upid))}/tasks/${encodeURIComponent(upid)}/status`, signal),
    firewallRules: (guest, signal) => list(`${guestPath(guest)}/firewall/rules`, signal),
    addFirewallRule: async (guest, rule, signal) => {
      await call('POST', `${guestPath(guest)}/firewall/rules`, { ...rule }, signal)
    },
    removeFirewallRule: async (guest, position, signal) => {
      await call('DELETE', `${guestPath(guest)}/firewall/rules/${position}`, {}, signal)
    },
    enableFirewall: async (guest, signal) => {
      await call('PUT', `${guestPath(guest)}/firewall/options`, { enable: true, policy_in: 'DROP' }, signal)
    },
    addToPool: async (poolid, vmid, signal) => {
      await call('PUT', '/pools', { poolid, vms: `${vmid}`, 'allow-move': true }, signal)
    },
    removeFromPool: async (poolid, vmid, signal) => {
      await call('PUT', '/pools', { poolid, vms: `${vmid}`, delete: true }, signal)
    },
    volumes: (node, storage, content, signal) => list(`${storagePath(node, storage)}/content`, signal, { content }),
    downloadImage: async (node, storage, request, signal) =>
      begun(
        await call('POST', `${storagePath(node, storage)}/download-url`, { ...request, content: 'import' }, signal),
        'download-url',
      ),
    deleteVolume: async (node, storage, volume, signal) =>
      upidIn(await call('DELETE', `${storagePath(node, storage)}/content/${encodeURIComponent(volume)}`, {}, signal)),
    uploadIso: async (node, storage, file, signal) =>
      begun(await transport.upload(`${storagePath(node, storage)}/upload`, { content: 'iso' }, file, signal), 'upload'),
    createGuest: async (node, options, signal) =>
      begun(await call('POST', `/nodes/${encodeURIComponent(node)}/qemu`, options, signal), 'create'),
    convertToTemplate: async (guest, signal) => upidIn(await call('POST', `${guestPath(guest)}/template`, {}, signal)),
  }
}
