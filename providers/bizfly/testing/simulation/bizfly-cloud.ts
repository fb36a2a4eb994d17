import { labels } from '@kerf/apis'
import { BizflyProvider, METADATA, providerId } from '@kerf/provider-bizfly'
import {
  bizflyNodeClassDescriptor,
  bizflyNodeClassKind,
  bizflyNodeClassResource,
} from '@kerf/provider-bizfly/node-class'
import {
  apiOver,
  CLUSTER,
  FakeAccount,
  FakeBizfly,
  type FakeServer,
  fakeJoin,
  PASSWORD,
  REGION,
  registeredNode,
} from '@kerf/provider-bizfly/testing'
import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { InstanceKubelets } from '../../../../tests/simulation/environment/instance-kubelets.ts'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'
import { picked } from '../../../../tests/simulation/environment/tolerant-calls.ts'
import { bizflyCalls } from './bizfly-calls.ts'
import type { BizflyFault } from './bizfly-fault.ts'

const BUILDS_FOR = 8_000
const SLOWLY = 90_000
const LIST_LAG = 20_000
const AN_HOUR = 3_600_000

/**
 * The metadata of three servers that do not belong to this Kerf. The first belongs to another cluster, the second to one of this cluster's
 * node pools, and the third to no cluster.
 */
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { [METADATA.managed]: 'true', [METADATA.cluster]: 'another', [METADATA.nodePool]: 'open' },
  { [METADATA.cluster]: CLUSTER, bizfly_cloud_service: 'kubernetes_engine' },
  {},
]

/** The weights of the fake's premium flavors. */
const WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['p4a.1c_1g', 0.0165],
  ['p4a.2c_4g', 0.036],
  ['p4a.4c_8g', 0.072],
  ['p4a.8c_16g', 0.144],
  ['p4a.16c_32g', 0.288],
  ['p2.32c_128g', 0.672],
])

/** Creates a simulated Bizfly Kubernetes Engine on top of the provider's fake. */
export const bizflyCloud = (host: CloudHost): Cloud<BizflyFault> => {
  const { clock, listeners, interrupted, shortages } = host
  const account = new FakeAccount(clock, { buildsFor: BUILDS_FOR })
  const fake = new FakeBizfly(account)
  const calls = bizflyCalls(fake, (call) => {
    listeners.cloudCall(call)
    return host.failureOf(call)
  })
  const foreign = new Set(FOREIGN.map((metadata) => account.put({ metadata }, AN_HOUR).id))
  const own = (): readonly FakeServer[] => account.servers.living().filter(({ id }) => !foreign.has(id))
  const running = (): readonly FakeServer[] => own().filter(({ endsAt }) => endsAt === undefined)
  const kubelets = new InstanceKubelets({
    ...{ client: host.admin, clock, random: host.random.fork('bizfly') },
    silence: (name) => host.silence(name),
    neverRegisters: () => host.neverRegisters(),
    nodeOf: (id) => {
      const server = running().find((each) => each.id === id)
      return server === undefined || account.statusOf(server) !== 'ACTIVE' ? undefined : registeredNode(account, server)
    },
  })
  account.onLaunched = ({ id, buildsUntil, isBroken }) => {
    if (!isBroken) clock.timer(buildsUntil - clock.monotonic() + 1, () => kubelets.boot(id))
  }
  account.onReleased = ({ id, name }) => {
    listeners.terminating(providerId(id))
    kubelets.end(name, 0)
  }
  /** Functions that end the active faults. */
  const over = new Set<() => void>()
  const lasts = (duration: number, end: () => void): void => {
    const endShortage = shortages.begin()
    const stop = (): void => {
      if (!over.delete(stop)) return
      end()
      endShortage()
    }
    over.add(stop)
    clock.timer(duration, stop)
  }
  const live = ({ id, metadata, launchedAt }: FakeServer): LiveInstance => ({
    providerID: providerId(id),
    launchedAt,
    claimUid: Object.hasOwn(metadata, METADATA.nodeClaimUid) ? (metadata[METADATA.nodeClaimUid] ?? '') : `none ${id}`,
  })
  return {
    foreignInstances: new Set([...foreign].map(providerId)),
    collectsLeaks: true,
    resources: [bizflyNodeClassResource],
    prepare: async (client) => {
      await client.create(bizflyNodeClassKind, bizflyNodeClassDescriptor.example)
    },
    provider: (context, handle) => {
      const api = apiOver(calls.of(handle), { clock: context.clock, random: context.random })
      return { provider: new BizflyProvider(context, { api, region: REGION, join: fakeJoin, kubernetesVersion: '' }) }
    },
    billed: () => own().map(live),
    running: () => running().map(live),
    priceOf: (claim) => WEIGHTS.get(claim.metadata.labels?.[labels.instanceType] ?? ''),
    stockOut: (selector) => {
      account.outOfStock = [...account.outOfStock, selector]
      return () => {
        account.outOfStock = account.outOfStock.filter((each) => each !== selector)
      }
    },
    kill: (pick) => {
      const server = picked(running(), pick)
      if (server === undefined) return
      interrupted.add(providerId(server.id))
      account.vanish(server.id)
      kubelets.end(server.name, 0)
    },
    interrupt: () => {},
    recover: () => {
      for (const end of [...over]) end()
      calls.clear()
      account.outOfStock = []
    },
    isGone: (name) => kubelets.isGone(name),
    inject: (fault) => {
      switch (fault.kind) {
        case 'bizfly-call':
          calls.add(fault)
          return
        case 'password-changed':
          fake.password = 'changed'
          fake.revoke()
          lasts(fault.duration, () => {
            fake.password = PASSWORD
          })
          return
        case 'creations-fail':
          account.failing = [{}]
          lasts(fault.duration, () => {
            account.failing = []
          })
          return
        case 'quota-zero':
          account.quota = 0
          lasts(fault.duration, () => {
            account.quota = 10_000
          })
          return
        case 'creations-slow':
          account.options.buildsFor = SLOWLY
          lasts(fault.duration, () => {
            account.options.buildsFor = BUILDS_FOR
          })
          return
        case 'lists-lag':
          account.options.listLag = LIST_LAG
          lasts(fault.duration, () => {
            account.options.listLag = 0
          })
      }
    },
    leftovers: () => {
      const used = new Set(account.servers.living().map(({ rootDisk }) => rootDisk))
      return [...account.disks].filter((disk) => !used.has(disk)).map((disk) => `disk ${disk}`)
    },
    takenFromOthers: () => [...foreign].filter((id) => !account.servers.has(id)).map((id) => `${id} is gone`),
  }
}
