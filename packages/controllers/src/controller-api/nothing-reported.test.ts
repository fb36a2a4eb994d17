import { annotations, type KubeObject, karpenterKinds, kinds, labels, type Pod } from '@kerf/apis'
import {
  blockerRemedy,
  blockerSentence,
  type ReadableObjects,
  readBlocker,
  readReason,
  reasonSentence,
} from '@kerf/engine'
import { nodeClassRef } from '@kerf/testing'
import { expect, test } from 'vitest'
import { createDisruptablePool, createPodDisruptionBudget, createPodOn, launchNodes } from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'
import type { DecisionsResponse } from './controller-api.ts'
import type { ReportedNode } from './reported-node.ts'

const start = harnessPerTest()
const { signal } = new AbortController()

/**
 * The test puts this string into every name, namespace, label, annotation and selector of namespaced objects. No response may contain it.
 */
const SECRET = 'kr1pt0n'
const LABEL = `${SECRET}.example.com/team`

const inNamespace = (name: string) => ({
  name: `${SECRET}-${name}`,
  namespace: 'default',
  labels: { app: `${SECRET}-${name}`, [LABEL]: SECRET },
  annotations: { [`${SECRET}.example.com/note`]: `${SECRET} said so` },
})

const main = (cpu: string) => ({
  name: `${SECRET}-container`,
  image: `${SECRET}/image`,
  env: [{ name: 'TOKEN', value: SECRET }],
  args: [SECRET],
  resources: { requests: { cpu } },
})

/**
 * Unschedulable pods, each with a different reason. Each pod contains a word that must appear in the reason if the reader may read the pod.
 */
const refused: Readonly<Record<string, Partial<Pod['spec']>>> = {
  selector: { nodeSelector: { [LABEL]: `${SECRET}-a` } },
  value: { nodeSelector: { [labels.zone]: `${SECRET}-zone` } },
  volume: { volumes: [{ name: SECRET, persistentVolumeClaim: { claimName: `${SECRET}-volume` } }] },
  lost: { volumes: [{ name: SECRET, persistentVolumeClaim: { claimName: `${SECRET}-gone` } }] },
  resource: { containers: [{ ...main('1'), resources: { requests: { [`${SECRET}.example.com/gpu`]: '2' } } }] },
  spread: {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: `${SECRET}.example.com/rack`,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: SECRET } },
      },
    ],
  },
}

const harness = async () => {
  const w = await start({ gates: { CapacityBuffer: true } })
  await w.admin.create(kinds.Namespace, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: `${SECRET}-namespace`, labels: { [LABEL]: SECRET } },
  })
  await createDisruptablePool(
    w,
    'general',
    { disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0' }] } },
    { spec: { nodeClassRef, requirements: [] } },
  )
  const [kept, guarded, twice, bound, leaving] = await launchNodes(w, 5, {})
  if (
    kept === undefined ||
    guarded === undefined ||
    twice === undefined ||
    bound === undefined ||
    leaving === undefined
  )
    throw new Error('five nodes')
  const body = (name: string, more: Partial<Pod['metadata']> = {}, spec: Partial<Pod['spec']> = {}) => ({
    cpu: '1',
    metadata: { ...inNamespace(name), ...more },
    spec: { containers: [main('1')], ...spec },
  })
  await createPodOn(w, 'kept', kept.node, body('kept', { annotations: { [annotations.doNotDisrupt]: 'true' } }))
  await createPodOn(w, 'guarded', guarded.node, body('guarded'))
  await createPodOn(w, 'twice', twice.node, body('twice'))
  // The pod fits on no other node, so consolidation reports why it cannot move the pod.
  await createPodOn(w, 'bound', bound.node, body('bound', {}, { nodeSelector: { [LABEL]: `${SECRET}-b` } }))
  await createPodOn(w, 'leaving', leaving.node, body('leaving', {}, { terminationGracePeriodSeconds: 3_600 }))
  for (const [name, app] of [
    ['budget', 'guarded'],
    ['budget-1', 'twice'],
    ['budget-2', 'twice'],
    ['budget-3', 'leaving'],
  ])
    await createPodDisruptionBudget(w, `${SECRET}-${name}`, {
      maxUnavailable: 0,
      selector: { matchLabels: { app: `${SECRET}-${app}` } },
    })
  await w.admin.create(kinds.PersistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: inNamespace('volume'),
    spec: {
      storageClassName: `${SECRET}-class`,
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  } as never)
  for (const [name, spec] of Object.entries(refused)) {
    await w.admin.create(kinds.Pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: inNamespace(name),
      spec: { containers: [main('1')], ...spec },
    } as Pod)
  }
  await w.admin.create(karpenterKinds.CapacityBuffer, {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: inNamespace('buffer'),
    spec: { replicas: 2, podTemplateRef: { name: `${SECRET}-template` } },
  } as never)
  await w.pass(60_000)
  await w.admin.delete(karpenterKinds.NodeClaim, { name: leaving.claim })
  await w.pass(300)
  return { w, nodes: { kept, guarded, twice, bound, leaving } }
}

const podsByUid = async (w: Awaited<ReturnType<typeof harness>>['w']): Promise<ReadonlyMap<string, Pod>> =>
  new Map((await w.admin.list(kinds.Pod)).items.map((each) => [each.metadata.uid ?? '', each]))

test('responses contain nothing from namespaces, and a reader with access reconstructs the full text', async () => {
  const { w } = await harness()
  const paths = [
    '/kerf/v1/version',
    '/kerf/v1/instance-types',
    '/kerf/v1/decisions',
    '/kerf/v1/history',
    '/kerf/v1/next',
  ]
  const all = await w.admin.list(kinds.Node)
  for (const { metadata } of all.items) paths.push(`/kerf/v1/nodes/${metadata.name}`)
  for (const { metadata } of await w.claims()) paths.push(`/kerf/v1/nodes/${metadata.name}`)
  const answers = new Map<string, string>()
  for (const path of paths) answers.set(path, JSON.stringify(await w.kerf.respond(path, signal)))
  for (const [path, text] of answers) {
    expect(text, path).toBeDefined()
    expect(text, path).not.toContain(SECRET)
  }

  const pods = await podsByUid(w)
  const { decisions } = JSON.parse(answers.get('/kerf/v1/decisions') ?? '') as DecisionsResponse
  const reported = decisions.filter((each) => each.kind === 'refuse')
  expect(new Set(reported.map(({ pod }) => pods.get(pod)?.metadata.name))).toEqual(
    new Set(Object.keys(refused).map((name) => `${SECRET}-${name}`)),
  )
  for (const { pod: uid, reasons } of reported) {
    const pod = pods.get(uid)
    const name = pod?.metadata.name?.replace(`${SECRET}-`, '') ?? ''
    // The text that a client reconstructs must equal the text inside the controller.
    const known = w.kerf.decisions.refusalOf(`default/${pod?.metadata.name}`)?.reasons ?? []
    const read = reasons.map((reason) => reasonSentence(readReason(reason, pod)))
    if (name === 'volume') continue
    expect(read, name).toEqual(known.map(reasonSentence))
    expect(JSON.stringify(read), name).toContain(SECRET)
  }
})

test('the reasons why nodes are kept contain nothing from namespaces', async () => {
  const { w, nodes } = await harness()
  const readable: ReadableObjects = {
    pods: await podsByUid(w),
    budgets: new Map(
      (await w.admin.list(kinds.PodDisruptionBudget)).items.map(({ metadata }: KubeObject) => [
        metadata.uid ?? '',
        `${metadata.namespace}/${metadata.name}`,
      ]),
    ),
  }
  const nobody: ReadableObjects = { pods: new Map(), budgets: new Map() }
  const sentences = async (node: string, by: ReadableObjects): Promise<string> => {
    const reported = JSON.parse(JSON.stringify(await w.kerf.respond(`/kerf/v1/nodes/${node}`, signal))) as ReportedNode
    expect(reported.departure, 'the older name').toEqual(reported.termination)
    const blockers = [
      ...reported.blockers,
      ...reported.methods.flatMap((each) => each.blockers),
      ...(reported.termination?.waitsFor ?? []),
    ]
    return blockers
      .map((each) => readBlocker(each, by))
      .flatMap((each) => [blockerSentence(each), blockerRemedy(each) ?? ''])
      .join('\n')
  }
  const words: readonly (readonly [string, string])[] = [
    [nodes.kept.node, `(Pod=default/${SECRET}-kept)`],
    [nodes.guarded.node, `(PodDisruptionBudget=[default/${SECRET}-budget])`],
    [nodes.twice.node, `[default/${SECRET}-budget-1 default/${SECRET}-budget-2]`],
    [
      nodes.bound.node,
      `not all pods would schedule, default/${SECRET}-bound => nodepool/general: label ${LABEL} has no`,
    ],
    [nodes.leaving.node, `let PodDisruptionBudget default/${SECRET}-budget-3 allow`],
  ]
  for (const [node, word] of words) {
    expect(await sentences(node, readable)).toContain(word)
    expect(await sentences(node, nobody)).not.toContain(SECRET)
  }
})
