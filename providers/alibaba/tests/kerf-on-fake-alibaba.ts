import { findCondition, karpenterKinds, kinds } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { AlibabaProvider, DEFAULT_CNY_PER_USD } from '@kerf/provider-alibaba'
import { ecsNodeClassDescriptor, ecsNodeClassKind } from '@kerf/provider-alibaba/node-class'
import { CLUSTER, type FakeInstance, fakeApi, nodeName, REGION, registeredNode } from '@kerf/provider-alibaba/testing'
import { usualRetries } from '@kerf/provider-kit'
import {
  ApiEventRecorder,
  PrometheusMetrics,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { onTestFinished } from 'vitest'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { virtualUntil } from '../../../tests/integration/story/until.ts'

const BOOT = 15_000
const never = new AbortController().signal

export interface StoryOptions {
  readonly replicas?: number
  readonly capacityType?: 'spot' | 'on-demand'
  /** Prepares the cloud before Kerf starts. */
  readonly before?: (fake: Awaited<ReturnType<typeof fakeApi>>) => void
}

/**
 * Starts a complete Kerf on the sandbox with an Alibaba Cloud in memory, in virtual time, with a class, a NodePool and a Deployment. The end
 * of the test closes it.
 */
export const story = async (options: StoryOptions = {}) => {
  const clock = new VirtualClock({ turns: 3 })
  const random = new SeededRandom('alibaba stories')
  const cluster = new SandboxCluster({ clock, random: random.fork('cluster') })
  const starting = cluster.start()
  await clock.advance(1_000)
  await starting
  const { client } = cluster
  await installCrds(client)
  const fake = await fakeApi(clock, { startsFor: 8_000, retries: usualRetries })
  const { account, cloud, api } = fake
  options.before?.(fake)
  const own = () => account.instances.living().filter(({ tags }) => 'karpenter.sh/nodepool' in tags)
  const register = async (instance: FakeInstance): Promise<void> => {
    const current = account.instances.get(instance.id)
    if (current === undefined || current.endsAt !== undefined) return
    const made = registeredNode(account, current)
    await client.create(kinds.Node, made)
    await client.patch(
      kinds.Node,
      { name: made.metadata.name },
      { type: 'merge', body: { status: made.status } },
      { subresource: 'status' },
    )
  }
  const remove = (id: string): void => void client.delete(kinds.Node, { name: nodeName(id) }).catch(() => undefined)
  account.onLaunched = (instance) => clock.timer(BOOT, () => void register(instance))
  account.onReleased = ({ id }) => clock.timer(5_000, () => remove(id))
  const log = new RecordingLogger()
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000 }
  const drive = <T>(action: Promise<T>): Promise<T> => clock.advanceUntilDone(action, 250)
  const start = async () => {
    const permitted = declaredOnly(cluster.api.client(), await processPermissions('alibaba'))
    const informers = new SharedInformers({ client: permitted, clock, random: random.fork('informers'), logger: log })
    const events = new ApiEventRecorder({ client: permitted, clock, random: random.fork('events'), logger: log })
    const context = { client: permitted, informers, clock, random: random.fork('provider'), events, log }
    const metrics = new PrometheusMetrics()
    const provider = new AlibabaProvider(context, {
      ...{ api, metrics, region: REGION, clusterId: CLUSTER, isManaged: true, vmMemoryOverheadPercent: 0.065 },
      ...{
        cnyPerUsd: DEFAULT_CNY_PER_USD,
        firstPrices: new Map(),
        namespace: 'kube-system',
        watchesInterruptions: true,
      },
    })
    await provider.warmUp(never)
    const stop = new AbortController()
    const run = new Kerf({ ...context, provider, settings, metrics }, { schedule: scheduleInSteps }).run({
      ...{ stop: stop.signal, abandon: stop.signal },
    })
    return async () => {
      stop.abort(new Error('the story is over'))
      await run
      await events.close()
    }
  }
  const classRef = { group: ecsNodeClassKind.group, kind: ecsNodeClassKind.kind, name: 'default' }
  await client.create(ecsNodeClassKind, ecsNodeClassDescriptor.example)
  await client.create(
    karpenterKinds.NodePool,
    spreadPool(classRef, {
      template: {
        spec: {
          nodeClassRef: classRef,
          expireAfter: 'Never',
          requirements: [
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: [options.capacityType ?? 'on-demand'] },
            { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
          ],
        },
      },
    }),
  )
  let stopKerf = await drive(start())
  await clock.advance(10_000)
  await client.create(kinds.Deployment, nginx(options.replicas ?? 3))
  const until = virtualUntil(clock, log, 500)
  onTestFinished(async () => {
    await drive(stopKerf())
    await drive(cluster.stop())
  })
  const scale = (replicas: number) =>
    client.patch(
      kinds.Deployment,
      { name: 'nginx', namespace: 'default' },
      { type: 'merge', body: { spec: { replicas } } },
    )
  return {
    ...{ clock, client, account, cloud, log, until, scale, instances: own },
    pass: (seconds: number) => clock.advance(seconds * 1_000),
    runs: (count = 3, seconds = 600) =>
      until(`${count} pods running`, async () => (await running(client)).length === count, seconds),
    /** Ends this Kerf without a shutdown, and starts another one. */
    restart: async () => {
      await drive(stopKerf())
      stopKerf = await drive(start())
    },
    /** Ends an instance as ECS does after an interruption notice, without a call from Kerf. */
    end: (id: string) => {
      account.vanish(id)
      remove(id)
    },
    condition: async (type: string): Promise<string> => {
      const { status, reason, message } =
        findCondition(await client.get(ecsNodeClassKind, { name: 'default' }), type) ?? {}
      return `${status} ${reason}: ${message}`
    },
    /** Returns the Launched condition of each NodeClaim as text. */
    launches: async (): Promise<readonly string[]> =>
      (await client.list(karpenterKinds.NodeClaim)).items.map((claim) => {
        const { status, reason, message } = findCondition(claim, 'Launched') ?? {}
        return `${status} ${reason}: ${message}`
      }),
    events: async (): Promise<string> =>
      (await client.list(kinds.Event)).items.map(({ reason, message }) => `${reason}: ${message}`).join('\n'),
    /** Scales to zero, and waits until everything that Kerf created is gone. */
    leavesNothing: async () => {
      await scale(0)
      await until(
        'no instance and no claim left',
        async () => (await client.list(karpenterKinds.NodeClaim)).items.length === 0 && own().length === 0,
        1_800,
      )
    },
  }
}
