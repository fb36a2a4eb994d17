import type { Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { podsToDrain } from './drain-tiers.ts'

// Tests of `docs/spec/termination.md#drain-pass` and `docs/spec/termination.md#forced-deletion`.

const now = Date.parse('2026-01-01T01:00:00Z')
const daemonSet = { apiVersion: 'apps/v1', kind: 'DaemonSet' }
const web = pod('web', { nodeName: 'n' })
const daemon = pod('daemon', { nodeName: 'n', owner: daemonSet })
const critical = pod('critical', { nodeName: 'n', spec: { priorityClassName: 'system-cluster-critical' } })
const criticalDaemon = pod('critical-daemon', {
  nodeName: 'n',
  owner: daemonSet,
  spec: { priorityClassName: 'system-node-critical' },
})

const podNames = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name)
const drain = (pods: readonly Pod[], deadline?: number) => {
  const { forced, graceful, waiting } = podsToDrain(pods, deadline, now)
  return { forced: podNames(forced), graceful: podNames(graceful), waiting }
}

describe('the pods that a drain evicts', () => {
  test('belong to one tier at a time: ordinary pods, ordinary daemons, critical pods, critical daemons', () => {
    const all = [criticalDaemon, critical, daemon, web]
    expect(drain(all)).toEqual({ forced: [], graceful: ['web'], waiting: 4 })
    expect(drain(all.slice(0, 3))).toEqual({ forced: [], graceful: ['daemon'], waiting: 3 })
    expect(drain(all.slice(0, 2))).toEqual({ forced: [], graceful: ['critical'], waiting: 2 })
    expect(drain(all.slice(0, 1))).toEqual({ forced: [], graceful: ['critical-daemon'], waiting: 1 })
    expect(drain([])).toEqual({ forced: [], graceful: [], waiting: 0 })
  })

  test('are critical if the name of their priority class is critical, whatever its value', () => {
    const high = pod('high', { spec: { priorityClassName: 'mine', priority: 2_000_001_000 } })
    const node = pod('node-critical', { spec: { priorityClassName: 'system-node-critical' } })
    expect(drain([node, critical, high]).graceful).toEqual(['high'])
    expect(drain([node, critical]).graceful).toEqual(['node-critical', 'critical'])
  })

  test('are deleted by force as soon as they are due for the deadline, in any tier, and other pods do not wait for them', () => {
    const due = { ...criticalDaemon, spec: { ...criticalDaemon.spec, terminationGracePeriodSeconds: 60 } }
    expect(drain([due, web], now + 59_000)).toEqual({ forced: ['critical-daemon'], graceful: ['web'], waiting: 2 })
    expect(drain([due, web], now + 60_000)).toEqual({ forced: [], graceful: ['web'], waiting: 2 })
    expect(drain([due, web])).toEqual({ forced: [], graceful: ['web'], waiting: 2 })
  })

  test('do not include finished pods, pods that tolerate the taint, and static pods', () => {
    const stays = [
      pod('ended', { phase: 'Succeeded' }),
      pod('tolerates', { spec: { tolerations: [{ operator: 'Exists' }] } }),
      pod('static', { owner: { apiVersion: 'v1', kind: 'Node' } }),
    ]
    expect(drain(stays, now - 1)).toEqual({ forced: [], graceful: [], waiting: 0 })
  })
})
