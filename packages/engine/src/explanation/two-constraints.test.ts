import { awayFrom, near, running, spreadOver } from '@kerf/testing'
import { expect, test } from 'vitest'
import { reasonSentence } from '../reasons/reason.ts'
import { remedySentence } from '../reasons/remedy.ts'
import { CAPACITY_TYPE, type Cluster, cluster, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'
import { explainPod } from './explain-pod.ts'

/** This file tests `docs/reference/reasons.md`: if several constraints together leave no domain, the reason names all of them. */

const general = cluster().pool('general')
const full = (name: string, zone: string, app: string) =>
  node(name, { zone, cpu: '500m', pods: [running(name, pod(`${name}-${app}`, { labels: { app } }))] })
const explained = (of: Cluster, pods: readonly ReturnType<typeof pod>[], name: string) => {
  const asked = pods.find(({ metadata }) => metadata.name === name)
  if (asked === undefined) throw new Error(`no pod ${name}`)
  const { reasons, remedies } = explainPod(of.snapshot, pods, asked, of.options)
  return { says: reasons.map(reasonSentence), remedies: remedies.map(remedySentence) }
}

test('spread and affinity together are both named, with the smallest maxSkew that helps', () => {
  const leaders = general.nodes(full('a', 'zone-1', 'leader'), full('b', 'zone-2', 'leader'))
  const spec = { ...near(ZONE, 'leader'), ...spreadOver(ZONE, 'follower') }
  const { says, remedies } = explained(leaders, replicas(3, 'follower', { spec }), 'follower-2')
  expect(says).toEqual([
    `nodepool/general: topology spread (maxSkew 1) and pod affinity allow no ${ZONE} that satisfies both: what one allows the other refuses`,
  ])
  expect(remedies).toEqual([
    `raise maxSkew of the spread over ${ZONE} to 2`,
    `drop the topology spread over ${ZONE} (maxSkew 1)`,
    `drop the required pod affinity over ${ZONE}`,
  ])
})

test('the remedy names a sufficient maxSkew even if the current one is too small by more than one', () => {
  const leader = general.nodes(full('a', 'zone-1', 'leader'))
  const spec = { ...near(ZONE, 'leader'), ...spreadOver(ZONE, 'follower') }
  const { remedies } = explained(leader, replicas(6, 'follower', { spec }), 'follower-5')
  expect(remedies[0]).toBe(`raise maxSkew of the spread over ${ZONE} to 6`)
})

test('affinity and anti-affinity that conflict are both named', () => {
  const both = general.nodes(full('a', 'zone-1', 'leader'), full('b', 'zone-1', 'noisy'))
  const spec = { affinity: { ...near(ZONE, 'leader').affinity, ...awayFrom(ZONE, 'noisy').affinity } }
  expect(explained(both, [pod('x', { spec })], 'x').says[0]).toContain('pod affinity and pod anti-affinity allow no')
})

test('the reason for constraints over two labels names both labels', () => {
  const leader = node('a', {
    zone: 'zone-3',
    cpu: '500m',
    labels: { [CAPACITY_TYPE]: 'spot' },
    pods: [running('a', pod('leader', {}))],
  })
  // No pool has spot offerings in zone-3.
  const terms = [ZONE, CAPACITY_TYPE].map((topologyKey) => ({
    topologyKey,
    labelSelector: { matchLabels: { app: 'leader' } },
  }))
  const spec = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } }
  const { says } = explained(general.nodes(leader), [pod('x', { spec })], 'x')
  expect(says[0]).toContain(CAPACITY_TYPE)
  expect(says[0]).toContain(ZONE)
})

test('a single constraint is named alone, and the reason says whether matching pods run elsewhere', () => {
  const spec = { ...near(ZONE, 'web'), nodeSelector: { [ZONE]: 'zone-3' } }
  const waiting = pod('web-1', { labels: { app: 'web' }, spec })
  expect(explained(general.nodes(full('a', 'zone-1', 'web')), [waiting], 'web-1').says).toEqual([
    `nodepool/general: no ${ZONE} that the pod can use has a pod that its affinity selects; such pods run elsewhere, so the exception for the first pod does not apply`,
  ])
  const follower = pod('follower', { spec: near(ZONE, 'nobody') })
  expect(explained(general, [follower], 'follower').says).toEqual([
    `nodepool/general: no ${ZONE} that the pod can use has a pod that its affinity selects`,
  ])
})
