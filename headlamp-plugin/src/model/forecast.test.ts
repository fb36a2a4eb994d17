import { expect, test } from 'vitest'
import { forecast } from './forecast.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const HOUR = 3_600_000
const NONE = new Map()

const condition = (type: string, status: string, reason: string = type) => ({ type, status, reason })
const ready = ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => condition(type, 'True'))

const claim = (name: string, conditions: readonly object[], metadata: object = {}, spec: object = {}) => ({
  metadata: {
    name,
    labels: { 'karpenter.sh/nodepool': 'general' },
    creationTimestamp: '2026-11-23T00:00:00Z',
    ...metadata,
  },
  spec,
  status: { conditions },
})

const kindsOf = (...claims: readonly object[]) =>
  forecast([], claims, NONE, NOW).map(({ kind, subject, detail }) => [kind, subject, detail])

test('a node that launches, drifts, is disrupted or terminates is under way, with its step or reason', () => {
  expect(
    kindsOf(
      claim('a', []),
      claim('b', [...ready, condition('Drifted', 'True', 'NodePoolDrifted')]),
      claim('c', [...ready, condition('Drifted', 'True'), condition('DisruptionReason', 'True', 'Underutilized')]),
      claim('d', [...ready, condition('DisruptionReason', 'True', 'Empty')], {
        deletionTimestamp: '2026-11-23T11:00:00Z',
      }),
      claim('e', ready, { deletionTimestamp: '2026-11-23T11:00:00Z' }),
      claim('f', ready),
    ),
  ).toEqual([
    ['launching', 'a', 'Launching'],
    ['drifted', 'b', 'NodePoolDrifted'],
    ['disrupted', 'c', 'Underutilized'],
    ['terminating', 'd', 'Empty'],
    ['terminating', 'e', 'Terminating'],
  ])
})

test('an expiry within a day comes at its time, a later one or one that never comes is left out', () => {
  const expiring = (name: string, expireAfter: string) => claim(name, ready, {}, { expireAfter })
  expect(
    forecast([], [expiring('later', '720h'), expiring('never', 'Never'), expiring('soon', '13h')], NONE, NOW),
  ).toEqual([{ kind: 'expires', subject: 'soon', pool: 'general', at: NOW + HOUR, detail: '' }])
})

test('a freeze is when disruption stops, its end when it resumes, and both come after what is under way', () => {
  const pool = {
    metadata: { name: 'general' },
    spec: {
      disruption: {
        budgets: [{ nodes: '0', schedule: '0 20 * * *', duration: '1h' }, { nodes: '10%' }],
      },
    },
  }
  const counts = new Map([['general', { total: 30, disrupting: 0 }]])
  expect(
    forecast([pool], [claim('a', [])], counts, NOW).map(({ kind, subject, at, detail, until }) => [
      kind,
      subject,
      at,
      detail,
      until,
    ]),
  ).toEqual([
    ['launching', 'a', undefined, 'Launching', undefined],
    ['disruption-stops', '', NOW + 8 * HOUR, '0', NOW + 9 * HOUR],
    ['disruption-resumes', '', NOW + 9 * HOUR, '3', undefined],
  ])
  // A pool without nodes, of which ten per cent are none, is not frozen.
  expect(forecast([pool], [], NONE, NOW).map(({ kind }) => kind)).toEqual(['disruption-stops', 'disruption-resumes'])
})
