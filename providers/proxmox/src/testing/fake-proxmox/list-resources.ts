import type { FakeCall } from './guest-calls.ts'

/** Implements `cluster/resources`: hypervisors, storages and guests. The statistics of new guests and of dead hypervisors are missing. */
export const listResources = ({ cluster }: FakeCall): readonly object[] => [
  ...cluster.nodes.map(({ name, isOnline, cpus, memory, load }) => ({
    ...{ id: `node/${name}`, type: 'node', node: name, status: isOnline ? 'online' : 'offline' },
    ...{ maxcpu: cpus, maxmem: memory, ...(isOnline ? { cpu: load } : {}) },
  })),
  ...cluster.storages.map(({ name, node, contents, total, used }) => ({
    ...{ id: `storage/${node}/${name}`, type: 'storage', storage: name, node, content: contents.join(','), shared: 0 },
    ...{ status: isUp(cluster, node) ? 'available' : 'unknown', maxdisk: total, disk: used },
  })),
  ...[...cluster.guests.values()].map(({ vmid, node, config, status, createdAt, pool }) => {
    const { tags, lock, name, template = 0, cores = 1, sockets = 1, memory = 512 } = config
    const isKnown = isUp(cluster, node) && cluster.clock.now() - createdAt >= cluster.times.statistics
    return {
      ...{ id: `qemu/${vmid}`, type: 'qemu', vmid, node, status: isKnown ? status : 'unknown' },
      ...(tags === undefined ? {} : { tags }),
      ...(lock === undefined ? {} : { lock }),
      ...(pool === undefined ? {} : { pool }),
      ...(isKnown && name !== undefined
        ? { name, template, maxcpu: Number(cores) * Number(sockets), maxmem: Number(memory) * 1024 ** 2 }
        : {}),
    }
  }),
]

const isUp = ({ nodes }: FakeCall['cluster'], name: string): boolean =>
  nodes.some((node) => node.name === name && node.isOnline)

export const haStatus = ({ cluster }: FakeCall): object => ({
  lrm_status: Object.fromEntries(
    cluster.nodes.map(({ name, isInMaintenance }) => [name, { mode: isInMaintenance ? 'maintenance' : 'active' }]),
  ),
})

export const bridges = ({ cluster, path }: FakeCall): readonly object[] => {
  const { bridges: names = [], cidr } = cluster.nodes.find(({ name }) => name === path['node']) ?? {}
  return names.map((iface) => ({ iface, type: 'bridge', active: 1, ...(cidr === undefined ? {} : { cidr }) }))
}

export const nodeStatus = ({ cluster, path }: FakeCall): object => {
  const { cpus, cores, sockets, model, memory } = cluster.nodes.find(({ name }) => name === path['node']) ?? {}
  return { cpuinfo: { cpus, cores, sockets, model }, memory: { total: memory } }
}
