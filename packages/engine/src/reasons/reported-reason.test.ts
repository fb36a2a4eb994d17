import type { Pod } from '@kerf/apis'
import { awayFrom, near, running, spreadOver } from '@kerf/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cluster, node, pod, ZONE } from '../testing/cluster-builders.ts'
import { schedule } from '../testing/core-labels.ts'
import { randomCluster } from '../testing/random-clusters.ts'
import { reasonSentence } from './reason.ts'
import { type ReportedReason, readReason, reportReason } from './reported-reason.ts'
import { podTexts, reportText } from './reported-text.ts'

/** Returns the reason after sending it as JSON. */
const sent = (reported: ReportedReason): ReportedReason => JSON.parse(JSON.stringify(reported)) as ReportedReason

const SECRET = 'kr1pt0n'
/** Pods with a secret in each field that may appear in a reason. Each pod is refused for a different reason. */
const secrets: Readonly<Record<string, Partial<Pod['spec']>>> = {
  selector: { nodeSelector: { [`${SECRET}.example.com/team`]: `${SECRET}-value` } },
  'value of a known label': { nodeSelector: { [ZONE]: `${SECRET}-zone` } },
  'bad selector': { nodeSelector: { [`${SECRET}/a b`]: 'x' } },
  'several values': {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'team', operator: 'In', values: Array.from({ length: 9 }, (_, i) => `${SECRET}-${i}`) },
              ],
            },
          ],
        },
      },
    },
  },
  resource: { containers: [{ name: SECRET, resources: { requests: { [`${SECRET}.example.com/gpu`]: '3' } } }] },
  amount: { containers: [{ name: 'main', resources: { requests: { cpu: `${SECRET}` } } }] },
  'topology key': spreadOver(`${SECRET}.example.com/rack`, SECRET),
  'pod affinity': near(`${SECRET}.example.com/rack`, SECRET),
  'pod anti-affinity': {
    ...awayFrom(`${SECRET}.example.com/rack`, SECRET),
    nodeSelector: { [`${SECRET}.example.com/rack`]: 'r1' },
    tolerations: [{ key: 'team', operator: 'Exists' }],
  },
  volume: { volumes: [{ name: SECRET, persistentVolumeClaim: { claimName: `${SECRET}-claim` } }] },
  'ephemeral volume': { volumes: [{ name: SECRET, ephemeral: { volumeClaimTemplate: { spec: {} } } }] },
  device: { resourceClaims: [{ name: SECRET, resourceClaimName: `${SECRET}-claim` }] },
  size: { containers: [{ name: SECRET, resources: { requests: { cpu: '900' } } }] },
} as Readonly<Record<string, Partial<Pod['spec']>>>

const team = { key: 'team', value: 'a', effect: 'NoSchedule' } as const

describe('a reason for readers without access to the pod', () => {
  test.each(Object.entries(secrets))(
    'does not contain texts of the pod, and a reader of the pod gets it in full: %s',
    (_, spec) => {
      const refused = pod(SECRET, { labels: { app: SECRET }, spec })
      const pods = cluster()
        .pool('general')
        .pool('tainted', { taints: [team] })
        .pool('racked', { taints: [team], labels: { [`${SECRET}.example.com/rack`]: 'r1' } })
        .nodes(
          node('n', {
            taints: [team],
            labels: { [`${SECRET}.example.com/rack`]: 'r1' },
            cpu: '500m',
            pods: [running('n', pod('other', { labels: { app: SECRET } }))],
          }),
        )
      const [found] = schedule(pods.snapshot, [refused], { planBudget: 0 }).unschedulable
      if (found === undefined) throw new Error('the pod found a place')
      for (const reason of found.reasons) {
        const reported = sent(reportReason(reason, refused))
        expect(JSON.stringify(reported)).not.toContain(SECRET)
        expect(reasonSentence(readReason(reported, refused))).toBe(reasonSentence(reason))
        expect(JSON.stringify(readReason(reported, undefined))).not.toContain(SECRET)
      }
    },
  )

  test('in random clusters, a reader of the pod gets it in full', () => {
    let reasons = 0
    fc.assert(
      fc.property(randomCluster, ({ snapshot, pods }) => {
        for (const { pod: refused, reasons: all } of schedule(snapshot, pods, { planBudget: 0 }).unschedulable) {
          for (const reason of all) {
            reasons++
            const read = readReason(sent(reportReason(reason, refused)), refused)
            const own = { ...reason, subject: read.subject }
            expect(reasonSentence(read)).toBe(reasonSentence(own))
          }
        }
      }),
      { numRuns: 200 },
    )
    expect(reasons).toBeGreaterThan(100)
  })

  test('does not contain other objects in a namespace', () => {
    const reported = reportReason(
      {
        code: 'volume.invalid',
        subject: 'pod/team/p',
        detail: { problem: `StorageClass ${SECRET} of claim team/data does not exist` },
      },
      pod('p', { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] } }),
    )
    expect(reported).toEqual({ code: 'volume.invalid', subject: 'pod', detail: {} })
  })
})

test('a text is reported in whole words, and omitted if it contains an unknown word', () => {
  const words = podTexts(pod('web', { spec: { nodeSelector: { disk: 'd', 'disk-2': 'ssd' } } }))
  expect(reportText('disk-2 does not exist', words)).toEqual([words.indexOf('disk-2'), ' does not exist'])
  expect(reportText('label disk', words)).toEqual(['label ', words.indexOf('disk')])
  expect(reportText('disks', words)).toBeUndefined()
  expect(reportText(`label ${SECRET}`, words)).toBeUndefined()
})
