import { plain, textWidth } from '@kerf/provider-kit/terminal'
import { expect, test } from 'vitest'
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

test('the whole screen shows state, reasons and events in this order', () => {
  expect(renderView(frame, { width: 120, height: 40 }, plain).join('\n')).toMatchInlineSnapshot(`
    "Kerf · sandbox  working  4.3 s
    Pods   ████████████░░░░░░░░░░░░  2 pending → 3 starting → 5 running, 1 terminating
    Cost   $0.1500/h  $109.50/month

    NODE                STATE        TYPE              ZONE         CAPACITY  PODS  CPU          MEMORY           PRICE
    kwok-general-7x2lp  ● ready      c-8x-amd64-linux  test-zone-a  spot         8  ███░░░  50%  ██░░░░  25%  $0.1500/h
    general-9qk4d       ◌ launching  …                 …            …            0                                    …

    Unschedulable pods
      default/huge-0: memory: the largest type is 1.2 TiB short

    Why these nodes
      kwok-general-7x2lp: cheapest of 72 offerings that fit 8 pods

    0.1 s  applied 3 objects
    1.3 s  claim general-7x2lp created

    export KUBECONFIG='/tmp/a b/kubeconfig'"
  `)
})

const rowsOf = (lines: readonly string[], width: number): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / width)), 0)

/** A view in which every section has more lines than any window can show. */
const crowded = {
  ...frame,
  view: {
    ...view,
    pods: { pending: 1234, starting: 1234, running: 12_345, terminating: 123 },
    claims: Array.from({ length: 60 }, (_, index) => ({
      ...view.claims[0],
      claim: `general-${index}`,
      node: `kwok-general-${index}-d0478138d6`,
    })) as ClusterView['claims'],
    waiting: Array.from({ length: 30 }, (_, index) => ({
      pod: `default/huge-${index}`,
      why: 'memory is short '.repeat(9),
    })),
  },
  log: Array.from({ length: 100 }, (_, index) => `line ${index} ${'that is long '.repeat(20)}`),
}

test.each([
  [80, 24],
  [120, 40],
  [100, 30],
  [60, 20],
  [50, 12],
  [200, 60],
])('at %i×%i nothing exceeds the window, and the state and the notes are shown', (width, height) => {
  for (const shown of [frame, crowded, { ...crowded, showsHelp: true }]) {
    const lines = renderView(shown, { width, height }, plain)
    expect(lines.filter((line) => textWidth(line) > width)).toEqual([])
    expect(rowsOf(lines, width)).toBeLessThanOrEqual(height)
    expect(lines[0]).toContain('Kerf · sandbox  working')
    expect(lines.at(-1)).toBe("export KUBECONFIG='/tmp/a b/kubeconfig'")
  }
})

test('rows that do not fit are counted, and the log shows its last lines', () => {
  const lines = renderView(crowded, { width: 80, height: 24 }, plain)
  expect(lines.filter((line) => /… and \d+ more/.test(line)).length).toBeGreaterThanOrEqual(2)
  expect(lines.some((line) => line.startsWith('Unschedulable pods'))).toBe(true)
  expect(lines.some((line) => line.startsWith('line 99'))).toBe(true)
})

test('a note that is wider than the window wraps, so that it can be copied, and takes more rows', () => {
  const long = `kubectl:   export KUBECONFIG=/tmp/${'a'.repeat(120)}`
  const lines = renderView({ ...crowded, notes: [long] }, { width: 80, height: 24 }, plain)
  expect(lines).toContain(long)
  expect(rowsOf(lines, 80)).toBeLessThanOrEqual(24)
})

test('a quiet cluster shows what may still happen', () => {
  const first = (consolidatesIn: number): string =>
    renderView({ ...frame, view: { ...view, consolidatesIn } }, { width: 80, height: 24 }, plain)[0] ?? ''
  expect(first(28)).toBe('Kerf · sandbox  nodes can be consolidated in 28 s  4.3 s')
  expect(first(0)).toBe('Kerf · sandbox  looking for nodes to consolidate  4.3 s')
})
