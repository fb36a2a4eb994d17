import { intAt } from '../column.ts'
import type { HostId } from '../model/ids.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import { SparseColumn } from '../sparse-column.ts'
import type { ClusterCounts } from './cluster-counts.ts'
import { HostCounts } from './host-counts.ts'

/** Returns whether a domain is allowed; `undefined` allows all domains. */
export const isAllowed = (allowed: Uint8Array | undefined, domain: number): boolean =>
  allowed === undefined || allowed[domain] === 1

/**
 * The number of pods that each topology group counts, by domain and by host. A decision starts with the counts of the cluster. It copies
 * the counts of a group before it changes them for the first time.
 */
export class GroupCounts {
  /** The counts of the groups in which this decision has counted a pod. Other groups have no entry. */
  readonly #counts: SparseColumn<Int32Array<ArrayBuffer>>
  readonly #registered: SparseColumn<Uint8Array<ArrayBuffer>>
  readonly #hosts: SparseColumn<HostCounts>
  readonly #cluster: ClusterCounts
  /** Incremented by every change. */
  version = 0

  constructor(cluster: ClusterCounts) {
    const groups = cluster.counts.length
    this.#cluster = cluster
    this.#counts = new SparseColumn(groups)
    this.#registered = new SparseColumn(groups)
    this.#hosts = new SparseColumn(groups)
  }

  /** Returns the number of pods by domain. */
  countsOf({ id }: TopologyGroup): Int32Array<ArrayBuffer> {
    return this.#counts.get(id) ?? this.#cluster.counts[id] ?? noGroup(id)
  }

  /** Returns, by domain, 1 if the domain is eligible for the group. */
  registeredOf({ id }: TopologyGroup): Uint8Array<ArrayBuffer> {
    return this.#registered.get(id) ?? this.#cluster.registered[id] ?? noGroup(id)
  }

  /** Returns the number of pods by host. */
  hostsOf({ id }: TopologyGroup): HostCounts {
    return this.#hosts.get(id) ?? this.#cluster.hosts[id] ?? noGroup(id)
  }

  /** Returns whether the group counts any pod in any domain. */
  hasPods(group: TopologyGroup): boolean {
    return group.isHost ? this.hostsOf(group).occupied > 0 : this.isOccupied(group, undefined)
  }

  /** Returns whether the group counts any pod in one of the allowed domains. */
  isOccupied(group: TopologyGroup, allowed: Uint8Array | undefined): boolean {
    const counts = this.countsOf(group)
    for (let domain = 0; domain < counts.length; domain++) {
      if (intAt(counts, domain, 'pods by domain') > 0 && isAllowed(allowed, domain)) return true
    }
    return false
  }

  addHost(group: TopologyGroup, host: HostId, amount = 1): void {
    let hosts = this.#hosts.get(group.id)
    if (hosts === undefined) {
      hosts = new HostCounts(this.hostsOf(group))
      this.#hosts.set(group.id, hosts)
    }
    hosts.add(host, amount)
    this.version++
  }

  add(group: TopologyGroup, domain: number, amount = 1): void {
    let counts = this.#counts.get(group.id)
    let registered = this.#registered.get(group.id)
    if (counts === undefined || registered === undefined) {
      counts = this.countsOf(group).slice()
      registered = this.registeredOf(group).slice()
      this.#counts.set(group.id, counts)
      this.#registered.set(group.id, registered)
    }
    counts[domain] = intAt(counts, domain, 'pods by domain') + amount
    registered[domain] = 1
    this.version++
  }
}

const noGroup = (id: number): never => {
  throw new RangeError(`no topology group ${id}`)
}
