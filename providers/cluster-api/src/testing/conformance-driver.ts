import { labels } from '@kerf/apis'
import type { ConformanceDriver, ConformanceHarness, NodeClassState } from '@kerf/provider-contract/conformance'
import { createProviderHarness } from '@kerf/provider-contract/testing'
import { type KubeClient, SeededRandom, silentLogger as silent, VirtualClock } from '@kerf/runtime'
import { clusterApi } from '../descriptor.ts'
import { UNAVAILABLE_FOR } from '../instance-type/class-types.ts'
import { clusterApiNodeClassKind, clusterApiNodeClassResource } from '../node-class/cluster-api-node-class.ts'
import { clusterApiPermissions, managementPermissions } from '../permissions.ts'
import { drivenProvider } from './driven-provider.ts'
import { notApplicable } from './not-applicable.ts'
import { ownChecks } from './own-checks.ts'
import {
  CLASS,
  CLASS_REF,
  newClusterApiProvider,
  prepareClusterApi,
  setReady,
  sizedDeployment,
  watchMachines,
} from './provider-harness.ts'
import { SimulatedCloud } from './simulated-cloud.ts'
import { simulatedKinds } from './simulator/definitions.ts'
import { MachineSetSimulator } from './simulator/machine-set-simulator.ts'

const never = new AbortController().signal
/** How long a termination takes: three rounds of the controllers, plus the termination of the machine. */
const TERMINATION_DELAY = 12_000

const DEPLOYMENTS = [
  ['small', 'zone-a', 'on-demand'],
  ['small', 'zone-b', 'on-demand'],
  ['small', 'zone-a', 'spot'],
  ['large', 'zone-a', 'on-demand'],
  ['large', 'zone-b', 'spot'],
  ['huge', 'zone-b', 'on-demand'],
] as const

const setNodeClass = async (client: KubeClient, clock: VirtualClock, state: NodeClassState): Promise<void> => {
  const kind = clusterApiNodeClassKind
  const ref = { name: CLASS }
  const setFinalizers = (finalizers: readonly string[] | null) =>
    client.patch(kind, ref, { type: 'merge', body: { metadata: { finalizers } } })
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
      await setReady(client, clock.now(), 'False')
      break
    case 'unknown':
      await setReady(client, clock.now(), 'Unknown')
  }
  await clock.advance(500)
}

const createHarness = async (seed: number): Promise<ConformanceHarness> => {
  const played = simulatedKinds('v1beta2')
  const cloud = new SimulatedCloud()
  const clock = new VirtualClock()
  const stop = new AbortController()
  const harness = await createProviderHarness({
    ...{ seed, clock, classRef: CLASS_REF, nodeClasses: [clusterApiNodeClassResource] },
    interceptor: cloud.interceptor,
    permissions: [...clusterApiPermissions, ...managementPermissions],
    prepare: async (client) => {
      await prepareClusterApi(client, played, clock.now())
      const random = new SeededRandom(seed)
      const simulator = new MachineSetSimulator({
        ...{ clock, random: random.fork('player'), management: client, workload: client, log: silent },
      })
      for (const [size, zone, capacityType] of DEPLOYMENTS)
        await simulator.addDeployment(`${size}-${zone}-${capacityType}`, sizedDeployment(size, zone, capacityType))
      simulator.start(stop.signal)
      watchMachines(client, clock, {
        ...{ random: random.fork('watcher'), log: silent, kinds: played, stop: stop.signal },
        launched: () => cloud.counted('launch'),
        terminated: () => cloud.counted('terminate'),
      })
    },
    newProvider: (context) => newClusterApiProvider(context, stop.signal),
    startUp: 2_000,
  })
  const made: ConformanceHarness = {
    ...harness,
    cloud,
    provider: drivenProvider(harness.provider, clock),
    restart: () => {
      made.provider = drivenProvider(harness.newProvider(), clock)
    },
    setNodeClass: (state) => setNodeClass(harness.client, clock, state),
    stop: () => {
      stop.abort(new Error('the test is over'))
      harness.stop()
    },
  }
  let leaked = 0
  cloud.open({ client: harness.client, kinds: played, clock }, async () => {
    const claim = await harness.claim(`leaked-${++leaked}`)
    const { providerID } = await made.provider.create(claim, never)
    return { claim, providerID }
  })
  return made
}

/** The driver of the conformance suite for the Cluster API provider, in the sandbox with simulated controllers. */
export const clusterApiDriver: ConformanceDriver = {
  name: 'Cluster API',
  descriptor: clusterApi,
  createHarness,
  providerID: /^in-memory:\/\/[a-z0-9-]+$/,
  ownershipTags: (claim) => ({ [labels.nodePool]: claim.metadata.labels?.[labels.nodePool] ?? '' }),
  unavailableFor: UNAVAILABLE_FOR,
  terminationDelay: TERMINATION_DELAY,
  own: ownChecks,
  notApplicable,
}
