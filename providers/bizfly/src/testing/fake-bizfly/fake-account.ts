import { capacityTypes, formatTime, type Milliseconds } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import { isMeantBy } from '@kerf/provider-kit'
import { type Ending, Inventory } from '@kerf/provider-kit/testing'
import type { Clock } from '@kerf/runtime'
import type { Flavor, KubernetesVersion, ServerRequest } from '../../api/bizfly-api.ts'
import { NETWORK, ZONES } from './names.ts'

export interface FakeServer extends Ending {
  readonly id: string
  readonly name: string
  readonly flavor: string
  readonly zone: string
  readonly image: string
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Milliseconds
  /** In monotonic time. */
  readonly launchedAt: Milliseconds
  /** Until this monotonic time, lists omit the server. */
  readonly hiddenUntil: Milliseconds
  /** Until this monotonic time, the status is BUILD. */
  readonly buildsUntil: Milliseconds
  /** Whether the status becomes ERROR instead of ACTIVE. */
  readonly isBroken: boolean
  readonly rootDisk: string
}

export interface FakeAccountOptions {
  /** How long a creation takes. The default is 0. */
  readonly buildsFor?: Milliseconds
  /** How long a server stays listed after its deletion. The default is 4 s. */
  readonly stopsFor?: Milliseconds
  /** For how long lists omit a new server. The default is 0. */
  readonly listLag?: Milliseconds
}

const flavor = (name: string, vcpus: number, gib: number, category: string, more: Partial<Flavor> = {}): Flavor => ({
  ...{ name, vcpus, ram: gib * 1024, category, gpu: null, billing_plans: ['on_demand', 'saving_plan'] },
  ...more,
})

/** Flavors that are suitable for nodes, and some that are not. */
const FLAVORS: readonly Flavor[] = [
  flavor('p4a.1c_1g', 1, 1, 'premium'),
  flavor('p4a.2c_4g', 2, 4, 'premium'),
  flavor('p4a.4c_8g', 4, 8, 'premium'),
  flavor('p4a.8c_16g', 8, 16, 'premium'),
  flavor('p4a.16c_32g', 16, 32, 'premium'),
  flavor('p2.32c_128g', 32, 128, 'premium'),
  flavor('b2.2c_2g', 2, 2, 'basic'),
  flavor('nix.2c_2g_vps', 2, 2, 'premium'),
  flavor('4c_8g', 4, 8, 'premium'),
]

/**
 * The resources in the project: flavors, images, networks, stock, a quota, servers and disks. Tests change them like users and the cloud
 * would.
 */
export class FakeAccount {
  readonly clock: Clock
  readonly options: { -readonly [K in keyof FakeAccountOptions]-?: Required<FakeAccountOptions>[K] }
  readonly servers: Inventory<FakeServer>
  /** The IDs of root disks that still exist. */
  readonly disks = new Set<string>()
  flavors = FLAVORS
  networks: readonly string[] = [NETWORK, 'network-2']
  firewalls: readonly string[] = ['firewall-1']
  versions: readonly KubernetesVersion[] = [
    { kubernetes_version: 'v1.35.2', worker_image_id: 'image-1.35.2' },
    { kubernetes_version: 'v1.36.1', worker_image_id: 'image-1.36.1' },
    { kubernetes_version: 'v1.36.9.flatcar', worker_image_id: 'image-1.36.9-flatcar' },
  ]
  /** The offerings for which creations are refused. */
  outOfStock: readonly OfferingPattern[] = []
  /** The offerings for which creations fail after they were accepted. */
  failing: readonly OfferingPattern[] = []
  /** The maximum number of servers in the project. */
  quota = 10_000
  /** The names of nodes that have left the cluster. */
  readonly left: string[] = []
  /** Called for each created server. */
  onLaunched: (server: FakeServer) => void = () => undefined
  /** Called after Kerf has started to delete a server. */
  onReleased: (server: FakeServer) => void = () => undefined
  /** The IDs of servers, by the ID of their creation task. */
  readonly tasks = new Map<string, string>()
  #made = 0

  constructor(clock: Clock, { buildsFor = 0, stopsFor = 4_000, listLag = 0 }: FakeAccountOptions = {}) {
    this.clock = clock
    this.options = { buildsFor, stopsFor, listLag }
    // The API stops listing a server as soon as it is deleted.
    this.servers = new Inventory(clock, { visibleFor: 0 })
  }

  /** Returns the reason why a creation is refused, or undefined if it is not. */
  refusal({ flavor: instanceType, availability_zone: zone, os, vpc_network_ids }: ServerRequest): string | undefined {
    if (!this.flavors.some(({ name }) => name === instanceType)) return `flavor ${instanceType} not found`
    if (!ZONES.some((each) => each === zone)) return `availability zone ${zone} is invalid`
    if (!this.versions.some(({ worker_image_id }) => worker_image_id === os.id)) return `image ${os.id} not found`
    if (!vpc_network_ids.every((id) => this.networks.includes(id))) return 'network not found'
    if (this.servers.living().length >= this.quota) return 'Quota exceeded for instances'
    return this.#isMeant(this.outOfStock, instanceType, zone) ? 'No valid host was found' : undefined
  }

  create(request: ServerRequest): string {
    const { name, flavor: type, availability_zone: zone, os, metadata } = request
    const isBroken = this.#isMeant(this.failing, type, zone)
    const server = this.put({ name, flavor: type, zone, image: os.id, metadata, isBroken })
    const task = `task-${server.id}`
    this.tasks.set(task, server.id)
    this.onLaunched(server)
    return task
  }

  /** Adds a server with any owner. */
  put(server: Partial<FakeServer> & Pick<FakeServer, 'metadata'>, age: Milliseconds = 0): FakeServer {
    const now = this.clock.monotonic()
    const number = String(++this.#made).padStart(12, '0')
    const made: FakeServer = {
      id: `00000000-0000-4000-8000-${number}`,
      ...{ name: `server-${this.#made}`, flavor: 'p4a.2c_4g', zone: ZONES[0], image: 'image-1.36.1', isBroken: false },
      createdAt: this.clock.now() - age,
      launchedAt: now,
      hiddenUntil: now + (age > 0 ? 0 : this.options.listLag),
      buildsUntil: now + (age > 0 ? 0 : this.options.buildsFor),
      rootDisk: `disk-${number}`,
      ...server,
    }
    this.servers.set(made.id, made)
    this.disks.add(made.rootDisk)
    return made
  }

  /** Removes a server without an API call. */
  vanish(id: string): void {
    this.disks.delete(this.servers.get(id)?.rootDisk ?? '')
    this.servers.delete(id)
  }

  statusOf({ isBroken, buildsUntil }: FakeServer): string {
    if (buildsUntil > this.clock.monotonic()) return 'BUILD'
    return isBroken ? 'ERROR' : 'ACTIVE'
  }

  /** Returns the servers that the API lists. */
  listed(): readonly FakeServer[] {
    const now = this.clock.monotonic()
    return this.servers.living().filter(({ hiddenUntil }) => hiddenUntil <= now)
  }

  /** Starts the deletion of a server and the given disks. Returns false if the server does not exist. */
  delete(id: string, disks: readonly string[]): boolean {
    const server = this.listed().find((each) => each.id === id)
    if (server === undefined) return false
    for (const disk of disks) this.disks.delete(disk)
    if (server.endsAt === undefined) {
      this.servers.set(id, { ...server, endsAt: this.clock.monotonic() + this.options.stopsFor })
      this.onReleased(server)
    }
    return true
  }

  createdText({ createdAt }: FakeServer): string {
    // The API's times have a resolution of one second.
    return formatTime(createdAt).replace(/\.\d+Z$/, 'Z')
  }

  #isMeant(patterns: readonly OfferingPattern[], instanceType: string, zone: string): boolean {
    const capacityType = capacityTypes.onDemand
    return patterns.some((pattern) => isMeantBy(pattern, { capacityType, instanceType, zone }))
  }
}
