import { groupVersion } from '@kerf/apis'
import { usualRetries } from '@kerf/provider-kit'
import {
  formatDescription,
  type GuestDescription,
  instanceTypes,
  ProxmoxProvider,
  parseDescription,
  providerId,
} from '@kerf/provider-proxmox'
import {
  proxmoxNodeClassDescriptor,
  proxmoxNodeClassKind,
  proxmoxTemplateResource,
  unmanagedTemplateKind,
  unmanagedTemplateResource,
} from '@kerf/provider-proxmox/node-class'
import {
  FakeCluster,
  type FakeGuest,
  FakeProxmox,
  fakeApi,
  hypervisor,
  registeredNode,
  testTypes,
} from '@kerf/provider-proxmox/testing'
import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { priceIn } from '../../../../tests/simulation/environment/clouds/price-in.ts'
import { InstanceKubelets } from '../../../../tests/simulation/environment/instance-kubelets.ts'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'
import { picked } from '../../../../tests/simulation/environment/tolerant-calls.ts'
import { faultySend } from './proxmox-calls.ts'
import type { ProxmoxFault } from './proxmox-fault.ts'
import { HYPERVISORS, REGION } from './proxmox-names.ts'

const TIMES = { clone: 8_000, start: 1_000, stop: 1_000, destroy: 2_000, statistics: 10_000 }
const CLUSTER = 'demo'
const FIRST_ID = 20_000

const OTHERS: GuestDescription = {
  ...{ cluster: 'other', nodeClass: 'default', nodePool: 'open', nodeClaim: 'theirs', nodeClaimUid: 'u-1' },
  ...{ instanceType: 's1.2VCPU-8GB', capacityType: 'on-demand', cpus: 2, memoryMiB: 8_192, imageId: '9000-1' },
  createdAt: '2026-01-01T00:00:00Z',
}

/**
 * Four guests that do not belong to this Kerf. The first belongs to another Kubernetes cluster. Karpenter's provider launched the second.
 * The third has this cluster's tags but no description. The fourth has neither.
 */
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { name: 'theirs', description: formatDescription(OTHERS) },
  { name: 'old', description: 'Karpenter managed instance, class=default, capacity-type=on-demand' },
  { name: 'tagged', tags: `karpenter;karpenter-${CLUSTER}` },
  { name: 'database' },
]

/** Creates a simulated Proxmox cluster with three hypervisors, on which guests of other owners are running. */
export const proxmoxCloud = (host: CloudHost): Cloud<ProxmoxFault> => {
  const { clock, admin, listeners, interrupted, shortages } = host
  const cluster = new FakeCluster(clock, { nodes: HYPERVISORS.map((name) => hypervisor(name)), times: TIMES })
  const fake = new FakeProxmox(cluster)
  const idOf = ({ vmid }: FakeGuest): string => providerId({ region: REGION, vmid })
  const foreign = new Set(
    FOREIGN.map((config, index) =>
      idOf(
        cluster.put({ vmid: FIRST_ID + 3 * index, node: 'pve-1', config: { ...config, cores: 2 }, status: 'running' }),
      ),
    ),
  )
  const uidOf = ({ config }: FakeGuest): string | undefined =>
    parseDescription(String(config['description'] ?? ''))?.nodeClaimUid
  /** The owner of a guest that is being cloned is not known yet. */
  const own = (): readonly FakeGuest[] =>
    cluster.instances().filter((guest) => !foreign.has(idOf(guest)) && uidOf(guest) !== undefined)
  const runningOnes = (): readonly FakeGuest[] => own().filter(({ isEnding }) => !isEnding)
  const live = (guest: FakeGuest): LiveInstance => ({ providerID: idOf(guest), claimUid: uidOf(guest) ?? '' })
  const nameOf = ({ config }: FakeGuest): string => String(config['name'])
  const kubelets = new InstanceKubelets({
    ...{ client: admin, clock, random: host.random.fork('proxmox') },
    silence: (name) => host.silence(name),
    neverRegisters: () => host.neverRegisters(),
    nodeOf: (id) => {
      const guest = runningOnes().find((each) => idOf(each) === id && each.status === 'running')
      return guest && registeredNode(REGION, guest)
    },
  })
  cluster.onStarted = (guest) => kubelets.boot(idOf(guest))
  cluster.onStopping = (guest) => {
    listeners.terminating(idOf(guest))
    kubelets.end(nameOf(guest), 0)
  }
  const over = new Set<() => void>()
  const lasts = (duration: number, ...ends: readonly (() => void)[]): void => {
    const end = (): void => {
      if (over.delete(end)) for (const each of ends) each()
    }
    over.add(end)
    clock.timer(duration, end)
  }
  const inject = (fault: ProxmoxFault): void => {
    switch (fault.kind) {
      case 'proxmox-unreachable':
        cluster.change(fault.node, { isOnline: false })
        lasts(fault.duration, shortages.begin(), () => cluster.change(fault.node, { isOnline: true }))
        return
      case 'proxmox-maintenance':
        cluster.change(fault.node, { isInMaintenance: true })
        lasts(fault.duration, shortages.begin(), () => cluster.change(fault.node, { isInMaintenance: false }))
        return
      case 'proxmox-storage-full': {
        const all = {}
        cluster.full = [...cluster.full, all]
        lasts(fault.duration, shortages.begin(), () => {
          cluster.full = cluster.full.filter((each) => each !== all)
        })
        return
      }
      case 'proxmox-ids-taken': {
        let left = fault.times
        cluster.onClone = (vmid) => {
          if (left <= 0) return
          left--
          foreign.add(idOf(cluster.put({ vmid, node: 'pve-3', config: { name: `taken-${vmid}` }, status: 'running' })))
        }
        return
      }
      case 'proxmox-slow-clones':
        cluster.times = { ...cluster.times, clone: fault.takes }
        lasts(fault.duration, shortages.begin(), () => {
          cluster.times = { ...cluster.times, clone: TIMES.clone }
        })
        return
      case 'proxmox-token-expired': {
        fake.isTokenExpired = true
        lasts(fault.duration, shortages.begin(), () => {
          fake.isTokenExpired = false
        })
      }
    }
  }
  return {
    foreignInstances: foreign,
    collectsLeaks: true,
    resources: [proxmoxNodeClassDescriptor.resource, unmanagedTemplateResource, proxmoxTemplateResource],
    prepare: async (client) => {
      await client.create(unmanagedTemplateKind, {
        ...{ apiVersion: groupVersion(unmanagedTemplateKind), kind: 'ProxmoxUnmanagedTemplate' },
        ...{ metadata: { name: 'default' }, spec: { templateName: 'talos' } },
      })
      await client.create(proxmoxNodeClassKind, proxmoxNodeClassDescriptor.example)
    },
    provider: (context, handle) => {
      const send = faultySend(handle, fake.send, (call) => {
        listeners.cloudCall(call)
        return host.failureOf(call)
      })
      const api = fakeApi(fake, context.clock, { send, retries: usualRetries })
      return {
        provider: new ProxmoxProvider(context, {
          ...{ apis: new Map([[REGION, api]]), types: testTypes, cluster: CLUSTER, firstId: FIRST_ID },
          ...{ prefersLinked: false, allowsCloudInit: false },
        }),
      }
    },
    billed: () => own().map(live),
    running: () => runningOnes().map(live),
    priceOf: (claim) => priceIn(allTypes, claim),
    stockOut: (selector) => {
      cluster.full = [...cluster.full, selector]
      return () => {
        cluster.full = cluster.full.filter((each) => each !== selector)
      }
    },
    kill: (pick) => {
      const guest = picked(runningOnes(), pick)
      if (guest === undefined) return
      interrupted.add(idOf(guest))
      cluster.guests.delete(guest.vmid)
      kubelets.end(nameOf(guest), 0)
    },
    interrupt: () => {},
    recover: () => {
      for (const end of [...over]) end()
      cluster.full = []
      cluster.onClone = () => undefined
    },
    isGone: (name) => kubelets.isGone(name),
    inject,
    takenFromOthers: () => {
      const there = new Set(cluster.instances().map(idOf))
      return [...foreign].filter((id) => !there.has(id)).map((id) => `${id} is gone`)
    },
  }
}

const allTypes = instanceTypes(
  testTypes,
  {},
  { zones: HYPERVISORS.map((zone) => ({ region: REGION, zone })), isAvailable: () => true },
)
