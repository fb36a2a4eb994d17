import type { Milliseconds } from '@kerf/apis'
import type { OfferingPattern } from '@kerf/provider-contract'
import { isMeantBy } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { parseDescription } from '../../guests/guest-description.ts'
import { FakeRefusal } from './fake-refusal.ts'
import {
  diskStorageOn,
  type FakeGuest,
  type FakeNode,
  type FakeStorage,
  fileStorageOn,
  GIB,
  hypervisor,
  templateConfig,
} from './fake-state.ts'
import { FakeTasks } from './fake-tasks.ts'

/** How long the fake's tasks take, and how late its statistics are. */
export interface FakeTimes {
  readonly clone: Milliseconds
  readonly start: Milliseconds
  readonly stop: Milliseconds
  readonly destroy: Milliseconds
  /** For how long the list lacks the name, status and size of a new guest. */
  readonly statistics: Milliseconds
}

export interface FakeClusterOptions {
  readonly nodes?: readonly FakeNode[]
  readonly times?: Partial<FakeTimes>
}

export const FAKE_USER = 'kerf@pve!kerf'
const INSTANT: FakeTimes = { clone: 0, start: 0, stop: 0, destroy: 0, statistics: 0 }
const TEMPLATE = 9_000

/** The state of a fake Proxmox cluster: hypervisors, each with a template and a storage, and guests, pools and tasks. */
export class FakeCluster {
  readonly clock: Clock
  readonly tasks: FakeTasks
  readonly guests = new Map<number, FakeGuest>()
  nodes: readonly FakeNode[]
  storages: readonly FakeStorage[]
  pools: readonly string[] = ['kubernetes', 'other']
  /** The URLs from which downloads fail. */
  readonly brokenUrls = new Set<string>()
  /** The contents of uploaded files, by hypervisor and volume. */
  readonly files = new Map<string, Buffer>()
  readonly #volumes = new Map<string, Set<string>>()
  times: FakeTimes
  /** The offerings for which clones fail for lack of space. */
  full: readonly OfferingPattern[] = []
  /** Called when a guest has started. */
  onStarted: (guest: FakeGuest) => void = () => undefined
  /** Called when a guest starts to shut down. */
  onStopping: (guest: FakeGuest) => void = () => undefined
  /** Returns the reason why a task cannot destroy a guest, or undefined if it can. */
  onDestroy: (guest: FakeGuest) => string | undefined = () => undefined
  /** Called when a guest has been destroyed. */
  onDestroyed: (guest: FakeGuest) => void = () => undefined
  /** Called when a clone task starts. Tests use it, for example, to take the ID. */
  onClone: (vmid: number) => void = () => undefined

  constructor(
    clock: Clock,
    { nodes = [hypervisor('pve-1'), hypervisor('pve-2')], times = {} }: FakeClusterOptions = {},
  ) {
    this.clock = clock
    this.tasks = new FakeTasks(clock)
    this.nodes = nodes
    this.storages = nodes.flatMap(({ name }) => [diskStorageOn(name), fileStorageOn(name)])
    this.times = { ...INSTANT, ...times }
    for (const [index, { name: node }] of nodes.entries()) {
      const vmid = TEMPLATE + index
      this.put({ vmid, node, config: templateConfig(vmid) })
    }
  }

  /** Adds a guest. */
  put(
    guest: Pick<FakeGuest, 'vmid' | 'node' | 'config'> & Partial<FakeGuest>,
    age: Milliseconds = 3_600_000,
  ): FakeGuest {
    const made: FakeGuest = {
      ...{ status: 'stopped', createdAt: this.clock.now() - age, pool: undefined, hasFirewall: false },
      ...{ rules: [], isEnding: false },
      ...guest,
    }
    this.guests.set(made.vmid, made)
    return made
  }

  /** @throws FakeRefusal if the guest does not exist on the hypervisor */
  guest(node: string, vmid: number): FakeGuest {
    const found = this.guests.get(vmid)
    if (found?.node === node) return found
    throw new FakeRefusal(500, `Configuration file 'nodes/${node}/qemu-server/${vmid}.conf' does not exist`)
  }

  /** Returns the guests that are not templates. */
  instances(): readonly FakeGuest[] {
    return [...this.guests.values()].filter(({ config }) => config['template'] !== 1)
  }

  /** Returns the images and ISO files of a storage. */
  volumesOn(node: string, storage: string): Set<string> {
    const key = `${node}/${storage}`
    const known = this.#volumes.get(key) ?? new Set()
    this.#volumes.set(key, known)
    return known
  }

  change(name: string, change: Partial<FakeNode>): void {
    this.nodes = this.nodes.map((node) => (node.name === name ? { ...node, ...change } : node))
  }

  fill(storage: string, node: string): void {
    this.storages = this.storages.map((each) =>
      each.name === storage && each.node === node ? { ...each, used: each.total } : each,
    )
  }

  /** Throws Proxmox's lock error if a task has locked the guest. */
  checkLock({ config, vmid }: FakeGuest): void {
    if (config['lock'] !== undefined) throw new FakeRefusal(500, `VM is locked (${config['lock']})`)
    if (this.guests.get(vmid)?.isEnding === true)
      throw new FakeRefusal(500, `can't lock file '/var/lock/qemu-server/lock-${vmid}.conf' - got timeout`)
  }

  /** Returns the reason why there is no space for a clone, or undefined if there is enough. */
  spaceProblem(node: string, storage: string, description: string): string | undefined {
    const { instanceType = '', capacityType = '' } = parseDescription(description) ?? {}
    const offering = { instanceType, capacityType, zone: node }
    const here = this.storages.find((each) => each.name === storage && each.node === node)
    const isFull = here !== undefined && here.total - here.used < 3 * GIB
    return isFull || this.full.some((pattern) => isMeantBy(pattern, offering))
      ? 'clone failed: lvcreate error: no space left on thin pool'
      : undefined
  }
}
