import { findCondition, karpenterKinds, kinds } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { AlibabaProvider, DEFAULT_CNY_PER_USD } from '@kerf/provider-alibaba'
import { type ECSNodeClassSpec, ecsNodeClassDescriptor, ecsNodeClassKind } from '@kerf/provider-alibaba/node-class'
import {
  ACCESS_KEY,
  CLUSTER,
  type FakeApi,
  type FakeInstance,
  fakeApi,
  nodeName,
  REGION,
  registeredNode,
} from '@kerf/provider-alibaba/testing'
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
import { createOtherPool, OTHER } from './other-pool.ts'

const BOOT = 15_000
const never = new AbortController().signal

export interface StoryOptions {
  readonly replicas?: number
  readonly capacityType?: 'spot' | 'on-demand'
  readonly region?: string
  /** The access keys of the process. The default is the keys of the fake account. If the value is undefined, the process has no keys. */
  readonly keys?: Keys | undefined
  readonly spec?: Partial<ECSNodeClassSpec>
  /** Prepares the cloud before Kerf starts. */
  readonly before?: (fake: Pick<FakeApi, 'account' | 'cloud'>) => void
}

/** The access keys of the process. */
interface Keys {
  readonly accessKeyId: string
  readonly accessKeySecret: string
  readonly securityToken?: string
}

const OWN_KEYS: Keys = { accessKeyId: ACCESS_KEY.id, accessKeySecret: ACCESS_KEY.secret }
const NO_KEYS = 'unable to get credentials from any of the providers in the chain'

/**
 * Starts a complete Kerf in virtual time on the sandbox, with an in-memory Alibaba Cloud, a node class, a NodePool and a Deployment. Stops
 * everything when the test ends.
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
  let keys: Keys | undefined = 'keys' in options ? options.keys : OWN_KEYS
  const fake = await fakeApi(clock, {
    ...{ startsFor: 8_000, retries: usualRetries },
    keys: async () => {
      if (keys === undefined) throw new Error(NO_KEYS)
      return keys
    },
  })
  const { account, cloud, api } = fake
  options.before?.(fake)
  const own = () => account.instances.living().filter(({ tags }) => 'karpenter.sh/nodepool' in tags)
  const register = async (instance: FakeInstance): Promise<void> => {
    const current = account.instances.get(instance.id)
    if (current === undefined || current.endsAt !== undefined) return
    if (account.statusOf(current) !== 'Running') {
      clock.timer(BOOT, () => void register(instance))
      return
    }
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
  const start = async (region: string = REGION) => {
    const permitted = declaredOnly(cluster.api.client(), await processPermissions('alibaba'))
    const informers = new SharedInformers({ client: permitted, clock, random: random.fork('informers'), logger: log })
    const events = new ApiEventRecorder({ client: permitted, clock, random: random.fork('events'), logger: log })
    const context = { client: permitted, informers, clock, random: random.fork('provider'), events, log }
    const metrics = new PrometheusMetrics()
    const provider = new AlibabaProvider(context, {
      ...{ api, metrics, region, clusterId: CLUSTER, isManaged: true, vmMemoryOverheadPercent: 0.065 },
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
  const createClass = async (name: string, spec: Partial<ECSNodeClassSpec>): Promise<void> => {
    await client.create(ecsNodeClassKind, { ...ecsNodeClassDescriptor.example, metadata: { name } })
    await client.patch(ecsNodeClassKind, { name }, { type: 'merge', body: { spec } })
  }
  await createClass('default', options.spec ?? {})
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
  let stopKerf = await drive(start(options.region))
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
    run: async (): Promise<number> => (await running(client)).length,
    runs: (count = 3, seconds = 600) =>
      until(`${count} pods running`, async () => (await running(client)).length === count, seconds),
    /** Kills this Kerf process and starts a new one. */
    restart: async (): Promise<void> => {
      await drive(stopKerf())
      stopKerf = await drive(start())
    },
    setKeys: (changed: Keys | undefined = OWN_KEYS): void => {
      keys = changed
    },
    /** Changes the node class of the first NodePool. */
    changeClass: (spec: Partial<ECSNodeClassSpec>) =>
      client.patch(ecsNodeClassKind, { name: 'default' }, { type: 'merge', body: { spec } }),
    /**
     * Creates another node class and NodePool, and a pod that needs them, and waits until the pod runs. This shows that a fault does not
     * affect other NodePools.
     */
    runsElsewhere: async (spec: Partial<ECSNodeClassSpec> = {}): Promise<void> => {
      await createClass(OTHER, spec)
      await createOtherPool(client, classRef)
      await until('the pod of the other NodePool running', async () => {
        const { items } = await client.list(kinds.Pod, { namespace: 'default', labelSelector: `app=${OTHER}` })
        return items.some(({ status }) => status?.phase === 'Running')
      })
    },
    /** Ends an instance without a call from Kerf, like ECS does after an interruption notice. */
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
    /** Deletes the Deployments, and waits until everything that Kerf created is gone. */
    leavesNothing: async () => {
      for (const { metadata } of (await client.list(kinds.Deployment)).items)
        await client.delete(kinds.Deployment, { name: metadata.name, namespace: 'default' })
      await until(
        'no instance and no claim left',
        async () => (await client.list(karpenterKinds.NodeClaim)).items.length === 0 && own().length === 0,
        1_800,
      )
    },
  }
}

export type Story = Awaited<ReturnType<typeof story>>
