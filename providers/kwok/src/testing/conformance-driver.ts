import { formatTime, groupVersion, karpenterKinds, kinds, labels, type Node, noVocabulary } from '@kerf/apis'
import type {
  ConformanceDriver,
  ConformanceHarness,
  FailureKind,
  FakeCloud,
  NodeClassState,
} from '@kerf/provider-contract/conformance'
import { createProviderHarness } from '@kerf/provider-contract/testing'
import { ApiError, type InformerFactory, type KubeClient, type VirtualClock } from '@kerf/runtime'
import { kwok } from '../descriptor.ts'
import { terminatingSince } from '../instance-node.ts'
import { isBooting } from '../instance-state.ts'
import { KwokProvider } from '../kwok-provider.ts'
import {
  KWOK_GROUP,
  NODE_CLAIM_ANNOTATION,
  NODE_CLAIM_UID_ANNOTATION,
  NODE_CLASS_LABEL,
  PROVIDER_ID_PREFIX,
} from '../labels.ts'
import { loadInstanceTypes } from '../load-instance-types.ts'
import { kwokNodeClassKind, kwokNodeClassResource } from '../node-class/kwok-node-class.ts'
import { kwokPermissions, simulatedKubeletSwitch } from '../permissions.ts'
import { SimulatedOutages } from '../simulated-outages.ts'
import { notApplicable } from './not-applicable.ts'

const TERMINATION_DELAY = 4_000
const CLASS = 'default'
const FINALIZER = 'karpenter.sh/termination'
const classRef = { group: KWOK_GROUP, kind: 'KWOKNodeClass', name: CLASS } as const

const failures: Readonly<Record<FailureKind, () => Error>> = {
  throttle: () => new ApiError({ code: 429, reason: 'TooManyRequests', message: 'too many requests' }),
  auth: () => new ApiError({ code: 403, reason: 'Forbidden', message: 'the service account may not create nodes' }),
  network: () => new Error('connection reset'),
  serverError: () => new ApiError({ code: 500, reason: 'InternalError', message: 'internal error' }),
}

const hasEnded = (node: Node, now: number): boolean => {
  const since = terminatingSince(node)
  return since !== undefined && now >= since + TERMINATION_DELAY
}

/** Returns the instances of the simulated cloud: Nodes, and launched NodeClaims without a Node. */
const fakeCloud = (client: KubeClient, clock: VirtualClock, outages: SimulatedOutages): FakeCloud => ({
  instances: async () => {
    const nodes = (await client.list(kinds.Node)).items.filter(({ spec }) =>
      spec.providerID?.startsWith(PROVIDER_ID_PREFIX),
    )
    const claims = (await client.list(karpenterKinds.NodeClaim)).items.filter(
      (claim) => isBooting(claim) && !nodes.some(({ spec }) => spec.providerID === claim.status?.providerID),
    )
    return [
      ...nodes
        .filter((node) => !hasEnded(node, clock.now()))
        .map((node) => ({
          providerID: node.spec.providerID ?? '',
          state: terminatingSince(node) === undefined ? ('running' as const) : ('terminating' as const),
          tags: { ...node.metadata.labels, ...node.metadata.annotations },
        })),
      ...claims.map(({ status }) => ({ providerID: status?.providerID ?? '', state: 'running' as const, tags: {} })),
    ]
  },
  fail: (call, kind) => outages.breakDown(call, failures[kind]()),
  recover: () => outages.recover(),
  stockOut: (pattern) => outages.stockOut(pattern),
  restock: () => outages.restock(),
  count: (call) => outages.calls.filter((made) => made === call).length,
  plantForeign: async () => {
    await client.create(kinds.Node, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'foreign', labels: { 'kwok.x-k8s.io/node': 'fake' } },
      spec: { providerID: `${PROVIDER_ID_PREFIX}foreign` },
    })
    return `${PROVIDER_ID_PREFIX}foreign`
  },
  // The API server sets the creation time, so the check must wait until a leaked Node is old enough.
  plantLeaked: async () => {
    await client.create(kinds.Node, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: 'leaked',
        labels: { [NODE_CLASS_LABEL]: CLASS },
        annotations: { [NODE_CLAIM_UID_ANNOTATION]: 'gone', [NODE_CLAIM_ANNOTATION]: 'gone' },
      },
      spec: { providerID: `${PROVIDER_ID_PREFIX}leaked` },
    })
    return `${PROVIDER_ID_PREFIX}leaked`
  },
  vanish: async (providerID) => {
    const name = providerID.slice(PROVIDER_ID_PREFIX.length)
    await client.patch(kinds.Node, { name }, { type: 'merge', body: { metadata: { finalizers: null } } })
    await client.delete(kinds.Node, { name })
  },
})

/** Puts the node class into this state. */
const setNodeClass = async (client: KubeClient, clock: VirtualClock, state: NodeClassState): Promise<void> => {
  const kind = kwokNodeClassKind
  const ref = { name: CLASS }
  const setReady = async (status: 'False' | 'Unknown'): Promise<void> => {
    const lastTransitionTime = formatTime(clock.now())
    const conditions = [{ type: 'Ready', status, reason: 'Test', message: 'set by the suite', lastTransitionTime }]
    await client.patch(kind, ref, { type: 'merge', body: { status: { conditions } } }, { subresource: 'status' })
  }
  const setFinalizers = (value: readonly string[] | null) =>
    client.patch(kind, ref, { type: 'merge', body: { metadata: { finalizers: value } } })
  switch (state) {
    case 'missing':
      await setFinalizers(null)
      await client.delete(kind, ref).catch(() => {})
      break
    case 'deleting':
      await setFinalizers(['example.com/mine'])
      await client.delete(kind, ref)
      break
    case 'notReady':
      await setReady('False')
      break
    case 'unknown':
      await setReady('Unknown')
  }
  await clock.advance(500)
}

/** Adds the core's finalizer to new Nodes, as registration does. So a Node outlives its instance until the finalizer is removed. */
const addFinalizers = (client: KubeClient, informers: InformerFactory): void => {
  informers.of(kinds.Node).onChange(({ before, after }) => {
    if (before !== undefined || after?.metadata.annotations?.[NODE_CLAIM_UID_ANNOTATION] === undefined) return
    const body = { metadata: { finalizers: [FINALIZER] } }
    void client.patch(kinds.Node, { name: after.metadata.name }, { type: 'merge', body }).catch(() => {})
  })
}

const createHarness = async (seed: number): Promise<ConformanceHarness> => {
  const outages = new SimulatedOutages()
  const instanceTypes = await loadInstanceTypes()
  const harness = await createProviderHarness({
    seed,
    nodeClasses: [kwokNodeClassResource],
    classRef,
    permissions: kwokPermissions,
    permissionOptions: [simulatedKubeletSwitch, 'Devices'],
    prepare: async (client) => {
      await client.create(kwokNodeClassKind, {
        apiVersion: groupVersion(kwokNodeClassKind),
        kind: 'KWOKNodeClass',
        metadata: { name: CLASS },
        spec: {},
      })
    },
    newProvider: (context) =>
      new KwokProvider(context, {
        labels: noVocabulary,
        instanceTypes,
        outages,
        settings: { instanceTerminationDelay: TERMINATION_DELAY },
      }),
  })
  const { client, clock, informers, newProvider } = harness
  addFinalizers(client, informers)
  const made: ConformanceHarness = {
    ...harness,
    cloud: fakeCloud(client, clock, outages),
    restart: () => {
      made.provider = newProvider()
    },
    setNodeClass: (state) => setNodeClass(client, clock, state),
  }
  return made
}

/** The driver with which the conformance suite tests the KWOK provider in the sandbox. */
export const kwokDriver: ConformanceDriver = {
  name: 'KWOK',
  descriptor: kwok,
  createHarness,
  providerID: /^kwok:\/\/kwok-[a-z0-9-]+-[0-9a-f]{10}$/,
  ownershipTags: (claim) => ({
    [NODE_CLAIM_UID_ANNOTATION]: claim.metadata.uid ?? '',
    [NODE_CLAIM_ANNOTATION]: claim.metadata.name,
    [labels.nodePool]: 'default',
    [NODE_CLASS_LABEL]: CLASS,
  }),
  unavailableFor: 180_000,
  terminationDelay: TERMINATION_DELAY,
  own: {},
  notApplicable,
}
