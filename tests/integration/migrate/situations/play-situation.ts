import {
  type Condition,
  formatTime,
  isActive,
  type KubeObject,
  kinds,
  type Node,
  type Pod,
  type PodDisruptionBudget,
} from '@kerf/apis'
import { type Clock, isNotFound, type KubeClient, sleep } from '@kerf/runtime'
import { GROUP_LABEL } from '../real-autoscaler.ts'
import type { Situation, SituationFacts, SituationPods } from './situation.ts'

const REPLICA_SET = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  namespaced: true,
} as const

/** Returns a node of a group in the form in which Cluster Autoscaler's KWOK provider writes it. */
export const groupNode = ({ groups }: Situation, group: string, name: string): Node => {
  const found = groups.find((each) => each.name === group)
  const resources = { cpu: found?.cpu ?? '1', memory: found?.memory ?? '1Gi', pods: '110' }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        [GROUP_LABEL]: group,
        'kubernetes.io/hostname': name,
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
        ...found?.labels,
      },
      annotations: {
        'kwok.x-k8s.io/node': 'fake',
        'cluster-autoscaler.kwok.nodegroup/name': group,
        ...found?.annotations,
      },
    },
    spec: { providerID: `kwok:${name}`, ...(found?.taints === undefined ? {} : { taints: found.taints }) },
    status: { capacity: resources, allocatable: resources },
  }
}

const readyConditions = (now: number, isReady = true): readonly Condition[] => [
  {
    type: 'Ready',
    status: isReady ? 'True' : 'False',
    reason: 'Test',
    message: '',
    lastTransitionTime: formatTime(now),
  },
]

const podOf = (pods: SituationPods, index: number, owner: KubeObject | undefined): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `${pods.app}-${index}`,
    namespace: pods.namespace ?? 'default',
    labels: { app: pods.app },
    ...(pods.annotations === undefined ? {} : { annotations: pods.annotations }),
    ...(owner === undefined
      ? {}
      : {
          ownerReferences: [
            {
              apiVersion: 'apps/v1',
              kind: 'ReplicaSet',
              name: pods.app,
              uid: owner.metadata.uid ?? '',
              controller: true,
            },
          ],
        }),
  },
  spec: {
    ...(pods.node === undefined ? {} : { nodeName: pods.node }),
    ...(pods.nodeSelector === undefined ? {} : { nodeSelector: pods.nodeSelector }),
    ...(pods.tolerations === undefined ? {} : { tolerations: pods.tolerations }),
    ...(pods.priority === undefined ? {} : { priorityClassName: 'low' }),
    ...(pods.local === true
      ? { volumes: [{ name: 'local', emptyDir: {} }] as unknown as NonNullable<Pod['spec']['volumes']> }
      : {}),
    ...(pods.alone === true
      ? {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { labelSelector: { matchLabels: { app: pods.app } }, topologyKey: 'kubernetes.io/hostname' },
              ],
            },
          },
        }
      : {}),
    ...pods.spec,
    containers: [{ name: 'app', image: 'app', resources: { requests: { cpu: pods.cpu, memory: pods.memory } } }],
  },
})

const createNode = async (client: KubeClient, node: Node, now: number, isReady = true): Promise<void> => {
  const { status, ...rest } = node
  await client.create(kinds.Node, rest)
  await client.patch(
    kinds.Node,
    { name: node.metadata.name },
    { type: 'merge', body: { status: { ...status, conditions: readyConditions(now, isReady) } } },
    { subresource: 'status' },
  )
  if (isReady) await withoutNotReady(client, node.metadata.name)
}

const NOT_READY = 'node.kubernetes.io/not-ready'

/**
 * Removes the not-ready taint that the API server adds to a new node. The node lifecycle controller, which would remove it, does not run
 * here.
 */
const withoutNotReady = async (client: KubeClient, name: string): Promise<void> => {
  const { spec } = await client.get(kinds.Node, { name })
  const taints = (spec?.taints ?? []).filter(({ key }) => key !== NOT_READY)
  await client.patch(kinds.Node, { name }, { type: 'merge', body: { spec: { taints } } })
}

/** Creates everything except the unschedulable pods, so that Cluster Autoscaler starts on an idle cluster. */
export const prepareSituation = async (situation: Situation, client: KubeClient, clock: Clock): Promise<void> => {
  const now = clock.now()
  for (const group of situation.groups)
    for (let index = 0; index < (group.nodes ?? 0); index++)
      await createNode(client, groupNode(situation, group.name, `${group.name}-${index}`), now)
  for (const { name, cpu, memory, isReady, annotations } of situation.foreign ?? []) {
    const resources = { cpu, memory, pods: '110' }
    await createNode(
      client,
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: { 'kubernetes.io/hostname': name }, annotations: { ...annotations } },
        spec: { providerID: `other://${name}` },
        status: { capacity: resources, allocatable: resources },
      },
      now,
      isReady ?? true,
    )
  }
  for (const pods of situation.pods) if (pods.node !== undefined) await createPods(pods, client, now)
  for (const { app, allowed } of situation.budgets ?? []) {
    const budget: PodDisruptionBudget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: app, namespace: 'default' },
      spec: { selector: { matchLabels: { app } }, maxUnavailable: allowed },
    }
    const made = await client.create(kinds.PodDisruptionBudget, budget)
    await client.patch(
      kinds.PodDisruptionBudget,
      { name: app, namespace: 'default' },
      {
        type: 'merge',
        body: {
          status: {
            observedGeneration: made.metadata.generation ?? 1,
            disruptionsAllowed: allowed,
            currentHealthy: 10,
            desiredHealthy: 10 - allowed,
            expectedPods: 10,
          },
        },
      },
      { subresource: 'status' },
    )
  }
}

const createPods = async (pods: SituationPods, client: KubeClient, now: number): Promise<void> => {
  const namespace = pods.namespace ?? 'default'
  if (pods.priority !== undefined)
    await client.patch(
      kinds.PriorityClass,
      { name: 'low' },
      {
        type: 'apply',
        body: {
          apiVersion: 'scheduling.k8s.io/v1',
          kind: 'PriorityClass',
          metadata: { name: 'low' },
          value: pods.priority,
        },
        force: true,
      },
      { fieldManager: 'test' },
    )
  const owner =
    pods.owner === 'none'
      ? undefined
      : ((await client.create(REPLICA_SET, {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          metadata: { name: pods.app, namespace },
          ...{
            spec: {
              replicas: pods.count,
              selector: { matchLabels: { app: pods.app } },
              template: {
                metadata: { labels: { app: pods.app } },
                spec: { containers: [{ name: 'app', image: 'app' }] },
              },
            },
          },
        })) as KubeObject)
  for (let index = 0; index < pods.count; index++) {
    const pod = podOf(pods, index, owner)
    await client.create(kinds.Pod, pod)
    const scheduled: Condition =
      pods.node === undefined
        ? {
            type: 'PodScheduled',
            status: 'False',
            reason: 'Unschedulable',
            message: 'test',
            lastTransitionTime: formatTime(now),
          }
        : { type: 'PodScheduled', status: 'True', reason: 'Test', message: '', lastTransitionTime: formatTime(now) }
    const status =
      pods.node === undefined
        ? { conditions: [scheduled] }
        : { phase: 'Running', conditions: [scheduled, ...readyConditions(now)] }
    await client.patch(
      kinds.Pod,
      { name: pod.metadata.name, namespace },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    )
  }
}

const count = (items: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const item of [...items].sort()) counts[item] = (counts[item] ?? 0) + 1
  return counts
}

interface EventObject extends KubeObject {
  readonly involvedObject?: { readonly kind?: string; readonly name?: string }
  readonly reason?: string
  readonly message?: string
  readonly firstTimestamp?: string
  readonly count?: number
}

/** Does what kubelets would do: removes evicted pods and makes new nodes ready. */
const kubelets = async (client: KubeClient, now: number): Promise<void> => {
  for (const { metadata } of (await client.list(kinds.Pod)).items)
    if (metadata.deletionTimestamp !== undefined)
      await client
        .delete(
          kinds.Pod,
          { name: metadata.name, namespace: metadata.namespace ?? 'default' },
          { gracePeriodSeconds: 0 },
        )
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error
        })
  for (const { metadata, status } of (await client.list(kinds.Node)).items) {
    if (
      status?.conditions?.some(({ type }) => type === 'Ready') === true ||
      metadata.labels?.[GROUP_LABEL] === undefined
    )
      continue
    await client
      .patch(
        kinds.Node,
        { name: metadata.name },
        { type: 'merge', body: { status: { conditions: readyConditions(now) } } },
        { subresource: 'status' },
      )
      .then(() => withoutNotReady(client, metadata.name))
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      })
  }
}

/**
 * Runs the situation, starting when its pods become unschedulable. Returns the observed facts. The argument `events` returns the events so
 * far.
 */
export const playSituation = async (
  situation: Situation,
  client: KubeClient,
  clock: Clock,
  events: () => Promise<readonly EventObject[]>,
  pass: (milliseconds: number) => Promise<void> = (milliseconds) => sleep(clock, milliseconds),
): Promise<SituationFacts> => {
  const began = clock.now()
  const known = new Map(
    (await client.list(kinds.Pod)).items.map(({ metadata }) => [metadata.name, metadata.labels?.['app'] ?? '']),
  )
  let nodesBefore = new Set((await client.list(kinds.Node)).items.map(({ metadata }) => metadata.name))
  for (const pods of situation.pods) if (pods.node === undefined) await createPods(pods, client, began)
  let firstScaleUp: number | undefined
  let firstRemoval: number | undefined
  const secondsSince = () => (clock.now() - began) / 1000
  while (secondsSince() < situation.seconds) {
    await pass(500)
    await kubelets(client, clock.now())
    const nodes = new Set((await client.list(kinds.Node)).items.map(({ metadata }) => metadata.name))
    if ([...nodes].some((name) => !nodesBefore.has(name))) firstScaleUp ??= secondsSince()
    if ([...nodesBefore].some((name) => !nodes.has(name))) firstRemoval ??= secondsSince()
    nodesBefore = nodes
  }
  // Gives Cluster Autoscaler time to send its events. It sends at most five per second.
  await pass(2_000)
  const all = await events()
  const pods = new Set((await client.list(kinds.Pod)).items.filter(isActive).map(({ metadata }) => metadata.name))
  const nodes = (await client.list(kinds.Node)).items
  const own = all.filter(({ involvedObject }) => involvedObject?.kind === 'Pod')
  const appOf = ({ involvedObject }: EventObject): string => (involvedObject?.name ?? '').replace(/-\d+$/, '')
  const notTriggered: Record<string, string[]> = {}
  for (const event of own.filter(({ reason }) => reason === 'NotTriggerScaleUp')) {
    const text = (event.message ?? '')
      .replace(/^pod didn't trigger scale-up: /, '')
      .split(', ')
      .sort()
      .join(', ')
    const said = notTriggered[appOf(event)] ?? []
    if (!said.includes(text)) said.push(text)
    notTriggered[appOf(event)] = said.sort()
  }
  const onStatus = all.filter(({ involvedObject }) => involvedObject?.kind === 'ConfigMap')
  return {
    scaledUp: onStatus
      .map(({ message }) => message ?? '')
      .filter((message) => message.startsWith('Scale-up: setting group '))
      .map((message) => message.replace('Scale-up: setting group ', '')),
    nodes: Object.fromEntries(
      situation.groups.map(({ name }) => [
        name,
        nodes.filter(({ metadata }) => metadata.labels?.[GROUP_LABEL] === name).length,
      ]),
    ),
    triggered: count(
      [
        ...new Set(
          own
            .filter(({ reason }) => reason === 'TriggeredScaleUp')
            .map(({ involvedObject }) => involvedObject?.name ?? ''),
        ),
      ].map((name) => name.replace(/-\d+$/, '')),
    ),
    notTriggered,
    evicted: count([...known].filter(([name]) => !pods.has(name)).map(([, app]) => app)),
    taints: count(
      nodes.flatMap(({ spec }) =>
        (spec?.taints ?? []).map(({ key }) => key).filter((key) => key.includes('ClusterAutoscaler')),
      ),
    ),
    ...(firstScaleUp === undefined ? {} : { firstScaleUp: Math.round(firstScaleUp) }),
    ...(firstRemoval === undefined ? {} : { firstRemoval: Math.round(firstRemoval) }),
    reasons: [...new Set(onStatus.map(({ reason }) => reason ?? ''))]
      .filter((reason) => reason !== 'ScaledUpGroup')
      .sort(),
  }
}
