import { labels } from '@kerf/apis'
import type {
  ConformanceDriver,
  ConformanceHarness,
  FakeCloud,
  NodeClassState,
} from '@kerf/provider-contract/conformance'
import { ociCapabilities } from '../capabilities.ts'
import { definedTagKeys, freeformTagKeys } from '../instances/tags.ts'
import { UNAVAILABLE_FOR } from '../launch/refused-offerings.ts'
import type { Upstream } from '../names.ts'
import { communityNodeClassDescriptor } from '../node-class/community-descriptor.ts'
import { oracleNodeClassDescriptor } from '../node-class/oracle-descriptor.ts'
import { harnesses } from './check-support.ts'
import { cloudFaults } from './cloud-faults.ts'
import { fakeStockOut } from './fake-oci/fake-stock-out.ts'
import { TAG_NAMESPACE } from './fake-oci/names.ts'
import { notApplicable } from './not-applicable.ts'
import { CLASS, CLUSTER, createOciHarness, nodeClassKind, type OciHarness } from './oci-harness.ts'
import { ownChecks } from './own-checks.ts'

const TERMINATION_DELAY = 4_000

const operations = {
  launch: 'LaunchInstance',
  terminate: 'TerminateInstance',
  describe: 'GetInstance',
  list: 'ListInstances',
} as const

/** Returns the tags of an instance of this cluster. */
const ownTags = (upstream: Upstream, pool: string, claim: string, uid: string) => {
  const defined = {
    [definedTagKeys.cluster]: CLUSTER,
    [definedTagKeys.nodePool]: pool,
    [definedTagKeys.nodeClass]: CLASS,
    [definedTagKeys.nodeClaim]: claim,
  }
  const freeform = {
    [freeformTagKeys.cluster]: CLUSTER,
    [freeformTagKeys.nodePool]: pool,
    [freeformTagKeys.nodeClass]: CLASS,
    [freeformTagKeys.nodeClaim]: claim,
    [freeformTagKeys.nodeClaimUid]: uid,
  }
  return upstream === 'community' ? defined : freeform
}

const tagged = (upstream: Upstream, tags: Readonly<Record<string, string>>) =>
  upstream === 'community' ? { definedTags: { [TAG_NAMESPACE]: tags } } : { freeformTags: tags }

const fakeCloud = ({ account, oci, upstream }: OciHarness): FakeCloud => ({
  instances: async () =>
    account.instances.living().map((instance) => ({
      providerID: instance.id,
      state: instance.endsAt === undefined ? 'running' : 'terminating',
      tags: { ...instance.details.freeformTags, ...instance.details.definedTags?.[TAG_NAMESPACE] } as Readonly<
        Record<string, string>
      >,
    })),
  fail: (call, kind) => oci.fail(operations[call], cloudFaults[kind]),
  failAfterwards: (call, kind) => oci.fail(operations[call], { ...cloudFaults[kind], isAfterwards: true }),
  recover: () => oci.recover(),
  stockOut: (selector) => {
    account.stockOuts = [...account.stockOuts, fakeStockOut(selector, upstream)]
  },
  restock: () => {
    account.stockOuts = []
  },
  count: (call) => oci.count(operations[call]),
  plantForeign: async () =>
    account.put(
      tagged(upstream, { ...ownTags(upstream, 'default', 'other', 'other'), ...otherCluster(upstream) }),
      3_600_000,
    ).id,
  plantLeaked: async (age) => account.put(tagged(upstream, ownTags(upstream, 'default', 'gone', 'gone')), age).id,
  // Oracle Cloud lists terminated instances for hours, so Kerf can see that another program terminated this one.
  vanish: async (providerID) => account.end(providerID),
})

const otherCluster = (upstream: Upstream): Readonly<Record<string, string>> => ({
  [upstream === 'community' ? definedTagKeys.cluster : freeformTagKeys.cluster]: 'another',
})

/** Brings the node class of the pool into the given state by creating its real cause, instead of writing the status. */
const setNodeClass = async (harness: OciHarness, state: NodeClassState): Promise<void> => {
  const { client, clock, upstream, oci } = harness
  const kind = nodeClassKind[upstream]
  const ref = { name: CLASS }
  const finalizers = (value: readonly string[] | null) =>
    client.patch(kind, ref, { type: 'merge', body: { metadata: { finalizers: value } } })
  switch (state) {
    case 'missing':
      await finalizers(null).catch(() => undefined)
      await client.delete(kind, ref).catch(() => undefined)
      break
    case 'deleting':
      await finalizers(['example.com/mine'])
      await client.delete(kind, ref)
      break
    case 'notReady':
      await harness.change(subnetNamed(upstream, 'missing'))
      break
    case 'unknown':
      oci.fail('ListSubnets', { refusal: { status: 401, code: 'NotAuthenticated', message: 'expired' } })
      await harness.change(subnetNamed(upstream, 'other'))
  }
  await clock.advance(1_000)
}

/** Returns a patch that makes a class select another subnet. */
const subnetNamed = (upstream: Upstream, name: string): object =>
  upstream === 'community'
    ? { subnetSelector: [{ name }] }
    : { networkConfig: { primaryVnicConfig: { subnetConfig: { subnetFilter: { displayName: name } } } } }

const descriptors = { community: communityNodeClassDescriptor, oracle: oracleNodeClassDescriptor } as const

/** Returns the driver of the conformance suite for pools of one kind of node class, with an in-memory Oracle Cloud. */
export const ociDriver = (upstream: Upstream): ConformanceDriver => ({
  name: upstream === 'oracle' ? 'Oracle Cloud (OCINodeClass)' : 'Oracle Cloud (OciNodeClass)',
  descriptor: { nodeClasses: [descriptors[upstream]], capabilities: ociCapabilities },
  createHarness: async (seed) => {
    const own = await createOciHarness({ seed, upstream, stopsFor: TERMINATION_DELAY })
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
  providerID: /^ocid1\.instance\.oc1\.phx\.[a-z0-9]+$/,
  ownershipTags: ({ metadata: { name, uid = '', labels: own } }) =>
    ownTags(upstream, own?.[labels.nodePool] ?? '', name, uid),
  unavailableFor: UNAVAILABLE_FOR,
  terminationDelay: TERMINATION_DELAY,
  own: ownChecks(upstream),
  notApplicable: notApplicable[upstream],
})
