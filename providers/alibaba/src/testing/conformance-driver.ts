import { labels } from '@kerf/apis'
import type {
  ConformanceDriver,
  ConformanceHarness,
  FakeCloud,
  NodeClassState,
} from '@kerf/provider-contract/conformance'
import { alibaba } from '../descriptor.ts'
import { UNAVAILABLE_FOR } from '../launch/refused-offerings.ts'
import { clusterTag, instanceIdIn, providerId, TAG } from '../names.ts'
import { ecsNodeClassKind } from '../node-class/ecs-node-class.ts'
import { type AlibabaHarness, CLASS, createAlibabaHarness } from './alibaba-harness.ts'
import { cloudFaults } from './cloud-faults.ts'
import { CLUSTER, REGION } from './fake-alibaba/names.ts'
import { notApplicable } from './not-applicable.ts'
import { harnesses, ownChecks } from './own-checks.ts'

const TERMINATION_DELAY = 4_000

/** The same action reads single instances and lists instances. */
const actions = {
  launch: 'CreateAutoProvisioningGroup',
  terminate: 'DeleteInstance',
  describe: 'DescribeInstances',
  list: 'DescribeInstances',
} as const

const ownTags = (pool: string): Readonly<Record<string, string>> => ({
  [clusterTag(CLUSTER)]: 'owned',
  [TAG.clusterId]: CLUSTER,
  [TAG.nodePool]: pool,
  [TAG.nodeClass]: CLASS,
})

const fakeCloud = ({ account, alibaba }: AlibabaHarness): FakeCloud => ({
  instances: async () =>
    account.instances.living().map((instance) => ({
      providerID: providerId(REGION, instance.id),
      state: instance.endsAt === undefined ? 'running' : 'terminating',
      tags: instance.tags,
    })),
  fail: (call, kind) => alibaba.fail(actions[call], cloudFaults[kind]),
  failAfterwards: (call, kind) => alibaba.fail(actions[call], { ...cloudFaults[kind], isAfterwards: true }),
  recover: () => alibaba.recover(),
  stockOut: (pattern) => {
    account.outOfStock = [...account.outOfStock, pattern]
  },
  restock: () => {
    account.outOfStock = []
  },
  count: (call) => alibaba.count(actions[call]),
  plantForeign: async () => {
    // This is another tool's instance. It has the cluster's tags, but no NodePool tag.
    const { id } = account.put({ tags: { [clusterTag(CLUSTER)]: 'owned', [TAG.clusterId]: CLUSTER } }, 3_600_000)
    return providerId(REGION, id)
  },
  plantLeaked: async (age) => {
    const tags = { ...ownTags('default'), [TAG.nodeClaimUid]: 'gone', [TAG.nodeClaim]: 'gone' }
    return providerId(REGION, account.put({ tags }, age).id)
  },
  vanish: async (providerID) => account.vanish(instanceIdIn(providerID, REGION) ?? ''),
})

/** Brings the node class into the given state by creating its real cause, instead of writing the status. */
const setNodeClass = async (harness: AlibabaHarness, state: NodeClassState): Promise<void> => {
  const { client, clock, account, alibaba } = harness
  const ref = { name: CLASS }
  const finalizers = (value: readonly string[] | null) =>
    client.patch(ecsNodeClassKind, ref, { type: 'merge', body: { metadata: { finalizers: value } } })
  switch (state) {
    case 'missing':
      await finalizers(null).catch(() => undefined)
      await client.delete(ecsNodeClassKind, ref).catch(() => undefined)
      break
    case 'deleting':
      await finalizers(['example.com/mine'])
      await client.delete(ecsNodeClassKind, ref)
      break
    case 'notReady':
      await harness.change({ vSwitchSelectorTerms: [{ id: 'vsw-none' }] })
      break
    case 'unknown':
      account.vSwitches = [...account.vSwitches]
      alibaba.fail('DescribeVSwitches', cloudFaults.auth)
      await client.patch(ecsNodeClassKind, ref, {
        type: 'merge',
        body: { spec: { vSwitchSelectorTerms: [{ id: 'vsw-h' }] } },
      })
  }
  await clock.advance(1_000)
}

/** The driver of the conformance suite, with an in-memory Alibaba Cloud. */
export const alibabaDriver: ConformanceDriver = {
  name: 'Alibaba Cloud',
  descriptor: alibaba,
  createHarness: async (seed) => {
    const own = await createAlibabaHarness({ seed, stopsFor: TERMINATION_DELAY })
    const harness: ConformanceHarness = {
      ...own,
      cloud: fakeCloud(own),
      restart: () => {
        const fresh = own.newProvider()
        // As in production, the provider loads the previous prices before it plans.
        const warm = fresh.warmUp(new AbortController().signal)
        const { instanceTypes, create } = fresh
        fresh.create = async (claim, signal) => warm.then(() => create.call(fresh, claim, signal))
        fresh.instanceTypes = async (pool, signal) => warm.then(() => instanceTypes.call(fresh, pool, signal))
        harness.provider = fresh
      },
      setNodeClass: (state) => setNodeClass(own, state),
    }
    harnesses.keep(harness, own)
    return harness
  },
  providerID: /^cn-hangzhou\.i-[0-9a-z]+$/,
  ownershipTags: (claim) => ({
    ...ownTags(claim.metadata.labels?.[labels.nodePool] ?? ''),
    [TAG.nodeClaimUid]: claim.metadata.uid ?? '',
    [TAG.nodeClaim]: claim.metadata.name,
  }),
  unavailableFor: UNAVAILABLE_FOR,
  terminationDelay: TERMINATION_DELAY,
  own: ownChecks,
  notApplicable,
}
