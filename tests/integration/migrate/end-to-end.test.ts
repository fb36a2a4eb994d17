import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isActive, type KubeObject, karpenterKinds, kinds, labels, type Node, type ResourceKind } from '@kerf/apis'
import { startControlPlane } from '@kerf/control-plane'
import { defaultKwokSettings, simulatedKubelet } from '@kerf/provider-kwok'
import {
  ControllerManager,
  findConnection,
  HttpKubeClient,
  type KubeClient,
  PrometheusMetrics,
  SharedInformers,
  SystemClock,
  SystemRandom,
  silentLogger,
  sleep,
} from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { node } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import type { MigrationPlan, PlanStep } from '../../../packages/cli/src/migrate/plan/migration-plan.ts'
import { KerfProcess } from '../story/kerf-process.ts'
import { startKerf } from '../story/start-kerf.ts'
import { autoscalerDeployment, budget, workload } from './objects.ts'
import { GROUP_LABEL, RealAutoscaler, writeGroups } from './real-autoscaler.ts'

/**
 * The path of the real Cluster Autoscaler. With it, this test performs a complete migration on a real control plane. Every phase is a
 * process. One phase is killed and run again, and one is undone. The binary is built from kubernetes/autoscaler at the tag
 * cluster-autoscaler-1.36.1: `go build -mod=mod -tags kwok` in its folder cluster-autoscaler.
 */
const binary = process.env['KERF_CLUSTER_AUTOSCALER']

const FLAGS = {
  'scale-down-unneeded-time': '30s',
  'scale-down-delay-after-add': '30s',
  'unremovable-node-recheck-timeout': '10s',
  'skip-nodes-with-local-storage': 'false',
  'skip-nodes-with-system-pods': 'false',
} as const

const TYPE = 's-8x-amd64-linux'
/** Ten equal workloads. Each is so small that it moves as a whole, instead of in steps of a tenth. */
const WORKLOADS = Array.from({ length: 10 }, (_, index) => `app-${index}`)
const REPLICAS = 3

const template = (group: string): Node => {
  const capacity = { cpu: '8', memory: '32Gi', pods: '110' }
  return node(`template-${group}`, {
    labels: {
      [GROUP_LABEL]: group,
      [labels.hostname]: `template-${group}`,
      [labels.arch]: 'amd64',
      [labels.os]: 'linux',
      [labels.instanceType]: TYPE,
      tier: group,
    },
    metadata: { annotations: { 'kwok.x-k8s.io/node': 'fake', 'cluster-autoscaler.kwok.nodegroup/name': group } },
    capacity,
  })
}

const clusterObjects = (): readonly KubeObject[] => [
  autoscalerDeployment('--cloud-provider=kwok', ...Object.entries(FLAGS).map(([name, value]) => `--${name}=${value}`)),
  ...WORKLOADS.map((name, index) =>
    workload({
      namespace: 'default',
      name,
      replicas: REPLICAS,
      cpu: '1500m',
      memory: '2Gi',
      nodeSelector: { tier: index % 2 === 0 ? 'web' : 'data' },
    }),
  ),
  budget('default', 'app-0', 1),
  budget('default', 'app-1', 1),
]

const DEPLOYMENT = kinds.Deployment as ResourceKind
const resourceKind = (object: KubeObject): ResourceKind =>
  object.kind === 'Deployment' ? DEPLOYMENT : (kinds.PodDisruptionBudget as ResourceKind)

const until = async (
  clock: SystemClock,
  what: string,
  seconds: number,
  isSo: () => Promise<boolean>,
): Promise<void> => {
  for (let tries = 0; tries < seconds * 2; tries++) {
    if (await isSo()) return
    await sleep(clock, 500)
  }
  throw new Error(`not so after ${seconds} s: ${what}`)
}

const readSpecs = async (client: KubeClient): Promise<unknown> =>
  Object.fromEntries((await client.list(kinds.Deployment)).items.map(({ metadata, spec }) => [metadata.name, spec]))

/** Shortens the plan as a user might: each phase keeps only its last wait for Cluster Autoscaler. */
const shortened = (plan: MigrationPlan): MigrationPlan => ({
  ...plan,
  questions: [],
  phases: plan.phases.map((phase) => {
    const isWait = ({ do: what }: PlanStep): boolean => what === 'wait until given back'
    const last = phase.steps.findLastIndex(isWait)
    return { ...phase, steps: phase.steps.filter((step, index) => !isWait(step) || index === last) }
  }),
})

test.skipIf(binary === undefined)(
  'a cluster moves away from the real Cluster Autoscaler, with one killed and one undone phase (KERF_CLUSTER_AUTOSCALER)',
  async () => {
    const plane = await startControlPlane()
    onTestFinished(() => plane.stop())
    const [clock, random, logger] = [new SystemClock(), new SystemRandom(), silentLogger]
    const connection = findConnection({ clock, env: {}, kubeconfig: plane.kubeconfig })
    const client = new HttpKubeClient({ connection, clock, random, logger })
    onTestFinished(() => client.close())
    for (const { manifest } of allCrdFiles())
      await client.create(
        kinds.CustomResourceDefinition,
        manifest as unknown as KubeObject & { spec: Readonly<Record<string, unknown>> },
      )

    const stop = new AbortController()
    const informers = new SharedInformers({ client, clock, random, logger })
    const manager = new ControllerManager({ clock, random, logger, metrics: new PrometheusMetrics() })
    manager.add(
      ...simulatedKubelet(
        { client, informers, clock, random, events: new RecordingEventRecorder(), log: logger },
        defaultKwokSettings,
        ({ metadata }) =>
          metadata.labels?.[GROUP_LABEL] !== undefined || metadata.labels?.[labels.nodePool] !== undefined,
      ),
    )
    const violated = new Set<string>()
    let isWatched = false
    informers.of(kinds.PodDisruptionBudget).onChange(({ after }) => {
      const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0 } = after?.status ?? {}
      if (isWatched && after !== undefined && expectedPods > 0 && currentHealthy < desiredHealthy)
        violated.add(after.metadata.name)
    })
    informers.start(stop.signal)
    const running = manager.run({ stop: stop.signal })
    onTestFinished(async () => {
      stop.abort()
      await running
    })

    // The initial state: the workloads run on the nodes of Cluster Autoscaler's node groups.
    for (const object of clusterObjects()) await client.create(resourceKind(object), object)
    await writeGroups(
      client,
      ['web', 'data'].map((group) => ({ min: 0, max: 20, desired: 0, template: template(group) })),
    )
    const autoscaler = await RealAutoscaler.start({
      binary: binary ?? '',
      kubeconfig: plane.kubeconfig,
      server: connection.server,
      flags: FLAGS,
      client,
      clock,
    })
    onTestFinished(() => autoscaler.kill())
    const pods = async () => (await client.list(kinds.Pod)).items.filter((pod) => isActive(pod))
    const allRun = async (): Promise<boolean> => {
      const all = await pods()
      return all.length === WORKLOADS.length * REPLICAS + 1 && all.every(({ status }) => status?.phase === 'Running')
    }
    await until(clock, 'all pods run', 180, allRun)
    const groupNodes = async () =>
      (await client.list(kinds.Node)).items.filter(({ metadata }) => metadata.labels?.[labels.nodePool] === undefined)
    expect((await groupNodes()).length).toBeGreaterThan(4)
    const before = await readSpecs(client)
    isWatched = true

    const folder = mkdtempSync(join(tmpdir(), 'kerf-end-to-end-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const dump: KubeObject[] = []
    for (const kind of [
      kinds.Node,
      kinds.Pod,
      kinds.Deployment,
      kinds.PodDisruptionBudget,
      kinds.ConfigMap,
    ] as readonly ResourceKind[])
      dump.push(
        ...(await client.list(kind)).items.map((item) => ({
          ...item,
          apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`,
          kind: kind.kind,
        })),
      )
    writeFileSync(join(folder, 'cluster.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: dump }))
    const migration = join(folder, 'migration')
    const kerfDoes = async (...args: readonly string[]): Promise<string> => {
      const program = startKerf(args)
      const { code } = await program.ended
      if (code !== 0 && code !== 3) throw new Error(`kerf ${args.join(' ')}: ${program.output}`)
      return program.output
    }
    await kerfDoes('migrate', 'cas', '-f', join(folder, 'cluster.json'), '-o', migration, '--no-keep')
    const plan = join(migration, 'plan.yaml')
    writeFileSync(
      plan,
      stringify(shortened(parse(readFileSync(plan, 'utf8')) as MigrationPlan), { aliasDuplicateObjects: false }),
    )

    const kerf = KerfProcess.start(plane.kubeconfig, [
      '--simulate-kubelet=false',
      '--disable-leader-election',
      '--foreign-nodes=ignore',
    ])
    onTestFinished(async () => {
      await kerf.stop()
    })
    const apply = (phase: number, ...more: readonly string[]) =>
      [
        'migrate',
        'apply',
        migration,
        '--phase',
        String(phase),
        '--dry-run=false',
        '--yes',
        '--kubeconfig',
        plane.kubeconfig,
        ...more,
      ] as const
    const print = (line: string): void => {
      process.stdout.write(`${new Date(clock.now()).toISOString()} ${line}\n`)
    }
    for (const phase of [0, 1, 2]) await kerfDoes(...apply(phase))
    print('phases 0 to 2 are done')

    // Undoes one phase: the workload returns to its old spec and node group.
    const [first] = (parse(readFileSync(plan, 'utf8')) as MigrationPlan).phases[3]?.steps ?? []
    expect(first?.do).toBe('patch')
    await kerfDoes(...apply(3))
    expect(await readSpecs(client)).not.toEqual(before)
    await kerfDoes(...apply(3, '--undo'))
    expect(await readSpecs(client)).toEqual(before)
    print('phase 3 is done and undone')
    await kerfDoes(...apply(3))

    // Kills one process during the rollouts.
    const killed = startKerf(apply(4))
    await killed.printed(/4\/\d+ /)
    killed.child.kill('SIGKILL')
    expect((await killed.ended).signal).toBe('SIGKILL')
    const output = await kerfDoes(...apply(4))
    expect(output).toMatch(/done {2}1\. patch/)
    print('phase 4 was killed, and is done')
    for (const phase of [5, 6]) {
      await kerfDoes(...apply(phase))
      print(`phase ${phase} is done`)
    }
    expect(await groupNodes()).toEqual([])
    await kerfDoes(...apply(7))
    expect(
      (await client.get(kinds.Deployment, { namespace: 'kube-system', name: 'cluster-autoscaler' })).spec.replicas,
    ).toBe(0)
    await autoscaler.stop()
    await until(clock, 'the pods of the workloads run on nodes of Kerf', 120, async () => {
      const all = (await pods()).filter(({ metadata }) => metadata.namespace === 'default')
      return all.length === WORKLOADS.length * REPLICAS && all.every(({ status }) => status?.phase === 'Running')
    })
    expect(await groupNodes()).toEqual([])
    expect([...violated]).toEqual([])
    const claims = (await client.list(karpenterKinds.NodeClaim)).items
    print(`${claims.length} NodeClaims carry ${WORKLOADS.length * REPLICAS} pods, no node of a group is left`)
  },
)
