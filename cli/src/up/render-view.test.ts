import { expect, test } from 'vitest'
import { plain } from '../terminal/style.ts'
import { textWidth } from '../terminal/text-width.ts'
import type { ClusterView } from './cluster-view.ts'
import { renderView } from './render-view.ts'

const view: ClusterView = {
  seconds: 4.26,
  settled: false,
  pods: { pending: 2, starting: 3, running: 5, terminating: 1 },
  hourlyCost: 0.15,
  waiting: [{ pod: 'default/huge-0', why: 'memory: the largest type is 1.2 TiB short' }],
  claims: [
    {
      claim: 'general-7x2lp',
      node: 'kwok-general-7x2lp',
      nodePool: 'general',
      stage: 'ready',
      instanceType: 'c-8x-amd64-linux',
      zone: 'test-zone-a',
      capacityType: 'spot',
      hourlyPrice: 0.15,
      pods: 8,
      cpuUsed: 0.5,
      memoryUsed: 0.25,
      why: 'cheapest of 72 offerings that fit 8 pods',
    },
    {
      claim: 'general-9qk4d',
      node: undefined,
      nodePool: 'general',
      stage: 'launching',
      instanceType: undefined,
      zone: undefined,
      capacityType: undefined,
      hourlyPrice: undefined,
      pods: 0,
      cpuUsed: undefined,
      memoryUsed: undefined,
      why: undefined,
    },
  ],
}
const frame = {
  view,
  title: 'Kerf · sandbox',
  notes: ["export KUBECONFIG='/tmp/a b/kubeconfig'"],
  log: ['0.1 s  applied 3 objects', '1.3 s  claim general-7x2lp created'],
}

test('the whole screen reads from state to reasons to what happened', () => {
  expect(renderView(frame, { width: 120, height: 40 }, plain).join('\n')).toMatchInlineSnapshot(`
    "Kerf · sandbox  working  4.3 s

    Pods   ████████████░░░░░░░░░░░░  2 pending → 3 starting → 5 running, 1 terminating
    Cost   $0.1500/h  $109.50/month

    NODE                STATE        TYPE              ZONE         CAPACITY  PODS  CPU          MEMORY           PRICE
    kwok-general-7x2lp  ● ready      c-8x-amd64-linux  test-zone-a  spot         8  ███░░░  50%  ██░░░░  25%  $0.1500/h
    general-9qk4d       ◌ launching  …                 …            …            0                                    …

    Why these nodes
      kwok-general-7x2lp: cheapest of 72 offerings that fit 8 pods

    Unschedulable pods
      default/huge-0: memory: the largest type is 1.2 TiB short

    0.1 s  applied 3 objects
    1.3 s  claim general-7x2lp created

    export KUBECONFIG='/tmp/a b/kubeconfig'
    "
  `)
})

test('a narrow terminal cuts the name column, never wraps a line of the table', () => {
  const lines = renderView({ ...frame, notes: [] }, { width: 100, height: 40 }, plain)
  expect(lines.filter((line) => line.includes('general-')).every((line) => textWidth(line) <= 100)).toBe(true)
})

test('a long log is shortened to the terminal, the rest stays', () => {
  const log = Array.from({ length: 100 }, (_, index) => `line ${index}`)
  const lines = renderView({ ...frame, log }, { width: 120, height: 30 }, plain)
  expect(lines.length).toBeLessThanOrEqual(30)
  expect(lines).toContain('line 99')
  expect(lines).not.toContain('line 0')
})
