import { describe, expect, test } from 'vitest'
import { decisionRows } from './decisions.ts'
import { observingState } from './observing.ts'

const launch = (component: string): object => ({
  metadata: { uid: component, creationTimestamp: '2026-01-01T10:00:00Z' },
  involvedObject: { kind: 'NodePool', name: 'general' },
  reason: 'WouldLaunch',
  message: 'Would launch m5.large (on-demand, us-east-1a) for 3 pod(s) at $0.0960 an hour',
  type: 'Normal',
  source: { component },
  lastTimestamp: '2026-01-01T10:00:00Z',
})
const pool = (name: string, mode?: string): object => ({
  metadata: { name, ...(mode === undefined ? {} : { annotations: { 'kerf.sh/mode': mode } }) },
})
const acting = { observe: false, decisions: [] }

describe('observe mode', () => {
  test('is off if neither the controller nor a NodePool only observes, or if there is no response', () => {
    const none = { controller: undefined, isBeside: false, pools: [] }
    expect(observingState(acting, decisionRows([launch('karpenter')]), [pool('a'), pool('b', 'other'), {}])).toEqual(
      none,
    )
    expect(observingState(undefined, [], [])).toEqual(none)
    expect(observingState('a page of a proxy', [], [undefined])).toEqual(none)
  })

  test('is on for a controller that reports it, with the number of its decisions', () => {
    const rows = decisionRows([launch('kerf-observe')])
    const answer = { observe: true, decisions: [{ kind: 'launch' }, { kind: 'place' }] }
    expect(observingState(answer, rows, [])).toEqual({ controller: { decisions: 2 }, isBeside: false, pools: [] })
  })

  test('is on for a second controller, detected by the source of its Events', () => {
    expect(observingState(acting, decisionRows([launch('kerf-observe')]), [])).toMatchObject({ isBeside: true })
    expect(observingState(undefined, decisionRows([launch('kerf-observe')]), [])).toMatchObject({ isBeside: true })
  })

  test('is on for each NodePool that has the annotation', () => {
    const pools = [pool('z', 'observe'), pool('general'), pool('a', 'observe')]
    expect(observingState(acting, [], pools).pools).toEqual(['a', 'z'])
  })
})
