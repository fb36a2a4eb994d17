import type { Pod } from '@kerf/apis'
import { blockerSentence, type Reason, reportBlocker, reportReason } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { controllerBase, listedBases } from './controller-address.ts'
import type { DecisionRow } from './decisions.ts'
import { pendingPods } from './pending-pods.ts'
import { checkReadable, namedBlocker, reportedRefusals } from './reported.ts'

const podOf = (name: string, namespace: string, nodeSelector: Readonly<Record<string, string>>): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, uid: `uid-of-${name}` },
  spec: { nodeSelector, containers: [{ name: 'main' }] },
})
const mine = podOf('mine', 'team-a', { disk: 'nvme' })
const other = podOf('other', 'team-b', { 'b.example.com/tenant': 'hidden' })

const refusal = (pod: Pod, at: number): unknown => {
  const [key = ''] = Object.keys(pod.spec.nodeSelector ?? {})
  const reason: Reason = {
    code: 'requirement.unsatisfied',
    subject: 'nodepool/general',
    detail: { key, wanted: `${key} In [${pod.spec.nodeSelector?.[key]}]`, found: 'nothing' },
  }
  return { kind: 'refuse', at, pod: pod.metadata.uid, reasons: [reportReason(reason, pod)] }
}
const sent = (...decisions: readonly unknown[]): unknown => JSON.parse(JSON.stringify({ decisions }))

const event = (message: string, time: number): ReadonlyMap<string, DecisionRow> =>
  new Map([['team-a/mine', { reason: 'FailedScheduling', from: 'karpenter', message, time } as DecisionRow]])

describe('what Kerf reports by uid', () => {
  test('shows users the full reasons for the pods that they may list, and nothing about other pods', () => {
    const reported = reportedRefusals(sent(refusal(other, 1), refusal(mine, 2)), [mine])
    expect([...reported]).toEqual([
      [
        'uid-of-mine',
        {
          message: 'nodepool/general: disk does not match: wanted disk In [nvme], there is nothing',
          refusals: [
            {
              code: 'requirement.unsatisfied',
              nodePool: 'general',
              reason: {
                code: 'requirement.unsatisfied',
                subject: '',
                detail: expect.objectContaining({ key: 'disk' }),
              },
            },
          ],
          at: 2,
        },
      ],
    ])
  })

  test('a pod that was scheduled later does not count as refused', () => {
    const placed = { kind: 'place', at: 3, node: 'n', pods: ['uid-of-mine'] }
    expect(reportedRefusals(sent(refusal(mine, 2), placed), [mine]).size).toBe(0)
  })

  test('replaces an event that has expired or is older', () => {
    const reported = reportedRefusals(sent(refusal(mine, 60_000)), [mine])
    const message = (events: ReadonlyMap<string, DecisionRow>): string | undefined =>
      pendingPods([mine], events, reported)[0]?.message
    expect(message(new Map())).toContain('disk In [nvme]')
    expect(message(event('with what would help', 59_000))).toBe('with what would help')
    expect(message(event('of an hour ago', 1))).toContain('disk In [nvme]')
  })

  test('a malformed response counts as no report', () => {
    for (const answer of [undefined, {}, { decisions: [{ kind: 'refuse', pod: 'uid-of-mine', reasons: [{}] }, 3] }])
      expect(reportedRefusals(answer, [mine, {}]).size).toBe(0)
  })

  test('a blocker contains the names of pods and budgets that the user is allowed to list, and only the uid of others', () => {
    const budget = { metadata: { name: 'keep', namespace: 'team-a', uid: 'uid-of-keep' } }
    const readable = checkReadable([mine], [budget])
    const reported = (pod: Pod, uid: string) =>
      reportBlocker({ code: 'pdb.blocks', pod: 'x', budget: 'y' }, { pod: () => pod, budget: () => uid })
    expect(blockerSentence(namedBlocker(reported(mine, 'uid-of-keep'), readable))).toContain('[team-a/keep]')
    expect(blockerSentence(namedBlocker(reported(other, 'uid-of-shut'), readable))).toContain('[of uid uid-of-shut]')
  })
})

test('finds the controller in the settings or in the list of services', () => {
  expect(controllerBase(' ops/kerf:metrics ')).toBe('/api/v1/namespaces/ops/services/kerf:metrics/proxy')
  expect(controllerBase('ops/kerf')).toBeUndefined()
  expect(controllerBase('ops/kerf:80/../..')).toBeUndefined()
  const ports = [
    { name: 'webhook', port: 8443 },
    { name: 'http-metrics', port: 8080 },
  ]
  expect(listedBases({ items: [{ metadata: { name: 'k', namespace: 'ops' }, spec: { ports } }, {}] })).toEqual([
    '/api/v1/namespaces/ops/services/k:8080/proxy',
  ])
})
