import { karpenterKinds, kinds, type Node } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { assembleAzure } from '@kerf/provider-azure'
import { aksNodeClassKind } from '@kerf/provider-azure/node-class'
import { azureTestSettings, FakeAzure, type FakeVm, fakeAzureApi, vmBody, vmNode } from '@kerf/provider-azure/testing'
import { aksNodeClass } from '@kerf/provider-azure/testing/node-class'
import {
  ApiEventRecorder,
  isAlreadyExists,
  type KubeClient,
  PrometheusMetrics,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  sleep,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { nginx, spreadPool } from '../../../tests/integration/story/spread-objects.ts'
import { installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { type Until, virtualUntil } from '../../../tests/integration/story/until.ts'

const BOOT = 15_000
const never = new AbortController().signal

/** A complete Kerf on the sandbox, with an in-memory Azure that the clients of the SDK call, in virtual time. */
export interface FakeAzureStory {
  readonly clock: VirtualClock
  readonly client: KubeClient
  readonly azure: FakeAzure
  readonly log: RecordingLogger
  vms(): readonly FakeVm[]
  /** Sets the version that the API server reports. */
  upgrade(version: string): void
  readonly until: Until
  pass(seconds: number): Promise<void>
  /** Ends this Kerf without a shutdown, and starts another one. If `env` is given, the new one has these settings. */
  restart(env?: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

const withVersion = (client: KubeClient, version: () => string): KubeClient =>
  new Proxy(client, {
    get: (target, name) => {
      if (name === 'raw') return async () => ({ gitVersion: version() })
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })

/** Registers a Node, as its custom data defines it, for every VM that has run long enough to boot. */
const bootVms = async (
  client: KubeClient,
  azure: FakeAzure,
  clock: VirtualClock,
  signal: AbortSignal,
): Promise<void> => {
  const seen = new Map<string, number>()
  while (!signal.aborted) {
    await sleep(clock, 1_000, signal).catch(() => undefined)
    azure.store.settle()
    const vms = azure.vms.all().map(vmBody)
    // The cloud controller manager deletes Nodes without a VM.
    for (const { metadata } of (await client.list(kinds.Node)).items)
      if (!vms.some(({ name }) => name === metadata.name))
        await client.delete(kinds.Node, { name: metadata.name }).catch(() => undefined)
    for (const vm of vms) {
      if (vm.properties.provisioningState !== 'Succeeded') continue
      const since = seen.get(vm.id) ?? clock.monotonic()
      seen.set(vm.id, since)
      if (clock.monotonic() - since < BOOT || since < 0) continue
      const { node, amounts, status } = vmNode(azure, vm)
      const made = await client.create<Node>(kinds.Node, node).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error
        return undefined
      })
      if (made === undefined) continue
      const body = { status: { ...status, ...amounts } }
      await client.patch(kinds.Node, { name: vm.name }, { type: 'merge', body }, { subresource: 'status' })
      seen.set(vm.id, Number.NEGATIVE_INFINITY)
    }
  }
}

/**
 * Starts a story with the node class `default`, the NodePool `general`, and a Deployment of `replicas` pods. `before` prepares the cloud.
 */
export const startFakeAzureStory = async (
  options: {
    readonly before?: (azure: FakeAzure) => void
    readonly replicas?: number
    readonly capacityType?: 'spot' | 'on-demand'
    /** Overrides the settings for the cluster of the fake. */
    readonly env?: Readonly<Record<string, string>>
    /** The seed of random decisions, for example of the zone that Kerf tries first. */
    readonly seed?: string
  } = {},
): Promise<FakeAzureStory> => {
  const clock = new VirtualClock({ turns: 3 })
  const random = new SeededRandom(options.seed ?? 'azure stories')
  const cluster = new SandboxCluster({ clock, random: random.fork('cluster') })
  const starting = cluster.start()
  await clock.advance(1_000)
  await starting
  const { client } = cluster
  await installCrds(client)
  const azure = new FakeAzure(clock)
  options.before?.(azure)
  let version = 'v1.35.1'
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000 }
  const log = new RecordingLogger()
  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const azureSettings = azureTestSettings(env)
    const own = declaredOnly(
      withVersion(cluster.api.client(), () => version),
      await processPermissions('azure'),
    )
    const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
    const events = new ApiEventRecorder({ client: own, clock, random: random.fork('events'), logger: log })
    const context = { client: own, informers, clock, random: random.fork('provider'), events, log }
    const metrics = new PrometheusMetrics()
    const provider = assembleAzure(context, {
      api: fakeAzureApi(azure, undefined, azure.send, azureSettings.azureNodeResourceGroup),
      ...{ metrics, settings: azureSettings, caBundle: 'Q0E=' },
      ...{ namespace: 'kube-system', hasBilling: true },
    })
    await provider.warmUp(never)
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
  const drive = <T>(action: Promise<T>): Promise<T> => clock.advanceUntilDone(action, 250)
  const classRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' }
  await client.create(aksNodeClassKind, aksNodeClass('default'))
  await client.create(
    karpenterKinds.NodePool,
    spreadPool(classRef, {
      template: {
        spec: {
          nodeClassRef: classRef,
          expireAfter: 'Never',
          requirements: [
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: [options.capacityType ?? 'on-demand'] },
          ],
        },
      },
    }),
  )
  let stopKerf = await drive(start(options.env))
  const bootsEnd = new AbortController()
  const boots = bootVms(client, azure, clock, bootsEnd.signal)
  await clock.advance(2_000)
  await client.create(kinds.Deployment, nginx(options.replicas ?? 3))
  return {
    ...{ clock, client, azure, log },
    vms: () => {
      azure.store.settle()
      return azure.vms.all().map(vmBody)
    },
    upgrade: (to) => {
      version = to
    },
    pass: (seconds) => clock.advance(seconds * 1_000),
    until: virtualUntil(clock, log, 500),
    restart: async (env) => {
      await drive(stopKerf())
      stopKerf = await drive(start(env))
    },
    close: async () => {
      await drive(stopKerf())
      bootsEnd.abort(new Error('the story is over'))
      await drive(boots)
      await drive(cluster.stop())
    },
  }
}

/** Writes the ConfigMap in which AKS publishes the maintenance window. */
export const setWindow = async (client: KubeClient, data: Readonly<Record<string, string>>): Promise<void> => {
  const metadata = { name: 'upcoming-maintenance-window', namespace: 'kube-system' }
  await client.delete(kinds.ConfigMap, metadata).catch(() => undefined)
  await client.create(kinds.ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
}
