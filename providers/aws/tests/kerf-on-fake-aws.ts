import { kinds } from '@kerf/apis'
import {
  type ControllerSettings,
  defaultControllerSettings,
  Kerf,
  type LegacyOptions,
  permissionOptions,
} from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { type AwsSettings, assembleAws, defaultAwsSettings } from '@kerf/provider-aws'
import { ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import { FakeAws, fakeNode } from '@kerf/provider-aws/testing'
import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import {
  ApiEventRecorder,
  type Clock,
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
import { type Interceptor, SandboxCluster } from '@kerf/sandbox'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { type Until, virtualUntil } from '../../../tests/integration/story/until.ts'

const never = new AbortController().signal

/** A complete Kerf on the sandbox, with an in-memory AWS, in virtual time. */
export interface FakeAwsStory {
  readonly clock: VirtualClock
  readonly client: KubeClient
  readonly aws: FakeAws
  readonly log: RecordingLogger
  readonly metrics: PrometheusMetrics
  readonly until: Until
  /** Returns the controller's response to a request of the dashboard. */
  answer(path: string): Promise<object | undefined>
  pass(seconds: number): Promise<void>
  close(): Promise<void>
}

const BOOT = 20_000

/** Registers a Node, as its user data defines it, for every instance that has run long enough to boot. */
const bootMachines = async (
  client: KubeClient,
  aws: FakeAws,
  clock: Clock,
  signal: AbortSignal,
  before: ReadonlySet<string>,
): Promise<void> => {
  const booted = new Set(before)
  while (!signal.aborted) {
    await sleep(clock, 1_000, signal).catch(() => undefined)
    for (const instance of aws.ec2.living()) {
      const { InstanceId: id, LaunchTime: launched } = instance.data
      const age = clock.now() - (launched?.getTime() ?? 0)
      if (booted.has(id) || instance.endsAt !== undefined || age < BOOT) continue
      booted.add(id)
      const node = fakeNode(instance, aws.ec2.types)
      if (node === undefined) continue
      await client.create(kinds.Node, node).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error
      })
      await client.patch(
        kinds.Node,
        { name: node.metadata.name },
        { type: 'merge', body: { status: node.status } },
        { subresource: 'status' },
      )
    }
  }
}

/** The settings of Kerf. */
export interface FakeAwsSetup {
  readonly aws?: Partial<AwsSettings>
  readonly settings?: Partial<ControllerSettings>
  /** Serves the legacy API. */
  readonly legacy?: LegacyOptions
  /** The CA bundle in base64. */
  readonly caBundle?: string
}

/** The initial state of a story. */
export interface FakeAwsOptions extends FakeAwsSetup {
  /**
   * Creates the objects that exist before Kerf starts, instead of the node class `default`. Returns the ids of instances that have already
   * booted.
   */
  readonly prepare?: (client: KubeClient, aws: FakeAws, clock: VirtualClock) => Promise<ReadonlySet<string>>
  /** Intercepts every call that Kerf makes to the cluster. */
  readonly interceptor?: Interceptor
}

/** Creates an in-memory AWS with few instance types, so that launches are predictable. */
export const smallAws = (clock: Clock): FakeAws => {
  const aws = new FakeAws(clock, { terminationDelay: 5_000, kubernetes: '1.36' })
  aws.ec2.types = aws.ec2.types.filter(({ InstanceType }) => /^(m5|c5|r5)\.(large|xlarge)$/.test(InstanceType ?? ''))
  return aws
}

/** A running Kerf on a cluster with an in-memory AWS, and machines that boot. */
export interface KerfOnFakeAws {
  readonly log: RecordingLogger
  readonly metrics: PrometheusMetrics
  /** Returns the controller's response to a request of the dashboard. */
  answer(path: string): Promise<object | undefined>
  /** Stops Kerf. Resolves when all of Kerf's loops have ended. */
  stop(): Promise<void>
  /** Call it after `stop`. */
  close(): Promise<void>
}

/** Starts Kerf and the machines. Kerf uses `client`, whose calls a test may intercept. The machines and their kubelets use `hands`. */
export const startKerfOnFakeAws = async (
  {
    client,
    hands,
    aws,
    clock,
    random,
    booted,
  }: {
    readonly client: KubeClient
    readonly hands: KubeClient
    readonly aws: FakeAws
    readonly clock: Clock
    readonly random: SeededRandom
    readonly booted: ReadonlySet<string>
  },
  setup: FakeAwsSetup = {},
): Promise<KerfOnFakeAws> => {
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000, ...setup.settings }
  const own = declaredOnly(client, await processPermissions('aws'), permissionOptions(settings))
  const log = new RecordingLogger()
  const metrics = new PrometheusMetrics()
  const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
  const events = new ApiEventRecorder({ client: own, clock, random: random.fork('events'), logger: log })
  const context = { client: own, informers, clock, random: random.fork('provider'), events, log }
  const provider = assembleAws(context, {
    api: aws,
    metrics,
    settings: { ...defaultAwsSettings('demo'), interruptionQueue: 'demo', ...setup.aws },
    region: 'us-east-1',
    caBundle: setup.caBundle ?? 'Q0E=',
    namespace: 'kube-system',
    reservedCapacity: true,
    minValuesPolicy: 'Strict',
  })
  await provider.warmUp(never)
  const kerf = new Kerf(
    {
      ...context,
      provider,
      settings,
      metrics,
    },
    { schedule: scheduleInSteps, ...(setup.legacy === undefined ? {} : { legacy: setup.legacy }) },
  )
  const stop = new AbortController()
  const running = Promise.all([
    kerf.run({ stop: stop.signal, abandon: stop.signal }),
    bootMachines(hands, aws, clock, stop.signal, booted),
  ])
  return {
    log,
    metrics,
    answer: (path) => kerf.respond(path, stop.signal),
    stop: async () => {
      stop.abort(new Error('the story is over'))
      await running
    },
    close: () => events.close(),
  }
}

/** Creates the EC2NodeClass `default`. */
export const createDefaultClass = async (client: KubeClient): Promise<ReadonlySet<string>> => {
  await client.create(ec2NodeClassKind, ec2NodeClass('default'))
  return new Set()
}

export const startFakeAwsStory = async (seed: number, options: FakeAwsOptions = {}): Promise<FakeAwsStory> => {
  const clock = new VirtualClock({ turns: 2 })
  const random = new SeededRandom(seed)
  const cluster = new SandboxCluster({ clock, random: random.fork('cluster') })
  const starting = cluster.start()
  await clock.advance(1_000)
  await starting
  const client = cluster.client
  await installCrds(client)
  const aws = smallAws(clock)
  const booted = await (options.prepare ?? createDefaultClass)(client, aws, clock)
  const { interceptor } = options
  const kerf = await startKerfOnFakeAws(
    {
      client: cluster.api.client(interceptor === undefined ? {} : { interceptor }),
      hands: client,
      aws,
      clock,
      random,
      booted,
    },
    options,
  )
  await clock.advance(2_000)
  const step = 250
  const drive = (action: Promise<void>): Promise<void> => clock.advanceUntilDone(action, step)
  return {
    clock,
    client,
    aws,
    log: kerf.log,
    metrics: kerf.metrics,
    answer: kerf.answer,
    pass: (seconds) => clock.advance(seconds * 1_000),
    until: virtualUntil(clock, kerf.log, step),
    close: async () => {
      await drive(kerf.stop())
      await drive(kerf.close())
      await drive(cluster.stop())
    },
  }
}
