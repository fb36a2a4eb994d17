import { spawn } from 'node:child_process'
import { type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import type { ControlPlane } from '@kerf/control-plane'
import {
  findConnection,
  HttpKubeClient,
  isNotFound,
  type KubeClient,
  SystemClock,
  SystemRandom,
  silentLogger,
  sleep,
} from '@kerf/runtime'
import { stringify } from 'yaml'
import { GROUP_LABEL, groupNode, playSituation, prepareSituation } from './play-situation.ts'
import type { Situation, SituationFacts } from './situation.ts'

const NAMESPACE = 'default'
const REPLICA_SET = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  namespaced: true,
} as const

/** The two ConfigMaps that Cluster Autoscaler's KWOK provider reads. */
const providerConfig = (situation: Situation): readonly KubeObject[] => {
  const templates = situation.groups.map(({ name, min, max, nodes }) => {
    const node = groupNode(situation, name, `template-${name}`)
    const sizes = { 'min-count': min ?? 0, 'max-count': max, 'desired-count': Math.max(min ?? 0, nodes ?? 0) }
    return {
      ...node,
      metadata: {
        ...node.metadata,
        annotations: {
          ...node.metadata.annotations,
          ...Object.fromEntries(
            Object.entries(sizes).map(([key, value]) => [`cluster-autoscaler.kwok.nodegroup/${key}`, String(value)]),
          ),
        },
      },
      status: { ...node.status, conditions: [] },
    }
  })
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kwok-provider-config', namespace: NAMESPACE },
      ...{
        data: {
          config: stringify({
            apiVersion: 'v1alpha1',
            readNodesFrom: 'configmap',
            nodegroups: { fromNodeLabelKey: GROUP_LABEL },
            nodes: { skipTaint: true },
            configmap: { name: 'kwok-provider-templates' },
          }),
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kwok-provider-templates', namespace: NAMESPACE },
      ...{ data: { templates: stringify({ apiVersion: 'v1', kind: 'List', items: templates }) } },
    },
  ]
}

const emptied = async (client: KubeClient): Promise<void> => {
  const removed: readonly {
    readonly kind: ResourceKind
    readonly options: { readonly gracePeriodSeconds?: number }
  }[] = [
    { kind: kinds.Pod as ResourceKind, options: { gracePeriodSeconds: 0 } },
    { kind: REPLICA_SET, options: {} },
    { kind: kinds.PodDisruptionBudget as ResourceKind, options: {} },
    { kind: kinds.Event as ResourceKind, options: {} },
    { kind: kinds.Node as ResourceKind, options: {} },
  ]
  for (const { kind, options } of removed)
    for (const { metadata } of (await client.list(kind)).items)
      await client
        .delete(
          kind,
          metadata.namespace === undefined
            ? { name: metadata.name }
            : { name: metadata.name, namespace: metadata.namespace },
          options,
        )
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error
        })
  await client.delete(kinds.ConfigMap, { name: 'cluster-autoscaler-status', namespace: 'kube-system' }).catch(() => {})
}

/** The real Cluster Autoscaler in a situation, on a real API server. Killed at the end, so that it cleans nothing up. */
export const playWithReal = async (
  situation: Situation,
  binary: string,
  plane: Pick<ControlPlane, 'kubeconfig'>,
): Promise<SituationFacts> => {
  const clock = new SystemClock()
  const connection = findConnection({ clock, env: {}, kubeconfig: plane.kubeconfig })
  const client = new HttpKubeClient({ connection, clock, random: new SystemRandom(), logger: silentLogger })
  await emptied(client)
  for (const object of providerConfig(situation))
    await client.patch(
      kinds.ConfigMap,
      { name: object.metadata.name, namespace: NAMESPACE },
      { type: 'apply', body: object, force: true },
      { fieldManager: 'test' },
    )
  await prepareSituation(situation, client, clock)
  const flags = Object.entries(situation.flags ?? {}).map(([name, value]) => `--${name}=${value}`)
  const server = new URL(connection.server)
  const child = spawn(
    binary,
    [
      '--cloud-provider=kwok',
      `--kubeconfig=${plane.kubeconfig}`,
      '--leader-elect=false',
      '--namespace=kube-system',
      '--address=127.0.0.1:0',
      '--v=1',
      '--kube-client-qps=100',
      '--kube-client-burst=200',
      ...flags,
    ],
    {
      env: {
        ...process.env,
        KUBECONFIG: plane.kubeconfig,
        POD_NAMESPACE: NAMESPACE,
        KWOK_PROVIDER_MODE: 'local',
        KUBERNETES_SERVICE_HOST: `${server.protocol}//${server.hostname}`,
        KUBERNETES_SERVICE_PORT: server.port,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let log = ''
  child.stderr.on('data', (text) => {
    log = `${log}${String(text)}`.slice(-20_000)
  })
  try {
    // Its first loop has written the status.
    for (let tries = 0; ; tries++) {
      const status = await client
        .get(kinds.ConfigMap, { name: 'cluster-autoscaler-status', namespace: 'kube-system' })
        .catch(() => undefined)
      if (status !== undefined && !(status.data?.['status'] ?? '').includes('Initializing')) break
      if (tries > 150 || child.exitCode !== null)
        throw new Error(`Cluster Autoscaler does not start:\n${log.slice(-3_000)}`)
      await sleep(clock, 200)
    }
    return await playSituation(situation, client, clock, async () => (await client.list(kinds.Event)).items)
  } finally {
    child.kill('SIGKILL')
    await client.close()
  }
}
