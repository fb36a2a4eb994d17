import { karpenterKinds, kinds } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { GcpProvider } from '@kerf/provider-gcp'
import { type GCENodeClassSpec, gceNodeClassKind } from '@kerf/provider-gcp/node-class'
import {
  FakeGcp,
  fakeApi,
  gceNode,
  gcpTestOptions,
  loadSdk,
  publishImages,
  sourceTemplate,
} from '@kerf/provider-gcp/testing'
import { gceNodeClass } from '@kerf/provider-gcp/testing/node-class'
import { usualRetries } from '@kerf/provider-kit'
import {
  ApiEventRecorder,
  type KubeClient,
  PrometheusMetrics,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { type Until, virtualUntil } from '../../../tests/integration/story/until.ts'

const SECOND = 1_000
/** The time from the creation of an instance until its kubelet registers. */
const BOOT = 10 * SECOND
/** The milestone of the images that exist when a story begins. */
const MILESTONE = '125-19216-220-12'

export interface StoryOptions {
  /** Default: 3. */
  readonly replicas?: number
  /** Default: on-demand. */
  readonly capacityType?: 'spot' | 'on-demand'
  /** The instance types that the NodePool allows. If absent, it allows all types. */
  readonly types?: readonly string[]
  /** Fields of the node class `default`. */
  readonly spec?: Partial<GCENodeClassSpec>
  /** Prepares the cloud before Kerf starts. */
  readonly before?: (gcp: FakeGcp) => void
  /** Overrides settings for the fake's cluster. */
  readonly settings?: Partial<FakeSettings>
}

/** The settings of Kerf that stories can override. `project` and `location` also change the requests that Kerf sends. */
type FakeSettings = Pick<ReturnType<typeof gcpTestOptions>, 'project' | 'location' | 'region' | 'sourcePool'>

/** A complete Kerf in virtual time on the sandbox. The SDK's clients call an in-memory Google Cloud. */
export interface FakeGcpStory {
  readonly clock: VirtualClock
  readonly client: KubeClient
  readonly gcp: FakeGcp
  readonly log: RecordingLogger
  readonly until: Until
  /** Publishes the images of a milestone, which are then the newest ones. */
  publish(milestone: string): Promise<void>
  pass(seconds: number): Promise<void>
  /** Kills this Kerf process and starts a new one, with the given settings overridden. */
  restart(options?: Partial<FakeSettings>): Promise<void>
  close(): Promise<void>
}

/** Until the story ends, registers a Node for every instance that has booted, and deletes Nodes without an instance. */
const bootInstances = (client: KubeClient, gcp: FakeGcp, clock: VirtualClock): (() => void) => {
  const runningSince = new Map<string, number>()
  const registered = new Set<string>()
  let isOver = false
  const register = async (instance: Parameters<typeof gceNode>[0]): Promise<void> => {
    const { status, ...node } = gceNode(instance)
    await client.create(kinds.Node, node)
    const { name } = node.metadata
    await client.patch(kinds.Node, { name }, { type: 'merge', body: { status } }, { subresource: 'status' })
  }
  const look = (): void => {
    if (isOver) return
    const all = gcp.instances.all()
    const now = clock.monotonic()
    for (const instance of all) {
      const { name } = instance.body
      if (instance.status !== 'RUNNING' || registered.has(name)) continue
      const since = runningSince.get(name) ?? now
      runningSince.set(name, since)
      if (now - since < BOOT) continue
      registered.add(name)
      void register(instance)
    }
    const living = new Set(all.filter(({ status }) => status !== 'TERMINATED').map(({ body }) => body.name))
    // The cloud controller manager deletes Nodes without a running instance.
    for (const name of registered)
      if (!living.has(name)) {
        registered.delete(name)
        client.delete(kinds.Node, { name }).catch(() => undefined)
      }
    clock.timer(SECOND, look)
  }
  look()
  return () => {
    isOver = true
  }
}

/** Starts a story with the node class `default`, the NodePool `general`, and a Deployment of `replicas` pods. */
export const startFakeGcpStory = async (options: StoryOptions = {}): Promise<FakeGcpStory> => {
  await loadSdk()
  const clock = new VirtualClock({ turns: 3 })
  const random = new SeededRandom('gcp stories')
  const cluster = new SandboxCluster({ clock, random: random.fork('cluster') })
  const starting = cluster.start()
  await clock.advance(SECOND)
  await starting
  const { client } = cluster
  await installCrds(client)
  const gcp = new FakeGcp(clock)
  gcp.templates = [sourceTemplate('default-pool')]
  let published = 0
  const publish = (milestone: string): Promise<void> => publishImages(gcp, client, milestone, SECOND * published++)
  await publish(MILESTONE)
  options.before?.(gcp)
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000 }
  const log = new RecordingLogger()
  const drive = <T>(action: Promise<T>): Promise<T> => clock.advanceUntilDone(action, 250)
  const start = async (changed: Partial<FakeSettings> = {}) => {
    const own = declaredOnly(cluster.api.client(), await processPermissions('gcp'))
    const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
    const events = new ApiEventRecorder({ client: own, clock, random: random.fork('events'), logger: log })
    const context = { client: own, informers, clock, random: random.fork('provider'), events, log }
    const metrics = new PrometheusMetrics()
    const providerOptions = { ...gcpTestOptions(clock), ...changed, metrics }
    const { project, location } = providerOptions
    const api = fakeApi(gcp, { project, location, retries: usualRetries })
    const provider = new GcpProvider(context, { ...providerOptions, api })
    const stop = new AbortController()
    const running = new Kerf({ ...context, provider, settings, metrics }, { schedule: scheduleInSteps }).run({
      ...{ stop: stop.signal, abandon: stop.signal },
    })
    return async () => {
      stop.abort(new Error('the story is over'))
      await running
      await events.close()
    }
  }
  const classRef = { group: gceNodeClassKind.group, kind: gceNodeClassKind.kind, name: 'default' }
  await client.create(gceNodeClassKind, gceNodeClass('default', { spec: options.spec ?? {} }))
  await client.create(
    karpenterKinds.NodePool,
    spreadPool(classRef, {
      template: {
        spec: {
          nodeClassRef: classRef,
          expireAfter: 'Never',
          requirements: [
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: [options.capacityType ?? 'on-demand'] },
            ...(options.types === undefined
              ? []
              : [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: options.types }]),
          ],
        },
      },
    }),
  )
  let stopKerf = await drive(start(options.settings))
  const bootsEnd = bootInstances(client, gcp, clock)
  await clock.advance(2 * SECOND)
  await client.create(kinds.Deployment, nginx(options.replicas ?? 3))
  return {
    ...{ clock, client, gcp, log, publish },
    pass: (seconds) => clock.advance(seconds * SECOND),
    until: virtualUntil(clock, log, 500),
    restart: async (changed) => {
      await drive(stopKerf())
      stopKerf = await drive(start(changed))
    },
    close: async () => {
      await drive(stopKerf())
      bootsEnd()
      await drive(cluster.stop())
    },
  }
}
