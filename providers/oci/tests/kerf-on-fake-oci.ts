import { findCondition, karpenterKinds, kinds, labels } from '@kerf/apis'
import { controllerPermissions, defaultControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { usualRetries } from '@kerf/provider-kit'
import {
  ApiEventRecorder,
  type KubeClient,
  PrometheusMetrics,
  RecordingLogger,
  runtimePermissions,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly, installCustomResources } from '@kerf/runtime/testing'
import { type Interceptor, SandboxCluster } from '@kerf/sandbox'
import { nodePool } from '@kerf/testing'
import { onTestFinished } from 'vitest'
import { legacyTemplates } from '../../../packages/cli/src/providers.ts'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx } from '../../../tests/integration/story/spread-objects.ts'
import { virtualUntil } from '../../../tests/integration/story/until.ts'
import { PREEMPTIBLE, type Upstream } from '../src/names.ts'
import { communityNodeClassKind, communityNodeClassResource } from '../src/node-class/community-node-class.ts'
import {
  type OracleNodeClass,
  oracleNodeClassKind,
  oracleNodeClassResource,
} from '../src/node-class/oracle-node-class.ts'
import { ociPermissions } from '../src/permissions.ts'
import type { FakeInstance } from '../src/testing/fake-oci/fake-account.ts'
import { type FakeApi, fakeApi } from '../src/testing/fake-oci/fake-api.ts'
import { createClasses, newOciProvider, nodeClassKind } from '../src/testing/oci-harness.ts'
import { registeredNode } from '../src/testing/oci-node.ts'

const PROVISIONS_FOR = 8_000
const BOOT = 15_000

export interface StoryOptions {
  readonly upstream?: Upstream
  readonly replicas?: number
  /** Overrides fields of the OCINodeClass's spec. */
  readonly oracle?: Partial<NonNullable<OracleNodeClass['spec']>>
  /** Whether there is a second NodePool, with the OciNodeClass, for pods that do not fit the first one. */
  readonly hasOtherPool?: boolean
  /** Prepares the cloud before Kerf starts. */
  readonly before?: (fake: FakeApi) => void
  /** Creates the objects that exist before Kerf starts, instead of the classes, the NodePool and the Deployment of a new cluster. */
  readonly load?: (client: KubeClient, fake: FakeApi, clock: VirtualClock) => Promise<void>
  /** Intercepts every call that Kerf makes to the cluster. */
  readonly interceptor?: Interceptor
}

/** Returns a NodePool that allows the capacity types of the node class and removes empty nodes at once. */
const pool = (upstream: Upstream, name = 'general') => {
  const { group, kind } = nodeClassKind[upstream]
  return nodePool(name, {
    requirements: [{ key: labels.capacityType, operator: 'In', values: [PREEMPTIBLE[upstream], 'on-demand'] }],
    templateSpec: { nodeClassRef: { group, kind, name: 'default' }, expireAfter: 'Never' },
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '0s', budgets: [{ nodes: '100%' }] },
  })
}

/**
 * Starts a complete Kerf in virtual time on the sandbox, with an in-memory Oracle Cloud, a class of each kind, a NodePool and a Deployment.
 * Stops everything when the test ends.
 */
export const story = async (options: StoryOptions = {}) => {
  const { upstream = 'oracle', replicas = 3, before, load, oracle, interceptor = {} } = options
  const clock = new VirtualClock({ turns: 3 })
  const random = new SeededRandom('oci stories')
  const sandbox = new SandboxCluster({ clock, random: random.fork('cluster') })
  const starting = sandbox.start()
  await clock.advance(1_000)
  await starting
  const { client } = sandbox
  await installCustomResources(client, [communityNodeClassResource, oracleNodeClassResource])
  const fake = fakeApi(clock, { startsFor: PROVISIONS_FOR, retries: usualRetries })
  const { account, cloud, api } = fake
  before?.(fake)
  const register = async (instance: FakeInstance): Promise<void> => {
    const current = account.instances.get(instance.id)
    if (current === undefined || current.endsAt !== undefined) return
    // Only instances of an OciNodeClass have defined tags.
    const isCommunity = Object.keys(current.details.definedTags ?? {}).length > 0
    const made = registeredNode(account, current, isCommunity ? 'community' : upstream)
    await client.create(kinds.Node, made)
    const ref = { name: made.metadata.name }
    await client.patch(kinds.Node, ref, { type: 'merge', body: { status: made.status } }, { subresource: 'status' })
  }
  const remove = (name: string): void => void client.delete(kinds.Node, { name }).catch(() => undefined)
  account.onLaunched = (instance) => clock.timer(PROVISIONS_FOR + BOOT, () => void register(instance))
  account.onTerminated = ({ details }) => clock.timer(5_000, () => remove(details.displayName))
  const log = new RecordingLogger()
  const permitted = declaredOnly(sandbox.api.client({ interceptor }), [
    ...runtimePermissions({ leaderElectionName: 'karpenter' }),
    ...controllerPermissions([oracleNodeClassKind, communityNodeClassKind], await legacyTemplates()),
    ...ociPermissions,
  ])
  const informers = new SharedInformers({ client: permitted, clock, random: random.fork('informers'), logger: log })
  const events = new ApiEventRecorder({ client: permitted, clock, random: random.fork('events'), logger: log })
  const context = { client: permitted, informers, clock, random: random.fork('provider'), events, log }
  const provider = newOciProvider(context, api)
  if (load === undefined) {
    await createClasses(client, { oracle })
    await client.create(karpenterKinds.NodePool, pool(upstream))
    if (options.hasOtherPool === true) await client.create(karpenterKinds.NodePool, pool('community', 'other'))
  } else await load(client, fake, clock)
  const stop = new AbortController()
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000 }
  const run = new Kerf(
    { ...context, provider, settings, metrics: new PrometheusMetrics() },
    { schedule: scheduleInSteps },
  ).run({ stop: stop.signal, abandon: stop.signal })
  await clock.advance(10_000)
  if (load === undefined) await client.create(kinds.Deployment, nginx(replicas))
  const until = virtualUntil(clock, log, 500)
  onTestFinished(async () => {
    stop.abort(new Error('the story is over'))
    await clock.advanceUntilDone(run, 250)
    await clock.advanceUntilDone(events.close(), 250)
    await clock.advanceUntilDone(sandbox.stop(), 250)
  })
  const living = () => account.instances.living()
  return {
    ...{ clock, client, account, cloud, log, until, living },
    /** Changes the spec of the OCINodeClass. */
    editClass: (spec: object) =>
      client.patch(oracleNodeClassKind, { name: 'default' }, { type: 'merge', body: { spec } }),
    pass: (seconds: number) => clock.advance(seconds * 1_000),
    runs: (count: number, seconds = 900) =>
      until(`${count} pods running`, async () => (await running(client)).length === count, seconds),
    run: async (): Promise<number> => (await running(client)).length,
    condition: async (type: string): Promise<string> => {
      const { status, reason, message } =
        findCondition(await client.get(oracleNodeClassKind, { name: 'default' }), type) ?? {}
      return `${status} ${reason}: ${message}`
    },
    claims: async () => (await client.list(karpenterKinds.NodeClaim)).items,
    /** Returns the Launched condition of each NodeClaim as text. */
    launches: async (): Promise<string> =>
      (await client.list(karpenterKinds.NodeClaim)).items
        .map((claim) => findCondition(claim, 'Launched'))
        .map((each) => `${each?.status} ${each?.reason}: ${each?.message}`)
        .join('\n'),
    events: async (): Promise<string> =>
      (await client.list(kinds.Event)).items.map(({ reason, message }) => `${reason}: ${message}`).join('\n'),
    /** Deletes the Deployment, and waits until everything that Kerf created is gone. */
    leavesNothing: async () => {
      await client.delete(kinds.Deployment, { name: 'nginx', namespace: 'default' })
      await until(
        'no instance and no claim left',
        async () => (await client.list(karpenterKinds.NodeClaim)).items.length === 0 && living().length === 0,
        1_800,
      )
    },
  }
}
