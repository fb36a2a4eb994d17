import { type KubeObject, kinds, type NewObject, type ResourceKind } from '@kerf/apis'
import { type KubeClient, RecordingLogger, SeededRandom, SharedInformers, VirtualClock } from '@kerf/runtime'
import { type ApiCall, type Interceptor, SandboxApi } from '@kerf/sandbox'
import { InformedManagementCluster, type ManagementClusterOptions } from '../management/informed-management-cluster.ts'
import { wrappedClient } from '../management/wrapped-client.ts'
import type { ClusterApiVersion } from '../objects/api-version.ts'
import { clusterApiKinds } from '../objects/kinds.ts'
import { installClusterApi } from './simulator/definitions.ts'
import { forbidden, type RoleOf, withReviews } from './upstream-role.ts'

/** A management cluster and a separate workload cluster: two API servers in virtual time, without controllers. */
export interface ManagementHarness {
  readonly clock: VirtualClock
  readonly log: RecordingLogger
  /** A client of the management cluster with all permissions and without faults. */
  readonly admin: KubeClient
  readonly workload: KubeClient
  readonly management: InformedManagementCluster
  /** The calls of Kerf to the management cluster, as `verb plural`. */
  readonly calls: string[]
  /** Returns the error of a call. Undefined lets the call pass. */
  fault: ((call: ApiCall) => Error | undefined) | undefined
  /** Whether watches receive nothing, as after a firewall dropped the connections. */
  isSilent: boolean
  /**
   * The API server's permissions for a verb on a resource. If undefined, everything is allowed, and permission checks are not
   * supported.
   */
  allows: RoleOf | undefined
  /** Ends all watches, like a broken connection. */
  dropWatches(error?: Error): void
  stop(): void
}

export interface ManagementHarnessOptions extends Partial<Pick<ManagementClusterOptions, 'cluster'>> {
  /** `none`: Cluster API is not installed. */
  readonly version?: ClusterApiVersion | 'none'
  /** Objects of the management cluster, in the format of the samples. */
  readonly objects?: readonly KubeObject[]
  readonly nodes?: readonly KubeObject[]
}

const createWhole = async (client: KubeClient, kind: ResourceKind, object: KubeObject): Promise<void> => {
  // No controller would remove a finalizer.
  const { uid: _uid, resourceVersion: _version, finalizers: _finalizers, ...metadata } = object.metadata
  const wanted: NewObject<KubeObject> = { ...object, metadata }
  await client.create(kind, wanted)
}

/** Returns the client with features that the sandbox's API server lacks: silence, and answers to permission checks. */
const limited = (client: KubeClient, harness: Pick<ManagementHarness, 'isSilent' | 'allows'>): KubeClient => {
  const wrapped = wrappedClient({
    call: (send) => send(client),
    watch: async function* (open) {
      for await (const event of open(client)) if (!harness.isSilent) yield event
    },
  })
  return withReviews(wrapped, () => harness.allows)
}

/** Starts both clusters without waiting for anything. */
export const startManagementHarness = async (options: ManagementHarnessOptions = {}): Promise<ManagementHarness> => {
  const [clock, random, log] = [new VirtualClock(), new SeededRandom(1), new RecordingLogger()]
  const [there, here] = [new SandboxApi({ clock, random }), new SandboxApi({ clock, random })]
  const admin = there.client()
  const { version = 'v1beta2' } = options
  if (version !== 'none') await installClusterApi(admin, version)
  const played = version === 'none' ? {} : clusterApiKinds(version)
  for (const object of options.objects ?? []) {
    const kind = Object.values<ResourceKind>({ ...played }).find((each) => each.kind === object.kind)
    if (kind === undefined) throw new Error(`a management cluster has no ${object.kind}`)
    await createWhole(admin, kind, object)
  }
  const workload = here.client()
  for (const node of options.nodes ?? []) await createWhole(workload, kinds.Node, node)
  const informers = new SharedInformers({ client: workload, clock, random, logger: log })
  const stop = new AbortController()
  const calls: string[] = []
  const watches = new Set<(error?: Error) => void>()
  const harness: Pick<ManagementHarness, 'fault' | 'isSilent' | 'allows'> = {
    fault: undefined,
    isSilent: false,
    allows: undefined,
  }
  const interceptor: Interceptor = {
    before: (call) => {
      calls.push(`${call.verb} ${call.kind?.plural ?? call.path}`)
      const fault = harness.fault?.(call)
      if (fault !== undefined) throw fault
      if (call.kind !== undefined && harness.allows?.(call.verb, call.kind.plural) === false)
        throw forbidden(call.verb, call.kind.plural)
    },
    watching: (_call, drop) => {
      const end = (error?: Error): void => drop(error as never)
      watches.add(end)
      return () => watches.delete(end)
    },
  }
  const management = new InformedManagementCluster({
    ...{ clock, random, log, client: limited(there.client({ interceptor }), harness), origin: 'the test' },
    nodes: informers.of(kinds.Node),
    ...(options.cluster !== undefined && { cluster: options.cluster }),
  })
  informers.start(stop.signal)
  void management.run(stop.signal)
  return Object.assign(harness, {
    ...{ clock, log, admin, workload, management, calls },
    dropWatches: (error?: Error) => {
      for (const drop of [...watches]) drop(error)
    },
    stop: () => stop.abort(new Error('the test is over')),
  })
}
