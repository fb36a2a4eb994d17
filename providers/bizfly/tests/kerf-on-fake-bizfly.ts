import { findCondition, karpenterKinds, kinds } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { BizflyProvider, METADATA } from '@kerf/provider-bizfly'
import {
  type BizflyCloudNodeClassSpec,
  bizflyNodeClassDescriptor,
  bizflyNodeClassKind,
} from '@kerf/provider-bizfly/node-class'
import { type FakeServer, fakeApi, fakeJoin, REGION, registeredNode } from '@kerf/provider-bizfly/testing'
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
import { type Interceptor, SandboxCluster } from '@kerf/sandbox'
import { onTestFinished } from 'vitest'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { virtualUntil } from '../../../tests/integration/story/until.ts'

const BUILDS_FOR = 8_000
const BOOT = 15_000

export interface StoryOptions {
  readonly replicas?: number
  readonly region?: string
  readonly spec?: Partial<BizflyCloudNodeClassSpec>
  /** Prepares the cloud before Kerf starts. */
  readonly before?: (fake: Pick<ReturnType<typeof fakeApi>, 'account' | 'cloud'>) => void
  /** Creates further objects before Kerf starts, in addition to the class and the NodePool. */
  readonly load?: (
    client: KubeClient,
    fake: Pick<ReturnType<typeof fakeApi>, 'account'>,
    clock: VirtualClock,
  ) => Promise<void>
  /** Intercepts every call that Kerf makes to the cluster. */
  readonly interceptor?: Interceptor
}

/**
 * Starts a complete Kerf in virtual time on the sandbox, with an in-memory Bizfly Cloud, a class, a NodePool and a Deployment. Stops
 * everything when the test ends.
 */
export const story = async (options: StoryOptions = {}) => {
  const clock = new VirtualClock({ turns: 3 })
  const random = new SeededRandom('bizfly stories')
  const cluster = new SandboxCluster({ clock, random: random.fork('cluster') })
  const starting = cluster.start()
  await clock.advance(1_000)
  await starting
  const { client } = cluster
  await installCrds(client)
  const { region = REGION } = options
  const { account, cloud, api } = fakeApi(clock, { buildsFor: BUILDS_FOR, retries: usualRetries, region })
  options.before?.({ account, cloud })
  const own = () => account.servers.living().filter(({ metadata }) => METADATA.nodePool in metadata)
  const register = async ({ id }: FakeServer): Promise<void> => {
    const server = account.servers.get(id)
    if (server === undefined || server.endsAt !== undefined || account.statusOf(server) !== 'ACTIVE') return
    const made = registeredNode(account, server)
    await client.create(kinds.Node, made)
    const body = { status: made.status }
    await client.patch(kinds.Node, { name: server.name }, { type: 'merge', body }, { subresource: 'status' })
  }
  const remove = (name: string): void => void client.delete(kinds.Node, { name }).catch(() => undefined)
  account.onLaunched = (server) => clock.timer(BOOT, () => void register(server))
  account.onReleased = ({ name }) => clock.timer(5_000, () => remove(name))
  const log = new RecordingLogger()
  const drive = <T>(action: Promise<T>): Promise<T> => clock.advanceUntilDone(action, 250)
  const permitted = declaredOnly(
    cluster.api.client({ interceptor: options.interceptor ?? {} }),
    await processPermissions('bizfly'),
  )
  const informers = new SharedInformers({ client: permitted, clock, random: random.fork('informers'), logger: log })
  const recorder = new ApiEventRecorder({ client: permitted, clock, random: random.fork('events'), logger: log })
  const context = { client: permitted, informers, clock, random: random.fork('provider'), events: recorder, log }
  const provider = new BizflyProvider(context, { api, region, join: fakeJoin, kubernetesVersion: '' })
  const classRef = { group: bizflyNodeClassKind.group, kind: bizflyNodeClassKind.kind, name: 'default' }
  const patchClass = (spec: Partial<BizflyCloudNodeClassSpec>) =>
    client.patch(bizflyNodeClassKind, { name: 'default' }, { type: 'merge', body: { spec } })
  await client.create(bizflyNodeClassKind, bizflyNodeClassDescriptor.example)
  await patchClass(options.spec ?? {})
  await client.create(karpenterKinds.NodePool, spreadPool(classRef))
  await options.load?.(client, { account }, clock)
  const stop = new AbortController()
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000 }
  const kerf = new Kerf(
    { ...context, provider, settings, metrics: new PrometheusMetrics() },
    { schedule: scheduleInSteps },
  )
  const ended = kerf.run({ stop: stop.signal, abandon: stop.signal })
  await clock.advance(10_000)
  await client.create(kinds.Deployment, nginx(options.replicas ?? 3))
  const until = virtualUntil(clock, log, 500)
  onTestFinished(async () => {
    stop.abort(new Error('the story is over'))
    await drive(ended)
    await drive(recorder.close())
    await drive(cluster.stop())
  })
  return {
    ...{ clock, client, account, cloud, log, until, servers: own, changeClass: patchClass },
    pass: (seconds: number) => clock.advance(seconds * 1_000),
    scale: (replicas: number) =>
      client.patch(
        kinds.Deployment,
        { name: 'nginx', namespace: 'default' },
        { type: 'merge', body: { spec: { replicas } } },
      ),
    run: async (): Promise<number> => (await running(client)).length,
    runs: (count = 3, seconds = 600) =>
      until(`${count} pods running`, async () => (await running(client)).length === count, seconds),
    condition: async (type: string): Promise<string> => {
      const { status, reason, message } =
        findCondition(await client.get(bizflyNodeClassKind, { name: 'default' }), type) ?? {}
      return `${status} ${reason}: ${message}`
    },
    events: async (): Promise<string> =>
      (await client.list(kinds.Event)).items.map(({ reason, message }) => `${reason}: ${message}`).join('\n'),
    /** Deletes the Deployment, and waits until everything that Kerf created is gone. */
    leavesNothing: async () => {
      await client.delete(kinds.Deployment, { name: 'nginx', namespace: 'default' })
      await until(
        'no server, no disk and no claim left',
        async () =>
          (await client.list(karpenterKinds.NodeClaim)).items.length === 0 && own().length + account.disks.size === 0,
        1_800,
      )
    },
  }
}

export type Story = Awaited<ReturnType<typeof story>>
