import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groupVersion, type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import { type ControlPlane, findComponents, startControlPlane } from '@kerf/control-plane'
import { untilPasses } from '@kerf/control-plane/progress'
import { parseSettings, RecordingLogger, SeededRandom, SharedInformers, VirtualClock } from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { node } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kerfClient } from '../../../tests/integration/conformance/kerf-client.ts'
import { createManagementCluster } from '../src/management/create-management-cluster.ts'
import { clusterApiKinds } from '../src/objects/kinds.ts'
import { managementPermissions } from '../src/permissions.ts'
import { clusterApiSettings } from '../src/settings.ts'
import { sample } from '../src/testing/samples.ts'
import { installClusterApi } from '../src/testing/simulator/definitions.ts'

const cluster = clusterApiKinds('v1beta2')
const MACHINE = 'small-xgbxt-2fcss'
const ours = { namespace: 'default', name: 'small' }
const signal = new AbortController().signal

type Rule = {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/** The rules of upstream's chart at 2e0fec7. */
const upstream: readonly Rule[] = [
  {
    apiGroups: ['cluster.x-k8s.io'],
    resources: ['machines', 'machinedeployments'],
    verbs: ['get', 'list', 'watch', 'update'],
  },
]
const declared: readonly Rule[] = managementPermissions.map(({ kind, verbs }) => ({
  apiGroups: [kind.group],
  resources: [kind.plural],
  verbs,
}))

describe.skipIf('missing' in findComponents())('a separate management cluster, with accounts and roles', () => {
  let plane: ControlPlane
  const at = (): ControlPlane => plane
  const stop = new AbortController()
  const folder = mkdtempSync(join(tmpdir(), 'kerf-management-'))
  const [clock, log] = [new VirtualClock(), new RecordingLogger()]
  afterAll(async () => {
    stop.abort(new Error('the test is over'))
    rmSync(folder, { recursive: true })
    await plane.stop()
  })

  const grant = async (account: string, rules: readonly Rule[]): Promise<void> => {
    const objects = [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace: 'default' } },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: account }, rules },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: account },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: account },
        subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'default' }],
      },
    ]
    const { code, stderr } = await at().kubectl(
      ['apply', '-f', '-'],
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
    )
    if (code !== 0) throw new Error(stderr)
  }
  const file = join(folder, 'config')
  const writeKubeconfig = async (account: string): Promise<void> => {
    const { stdout } = await at().kubectl(['create', 'token', account, '-n', 'default'])
    const { server, ca } = at()
    const config = {
      clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      users: [{ name: 'u', user: { token: stdout.trim() } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }
    writeFileSync(file, JSON.stringify(config))
  }
  const management = () => {
    const admin = kerfClient(at())
    const [random, events] = [new SeededRandom(1), new RecordingEventRecorder()]
    const informers = new SharedInformers({ client: admin, clock, random, logger: log })
    const { settings } = parseSettings(clusterApiSettings, { CLUSTER_API_KUBECONFIG: file })
    const made = createManagementCluster(
      settings,
      { client: admin, informers, clock, random, events, log },
      { env: {} },
    )
    informers.start(stop.signal)
    void made.run(stop.signal)
    return made
  }
  let known: ReturnType<typeof management>
  const missing = (): readonly string[] =>
    known.problems().map(({ detail }) => detail.replace(/^Kerf cannot (.*) in the management cluster.*$/, '$1'))
  /** Advances the clock until the assertions pass, because the API server responds in real time. */
  const until = async (holds: () => void): Promise<void> => {
    await untilPasses(
      async () => {
        await clock.advance(5_000)
        holds()
      },
      { what: 'the management cluster to be read', everyMs: 50 },
    )
  }

  beforeAll(async () => {
    plane = await startControlPlane({ rbac: true })
    const admin = kerfClient(at())
    await installClusterApi(admin, 'v1beta2')
    const objects = [
      [cluster.Cluster, 'cluster'],
      [cluster.MachineDeployment, 'machine-deployment'],
      [cluster.MachineSet, 'machine-set'],
      [cluster.Machine, 'machine'],
    ] as const
    for (const [kind, name] of objects) {
      const { metadata, ...rest } = sample<KubeObject>('v1beta2', name)
      const {
        uid: _uid,
        resourceVersion: _version,
        finalizers: _finalizers,
        ownerReferences: _owners,
        ...kept
      } = metadata
      const create = () => admin.create<KubeObject>(kind as ResourceKind, { ...rest, metadata: kept })
      await untilPasses(create, { what: `the first ${kind.kind}` })
    }
    const {
      metadata: _metadata,
      status: _status,
      ...joined
    } = node(MACHINE, { spec: { providerID: `in-memory://${MACHINE}` } })
    await admin.create(kinds.Node, { ...joined, apiVersion: groupVersion(kinds.Node), metadata: { name: MACHINE } })
    await grant('kerf', upstream)
    await writeKubeconfig('kerf')
    known = management()
  })

  test('with the role of upstream, Kerf finds its own Cluster and names each missing permission with its verbs', async () => {
    await until(() => expect(missing()).toHaveLength(5))
    expect(missing()).toEqual([
      'delete machines.cluster.x-k8s.io',
      'list machinesets.cluster.x-k8s.io',
      'watch machinesets.cluster.x-k8s.io',
      'list clusters.cluster.x-k8s.io',
      'watch clusters.cluster.x-k8s.io',
    ])
    expect(known.ownCluster).toEqual({ namespace: 'default', name: 'bed' })
    expect(known.machinesWith(`in-memory://${MACHINE}`)).toHaveLength(1)
  })

  test('with the role of upstream, Kerf sends an update with a resourceVersion instead of a patch', async () => {
    const read = await known.fresh(ours, signal)
    expect(read).toMatchObject({ deployment: { replicas: 3 }, sets: [], machines: [{ name: MACHINE }] })
    const lock = (resourceVersion = '') => ({ metadata: { resourceVersion }, spec: { replicas: 4 } })
    await known.patch(cluster.MachineDeployment, ours, lock(read?.deployment.resourceVersion), signal)
    expect((await known.fresh(ours, signal))?.deployment.replicas).toBe(4)
    const stale = known.patch(cluster.MachineDeployment, ours, lock(read?.deployment.resourceVersion), signal)
    await expect(stale).rejects.toMatchObject({ code: 409 })
  })

  test('Kerf uses a kubeconfig with another account after the first one is deleted, and its role is enough', async () => {
    await grant('kerf-declared', declared)
    await writeKubeconfig('kerf-declared')
    const { code } = await at().kubectl(['delete', 'serviceaccount', 'kerf', '-n', 'default'])
    expect(code).toBe(0)
    await until(() => expect(missing()).toEqual([]))
    expect(log.lines.map(({ message }) => message)).toContain('the kubeconfig of the management cluster has changed')
    await known.patch(cluster.MachineDeployment, ours, { spec: { replicas: 5 } }, signal)
    const read = await known.fresh(ours, signal)
    expect(read).toMatchObject({ deployment: { replicas: 5 }, machines: [{ name: MACHINE }] })
    await until(() => expect(known.clusters()).toHaveLength(1))
  })
})
