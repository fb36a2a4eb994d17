import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, kinds, labels, type Milliseconds } from '@kerf/apis'
import { startControlPlane } from '@kerf/control-plane'
import { defaultKwokSettings, simulatedKubelet } from '@kerf/provider-kwok'
import {
  ControllerManager,
  findConnection,
  HttpKubeClient,
  isNotFound,
  type KubeClient,
  PrometheusMetrics,
  SharedInformers,
  SystemClock,
  SystemRandom,
  silentLogger,
  sleep,
} from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { RealAutoscaler, writeGroups } from '../../integration/migrate/real-autoscaler.ts'
import { KerfProcess } from '../../integration/story/kerf-process.ts'
import { GROUP, groupTemplate, LAB_FLAGS, labObjects, type Separation } from './lab-objects.ts'
import { LabWatch, nodeSide, type Side } from './lab-watch.ts'
import type { LabCluster, LabRecord } from './run-lab.ts'

/** One line of the API server's audit log. */
interface Audited {
  readonly verb: string
  readonly user: { readonly username: string }
  readonly requestReceivedTimestamp: string
  readonly objectRef?: { readonly resource: string; readonly subresource?: string; readonly name?: string }
  readonly responseStatus?: { readonly code?: number }
}

const SIDES: readonly Side[] = ['kerf', 'cluster-autoscaler']
const POLICY = JSON.stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    {
      level: 'Metadata',
      users: SIDES,
      verbs: ['create', 'update', 'patch', 'delete'],
      resources: [{ group: '', resources: ['nodes', 'nodes/*', 'pods/eviction'] }],
    },
    { level: 'None' },
  ],
})

const createObjects = async (client: KubeClient, clock: SystemClock, separation: Separation): Promise<void> => {
  for (const { manifest } of allCrdFiles())
    await client.create(
      kinds.CustomResourceDefinition,
      manifest as unknown as KubeObject & { spec: Readonly<Record<string, unknown>> },
    )
  for (const { kind, object } of labObjects(separation))
    for (let tries = 1; ; tries++)
      try {
        await client.create(kind, object)
        break
      } catch (error) {
        // The API server serves a new kind only some time after its CRD is stored.
        if (!isNotFound(error) || tries === 100) throw error
        await sleep(clock, 100)
      }
}

/**
 * Returns what both autoscalers did, according to the audit log. The nodes that Cluster Autoscaler bought are the Nodes that it created,
 * because its KWOK provider creates one per instance. Its Events are not used, because after ten Events with the same reason, a single
 * Event replaces all further ones for ten minutes.
 */
const recordOf = (log: string): LabRecord => {
  const audited = readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Audited] : []))
    .filter(({ responseStatus }) => (responseStatus?.code ?? 200) < 300)
  const by = ({ user }: Audited): Side => (user.username === 'kerf' ? 'kerf' : 'cluster-autoscaler')
  return {
    bought: audited.flatMap((line) =>
      line.objectRef?.resource === 'nodes' &&
      line.objectRef.subresource === undefined &&
      line.verb === 'create' &&
      by(line) === 'cluster-autoscaler'
        ? [{ at: Date.parse(line.requestReceivedTimestamp), nodes: 1 }]
        : [],
    ),
    evictions: audited.flatMap((line) =>
      line.objectRef?.subresource === 'eviction'
        ? [{ at: Date.parse(line.requestReceivedTimestamp), by: by(line), pod: line.objectRef.name ?? '' }]
        : [],
    ),
    nodeWrites: audited.flatMap((line) =>
      line.objectRef?.resource === 'nodes' && line.verb !== 'create'
        ? [{ by: by(line), verb: line.verb, node: line.objectRef.name ?? '' }]
        : [],
    ),
  }
}

/** Starts the real Cluster Autoscaler and Kerf as processes on a real control plane, and simulates the kubelets. */
export const openRealLab = async (
  binary: string,
  separation: Separation,
  /** Called when everything except the pods of the waves exists. */
  beforehand: (client: KubeClient) => Promise<void>,
): Promise<LabCluster> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-lab-'))
  const [log, policy] = [join(directory, 'audit.log'), join(directory, 'policy.json')]
  writeFileSync(log, '')
  writeFileSync(policy, POLICY)
  const plane = await startControlPlane({
    users: SIDES.map((name) => ({ name, groups: ['system:masters'] })),
    flags: { 'kube-apiserver': [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`] },
  })
  const clock = new SystemClock()
  const random = new SystemRandom()
  const logger = silentLogger
  const connection = findConnection({ clock, env: {}, kubeconfig: plane.kubeconfig })
  const client = new HttpKubeClient({ connection, clock, random, logger })
  const stop = new AbortController()
  const ends: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end().catch(() => {})
    stop.abort()
    await client.close()
    await plane.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await createObjects(client, clock, separation)
    const informers = new SharedInformers({ client, clock, random, logger })
    const watch = new LabWatch(informers, clock)
    const manager = new ControllerManager({ clock, random, logger, metrics: new PrometheusMetrics() })
    const context = { client, informers, clock, random, events: new RecordingEventRecorder(), log: logger }
    manager.add(...simulatedKubelet(context, defaultKwokSettings, (node) => nodeSide(node) !== undefined))
    informers.start(stop.signal)
    const running = manager.run({ stop: stop.signal })
    ends.push(async () => {
      stop.abort()
      await running
    })
    // The KWOK provider counts the existing nodes of a group. The group starts with one node, so that `kerf doctor` can see the properties
    // of its nodes.
    const { metadata, spec, status, ...first } = groupTemplate(separation)
    const name = `${GROUP}-0`
    await client.create(kinds.Node, {
      ...first,
      metadata: { ...metadata, name, labels: { ...metadata.labels, [labels.hostname]: name } },
      spec: { ...spec, providerID: `kwok:${name}` },
    })
    await client.patch(kinds.Node, { name }, { type: 'merge', body: { status } }, { subresource: 'status' })
    await writeGroups(client, [{ min: 1, max: 80, desired: 1, template: groupTemplate(separation) }])
    const autoscaler = await RealAutoscaler.start({
      binary,
      kubeconfig: plane.kubeconfigOf('cluster-autoscaler'),
      server: connection.server,
      flags: LAB_FLAGS,
      client,
      clock,
    })
    ends.push(() => autoscaler.kill())
    const kerf = KerfProcess.start(plane.kubeconfigOf('kerf'), [
      '--simulate-kubelet=false',
      '--disable-leader-election',
      '--foreign-nodes=ignore',
    ])
    ends.push(() => kerf.stop())
    await sleep(clock, 20_000)
    await beforehand(client)
    return {
      client,
      clock,
      watch,
      pass: (duration: Milliseconds) => sleep(clock, duration),
      record: async () => recordOf(log),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
