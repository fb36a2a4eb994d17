import { labels } from '@kerf/apis'
import type {
  ConformanceDriver,
  ConformanceHarness,
  FailureKind,
  FakeCloud,
  NodeClassState,
} from '@kerf/provider-contract/conformance'
import { bizfly } from '../descriptor.ts'
import { UNAVAILABLE_FOR } from '../launch/launcher.ts'
import { METADATA, providerId, serverIdIn } from '../names.ts'
import { bizflyNodeClassKind } from '../node-class/bizfly-node-class.ts'
import { type BizflyHarness, CLASS, createBizflyHarness } from './bizfly-harness.ts'
import type { FakeFault } from './fake-bizfly/fake-bizfly.ts'
import { CLUSTER } from './fake-bizfly/names.ts'
import { notApplicable } from './not-applicable.ts'
import { harnesses, ownChecks } from './own-checks.ts'

const TERMINATION_DELAY = 4_000

const calls = { launch: 'launchServer', terminate: 'deleteServer', describe: 'server', list: 'servers' } as const

/** The fake's fault for each failure kind of the conformance suite. */
export const cloudFaults: Readonly<Record<FailureKind, FakeFault>> = {
  throttle: { refusal: { status: 429, message: 'Too many requests' } },
  auth: { refusal: { status: 403, message: 'you are not allowed to do this action' } },
  network: { refusal: 'network' },
  serverError: { refusal: { status: 500, message: 'Internal Server Error' } },
}

const ownMetadata = (pool: string, name: string, uid: string): Readonly<Record<string, string>> => ({
  [METADATA.managed]: 'true',
  [METADATA.cluster]: CLUSTER,
  [METADATA.nodePool]: pool,
  [METADATA.nodeClaim]: name,
  [METADATA.nodeClaimUid]: uid,
})

const fakeCloud = ({ account, cloud }: BizflyHarness): FakeCloud => ({
  instances: async () =>
    account.servers.living().map((server) => ({
      providerID: providerId(server.id),
      state: server.endsAt === undefined ? 'running' : 'terminating',
      tags: server.metadata,
    })),
  fail: (call, kind) => cloud.fail(calls[call], cloudFaults[kind]),
  failAfterwards: (call, kind) => cloud.fail(calls[call], { ...cloudFaults[kind], isAfterwards: true }),
  recover: () => cloud.recover(),
  stockOut: (pattern) => {
    account.outOfStock = [...account.outOfStock, pattern]
  },
  restock: () => {
    account.outOfStock = []
  },
  count: (call) => cloud.count(calls[call]),
  // This server belongs to a node pool that Bizfly Kubernetes Engine manages.
  plantForeign: async () => providerId(account.put({ metadata: { [METADATA.cluster]: CLUSTER } }, 3_600_000).id),
  plantLeaked: async (age) => providerId(account.put({ metadata: ownMetadata('default', 'gone', 'gone') }, age).id),
  vanish: async (providerID) => account.vanish(serverIdIn(providerID) ?? ''),
})

/** Brings the class into the given state by creating its real cause, instead of writing the status. */
const setNodeClass = async (harness: BizflyHarness, state: NodeClassState): Promise<void> => {
  const { client, clock, cloud } = harness
  const ref = { name: CLASS }
  const finalizers = (value: readonly string[] | null) =>
    client.patch(bizflyNodeClassKind, ref, { type: 'merge', body: { metadata: { finalizers: value } } })
  switch (state) {
    case 'missing':
      await finalizers(null).catch(() => undefined)
      await client.delete(bizflyNodeClassKind, ref).catch(() => undefined)
      break
    case 'deleting':
      await finalizers(['example.com/mine'])
      await client.delete(bizflyNodeClassKind, ref)
      break
    case 'notReady':
      await harness.change({ vpcNetworkIds: ['network-none'] })
      break
    case 'unknown':
      cloud.fail('networks', cloudFaults.auth)
      await harness.change({ vpcNetworkIds: ['network-2'] })
  }
  await clock.advance(1_000)
}

/** The driver of the conformance suite, with an in-memory Bizfly Cloud. */
export const bizflyDriver: ConformanceDriver = {
  name: 'Bizfly Cloud',
  descriptor: bizfly,
  createHarness: async (seed) => {
    const own = await createBizflyHarness({ seed, stopsFor: TERMINATION_DELAY })
    const harness: ConformanceHarness = {
      ...own,
      cloud: fakeCloud(own),
      restart: () => {
        harness.provider = own.newProvider()
      },
      setNodeClass: (state) => setNodeClass(own, state),
    }
    harnesses.keep(harness, own)
    return harness
  },
  providerID: /^bizflycloud:\/\/[0-9a-f-]{36}$/,
  ownershipTags: ({ metadata }) =>
    ownMetadata(metadata.labels?.[labels.nodePool] ?? '', metadata.name, metadata.uid ?? ''),
  unavailableFor: UNAVAILABLE_FOR,
  terminationDelay: TERMINATION_DELAY,
  own: ownChecks,
  notApplicable,
}
